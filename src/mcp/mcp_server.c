/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_server: a table of methods, a table of tools. */
#include "mcp/mcp_server.h"

#include "base/list.h"
#include "base/map.h"

#include <stdlib.h>

struct tool {
	struct link link; /* in the order of the offers */
	char *name;
	char *definition; /* as tools/list shows it */
	mcp_server_run *run;
	void *context;
};

struct mcp_server {
	char *name;
	char *software;
	char *instructions;
	char *server_info; /* JSON text, as the next; NULL: made of the names above */
	char *capabilities;
	enum era_version newest;
	struct link tools;
	struct map by_name;
};

static void tool_free(struct tool *tool) {
	free(tool->name);
	free(tool->definition);
	free(tool);
}
AUTO_RELEASE(tool, tool_free)

struct mcp_server *mcp_server_open(struct slice name, struct slice software,
	struct slice instructions, enum era_version newest, struct fault *why) {
	struct mcp_server *server = calloc(1, sizeof *server);
	if (!server) return fault_null(why, FAULT_NO_MEMORY, "no memory for a server");
	list_init(&server->tools);
	map_init(&server->by_name);
	server->newest = newest;
	server->name = slice_copy(name);
	server->software = slice_copy(software);
	server->instructions = slice_copy(instructions);
	if (server->name && server->software && server->instructions) return server;
	mcp_server_close(server);
	return fault_null(why, FAULT_NO_MEMORY, "no memory for a server");
}

void mcp_server_close(struct mcp_server *server) {
	if (!server) return;
	LIST_EACH_SAFE(link, &server->tools)
		tool_free(CONTAINER_OF(link, struct tool, link));
	map_finish(&server->by_name);
	free(server->name);
	free(server->software);
	free(server->instructions);
	free(server->server_info);
	free(server->capabilities);
	free(server);
}

bool mcp_server_stand_for(struct mcp_server *server, struct slice server_info,
	struct slice capabilities, struct fault *why) {
	char *info = slice_copy(server_info), *able = slice_copy(capabilities);
	if (!info || !able) {
		free(info);
		free(able);
		return fault_set(why, FAULT_NO_MEMORY, "no memory for a server");
	}
	free(server->server_info);
	free(server->capabilities);
	server->server_info = info;
	server->capabilities = able;
	return true;
}

size_t mcp_server_count(const struct mcp_server *server) { return server->by_name.count; }

/* ---- Offers ---- */

static bool check_name(struct slice name, struct fault *why) {
	bool is_fine = name.length > 0 && name.length <= MCP_SERVER_NAME;
	for (size_t i = 0; is_fine && i < name.length; i++) {
		char c = name.bytes[i];
		is_fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
			memchr("_-./", c, 4) != NULL;
	}
	return is_fine || fault_set(why, FAULT_BAD_INPUT, "a tool's name must be 1 to %d of ASCII letters, digits and _-./", MCP_SERVER_NAME);
}

static bool check_schema(struct slice schema, const char *which, struct fault *why) {
	struct scan_value root;
	struct scan_fault fault;
	if (schema.length == 0) return true;
	if (!scan_check(schema, SCAN_DEPTH - 8, &root, &fault))
		return fault_set(why, FAULT_BAD_INPUT, "%s: octet %zu: %s", which, fault.offset,
			fault.what);
	return root.type == SCAN_OBJECT ||
		fault_set(why, FAULT_BAD_INPUT, "%s: an object is due", which);
}

static void add_words(struct text *to, const char *key, struct slice words) {
	if (words.length == 0) return;
	text_printf(to, ",\"%s\":", key);
	text_json(to, words);
}

static void add_annotations(struct text *to, const struct mcp_offer *offer) {
	if (offer->effect == MCP_EFFECT_UNSAID) return;
	text_printf(to, ",\"annotations\":{\"readOnlyHint\":%s",
		offer->effect == MCP_EFFECT_NONE ? "true" : "false");
	if (offer->effect != MCP_EFFECT_NONE)
		text_printf(to, ",\"destructiveHint\":%s,\"idempotentHint\":%s",
			offer->effect == MCP_EFFECT_DESTRUCTIVE ? "true" : "false",
			offer->is_idempotent ? "true" : "false");
	text_add_char(to, '}');
}

static char *write_definition(const struct mcp_offer *offer) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_add_cstr(&text, "{\"name\":");
	text_json(&text, offer->name);
	add_words(&text, "title", offer->title);
	add_words(&text, "description", offer->description);
	text_add_cstr(&text, ",\"inputSchema\":");
	text_add(&text, offer->input_schema.length ? offer->input_schema : SLICE("{\"type\":\"object\",\"properties\":{}}"));
	if (offer->output_schema.length) {
		text_add_cstr(&text, ",\"outputSchema\":");
		text_add(&text, offer->output_schema);
	}
	add_annotations(&text, offer);
	if (offer->authorization.length) {
		text_add_cstr(&text, ",\"authorization\":");
		text_add(&text, offer->authorization);
	}
	text_add_char(&text, '}');
	return text_take(&text);
}

static struct tool *tool_make(const struct mcp_offer *offer) {
	AUTO(tool) tool = calloc(1, sizeof *tool);
	if (!tool) return NULL;
	list_init(&tool->link);
	tool->name = slice_copy(offer->name);
	tool->definition = write_definition(offer);
	tool->run = offer->run;
	tool->context = offer->context;
	return tool->name && tool->definition ? TAKE(tool) : NULL;
}

bool mcp_server_offer(struct mcp_server *server, const struct mcp_offer *offer,
	struct fault *why) {
	void *existing = NULL;
	if (!check_name(offer->name, why) || !check_schema(offer->input_schema, "input schema", why) ||
		!check_schema(offer->output_schema, "output schema", why) ||
		!check_schema(offer->authorization, "authorization", why))
		return false;
	if (server->by_name.count >= MCP_SERVER_TOOLS)
		return fault_set(why, FAULT_FULL, "at most %d tools are offered", MCP_SERVER_TOOLS);
	AUTO(tool) tool = tool_make(offer);
	if (!tool || !map_add(&server->by_name, slice_of(tool->name), tool, &existing))
		return existing ? fault_set(why, FAULT_EXISTS, "a tool of that name is offered already")
				: fault_set(why, FAULT_NO_MEMORY, "no memory for another tool");
	list_append(&server->tools, &tool->link);
	tool = NULL; /* the server's now */
	return true;
}

bool mcp_server_withdraw(struct mcp_server *server, struct slice name) {
	struct tool *tool = map_remove(&server->by_name, name);
	if (!tool) return false;
	list_remove(&tool->link);
	tool_free(tool);
	return true;
}

/* ---- Methods ---- */

struct ask {
	struct mcp_server *server;
	struct peer_question *question;
	const struct scan_value *params;
	struct arena arena;
};

static void refuse_params(struct ask *ask, const char *what) {
	peer_refuse(ask->question, JSONRPC_INVALID_PARAMS, slice_of(what), JSONRPC_PLAIN);
}

static void answer_text(struct ask *ask, struct text *result) {
	if (!text_failed(result)) peer_answer(ask->question, text_slice(result));
	else peer_refuse(ask->question, JSONRPC_INTERNAL_ERROR, SLICE("no memory"), JSONRPC_PLAIN);
}

static void write_server_info(const struct mcp_server *server, struct text *to) {
	if (server->server_info) {
		text_add_cstr(to, server->server_info);
		return;
	}
	text_add_cstr(to, "{\"name\":");
	text_json(to, slice_of(server->name));
	text_add_cstr(to, ",\"version\":");
	text_json(to, slice_of(server->software));
	text_add_char(to, '}');
}

#define CAPABILITIES "{\"tools\":{\"listChanged\":true}}"

static void introduce(struct ask *ask, struct slice capabilities) {
	const struct mcp_server *server = ask->server;
	struct scan_value value;
	struct slice asked;
	AUTO_TEXT struct text result = {0};
	if (!scan_find(ask->params, "protocolVersion", &value) ||
		!scan_string(&value, &ask->arena, &asked)) {
		refuse_params(ask, "params.protocolVersion: a string is due");
		return;
	}
	text_init(&result, 0);
	text_printf(&result, "{\"protocolVersion\":\"%s\",\"capabilities\":",
		era_version_text(era_settle(asked, server->newest)));
	text_add(&result, capabilities);
	text_add_cstr(&result, ",\"serverInfo\":");
	write_server_info(server, &result);
	add_words(&result, "instructions", slice_of(server->instructions));
	text_add_char(&result, '}');
	answer_text(ask, &result);
}

static void initialize(struct ask *ask) {
	introduce(ask, ask->server->capabilities ? slice_of(ask->server->capabilities) : SLICE(CAPABILITIES));
}

static void ping(struct ask *ask) { peer_answer(ask->question, SLICE("{}")); }

/* A cursor is how many tools came before. False: it is none of ours. */
static bool read_cursor(const struct mcp_server *server, const struct scan_value *params,
	uint64_t *cursor) {
	struct scan_value value;
	*cursor = 0;
	if (!scan_find(params, "cursor", &value) || value.type == SCAN_NULL) return true;
	return value.type == SCAN_STRING &&
		slice_number(slice_make(value.text.bytes + 1, value.text.length - 2), server->by_name.count, cursor);
}

struct slice mcp_server_definition(const struct mcp_server *server, struct slice name) {
	const struct tool *tool = map_find(&server->by_name, name);
	return tool ? slice_of(tool->definition) : SLICE_NONE;
}

bool mcp_server_write_tools(const struct mcp_server *server, const struct scan_value *params,
	struct text *to) {
	uint64_t cursor, at = 0;
	if (!read_cursor(server, params, &cursor)) return false;
	text_add_cstr(to, "{\"tools\":[");
	LIST_EACH(link, &server->tools) {
		const struct tool *tool = CONTAINER_OF(link, struct tool, link);
		if (at >= cursor + MCP_SERVER_PAGE) break;
		if (at++ < cursor) continue;
		if (at > cursor + 1) text_add_char(to, ',');
		text_add_cstr(to, tool->definition);
	}
	text_add_char(to, ']');
	if (at < server->by_name.count) text_printf(to, ",\"nextCursor\":\"%llu\"", (unsigned long long)at);
	text_add_char(to, '}');
	return true;
}

static void list_tools(struct ask *ask) {
	AUTO_TEXT struct text result = {0};
	text_init(&result, 0);
	if (mcp_server_write_tools(ask->server, ask->params, &result)) answer_text(ask, &result);
	else refuse_params(ask, "params.cursor is none of ours; list from the beginning");
}

static void call_tool(struct ask *ask) {
	struct scan_value value, arguments = {.text = SLICE("{}"), .type = SCAN_OBJECT};
	struct slice name;
	if (!scan_find(ask->params, "name", &value) || !scan_string(&value, &ask->arena, &name)) {
		refuse_params(ask, "params.name: a string is due");
		return;
	}
	if (scan_find(ask->params, "arguments", &value) && value.type != SCAN_NULL) arguments = value;
	if (arguments.type != SCAN_OBJECT) {
		refuse_params(ask, "params.arguments: an object is due");
		return;
	}
	const struct tool *tool = map_find(&ask->server->by_name, name);
	if (tool) tool->run(tool->context, ask->question, &arguments);
	else refuse_params(ask, "no tool of that name is offered; see tools/list");
}

static const struct method {
	const char *name;
	void (*answer)(struct ask *ask);
} methods[] = {
	{"initialize", initialize},
	{"ping", ping},
	{"tools/call", call_tool},
	{"tools/list", list_tools},
};

void mcp_server_asked(struct mcp_server *server, struct peer_question *question,
	const struct jsonrpc *request) {
	char lent[512];
	struct ask ask = {.server = server, .question = question, .params = &request->params};
	for (size_t i = 0; i < COUNT_OF(methods); i++) {
		if (!slice_is(request->method, methods[i].name)) continue;
		arena_init(&ask.arena, lent, sizeof lent, 0);
		methods[i].answer(&ask);
		arena_finish(&ask.arena);
		return;
	}
	peer_refuse(question, JSONRPC_METHOD_NOT_FOUND, SLICE("no such method"), JSONRPC_PLAIN);
}

void mcp_server_introduce(struct mcp_server *server, struct peer_question *question,
	const struct jsonrpc *request, struct slice capabilities) {
	char lent[512];
	struct ask ask = {.server = server, .question = question, .params = &request->params};
	arena_init(&ask.arena, lent, sizeof lent, 0);
	introduce(&ask, capabilities);
	arena_finish(&ask.arena);
}

/* ---- Results ---- */

static void answer_result(struct peer_question *question, struct text *result) {
	if (!text_failed(result)) peer_answer(question, text_slice(result));
	else peer_refuse(question, JSONRPC_INTERNAL_ERROR, SLICE("no memory"), JSONRPC_PLAIN);
}

void mcp_server_answer_text(struct peer_question *question, struct slice text, bool is_error) {
	AUTO_TEXT struct text result = {0};
	text_init(&result, 0);
	text_add_cstr(&result, "{\"content\":[{\"type\":\"text\",\"text\":");
	text_json(&result, text);
	text_printf(&result, "}],\"isError\":%s}", is_error ? "true" : "false");
	answer_result(question, &result);
}

void mcp_server_answer_json(struct peer_question *question, struct slice json) {
	AUTO_TEXT struct text result = {0};
	text_init(&result, 0);
	text_add_cstr(&result, "{\"content\":[{\"type\":\"text\",\"text\":");
	text_json(&result, json);
	text_add_cstr(&result, "}]");
	if (slice_starts_with(slice_trim(json), "{")) {
		text_add_cstr(&result, ",\"structuredContent\":");
		text_add(&result, json);
	}
	text_add_cstr(&result, ",\"isError\":false}");
	answer_result(question, &result);
}
