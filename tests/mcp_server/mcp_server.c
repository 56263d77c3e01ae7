/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An MCP server on stdio for tests: legacy, modern or both, and of bad manners where that is wanted.
 *
 * mcp_server [--era legacy|modern|dual] [--dies-of-strangers] [--silent] [--pages N] [--exit N]
 *
 * It keeps to the era of its first request. Of a request before initialize a legacy one dies
 * (--dies-of-strangers), says nothing (--silent), or answers with an error. --exit N: it ends at
 * once with that status. Tools: echo, pid, count, ask, sample, roots, steps, log, die, leave, hold,
 * release, grow, touch, seen.
 */
#include "wire/jsonrpc.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define META "io.modelcontextprotocol/"
#define ASKED 64

enum era { UNDECIDED, LEGACY, MODERN };

struct server {
	bool speaks_legacy, speaks_modern, dies_of_strangers, is_silent, has_grown;
	enum era era;
	unsigned pages, count;
	char *held[ASKED];           /* ids of calls that wait for `release` */
	unsigned held_count;
	char *asked[ASKED];          /* call ids; the index is the id of our question */
	unsigned asked_count;
	char *uri;                   /* subscribed to */
	struct text initialize;      /* params as they came */
};

/* ---- Words out ---- */

static void put(const struct text *text) {
	if (text_failed(text)) exit(9);
	fwrite(text->bytes, 1, text->length, stdout);
	fputc('\n', stdout);
	fflush(stdout);
}

static void put_result(struct slice id, struct slice result) {
	AUTO_TEXT struct text text = { 0 };
	text_init(&text, 0);
	jsonrpc_write_result(&text, id, result);
	put(&text);
}

static void put_error(struct slice id, int64_t code, const char *words) {
	AUTO_TEXT struct text text = { 0 };
	text_init(&text, 0);
	jsonrpc_write_error(&text, id, code, slice_of(words), SLICE_NONE);
	put(&text);
}

static void put_notification(const char *method, struct slice params) {
	AUTO_TEXT struct text text = { 0 };
	text_init(&text, 0);
	jsonrpc_write_notification(&text, slice_of(method), params);
	put(&text);
}

static void put_words(const struct server *server, struct slice id, struct slice words) {
	AUTO_TEXT struct text result = { 0 };
	text_init(&result, 0);
	text_add_cstr(&result, server->era == MODERN ? "{\"resultType\":\"complete\"," : "{");
	text_add_cstr(&result, "\"content\":[{\"type\":\"text\",\"text\":");
	text_json(&result, words);
	text_add_cstr(&result, "}]}");
	put_result(id, text_slice(&result));
}

/* ---- Questions ---- */

static const char elicitation[] =
	"{\"message\":\"Who?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}";
static const char sampling[] = "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\","
	"\"text\":\"hello\"}}],\"maxTokens\":5}";

static void ask_back(struct server *server, struct slice id, const char *method,
	const char *params) {
	AUTO_TEXT struct text text = { 0 };
	char number[16];
	if (server->asked_count >= ASKED) exit(8);
	snprintf(number, sizeof number, "%u", server->asked_count);
	server->asked[server->asked_count++] = slice_copy(id);
	text_init(&text, 0);
	jsonrpc_write_request(&text, slice_of(number), slice_of(method), slice_of(params));
	put(&text);
}

static void want_input(struct slice id, const char *method, const char *params) {
	AUTO_TEXT struct text text = { 0 };
	text_init(&text, 0);
	text_printf(&text, "{\"resultType\":\"input_required\",\"requestState\":\"kept\",\"inputRequests\":"
		"{\"who\":{\"method\":\"%s\",\"params\":%s}}}", method, params);
	put_result(id, text_slice(&text));
}

static void question(struct server *server, const struct jsonrpc *call, const char *method,
	const char *params) {
	struct scan_value given, state;
	if (server->era == LEGACY) ask_back(server, call->id.text, method, params);
	else if (!scan_path(&call->params, &given, "inputResponses", "who", NULL))
		want_input(call->id.text, method, params);
	else if (scan_find(&call->params, "requestState", &state) && slice_is(state.text, "\"kept\""))
		put_words(server, call->id.text, given.text);
	else
		put_error(call->id.text, -32602, "the state is lost");
}

static void answered(struct server *server, const struct jsonrpc *answer) {
	int64_t number;
	if (!scan_integer(&answer->id, &number) || number < 0 || number >= (int64_t)server->asked_count)
		return;
	struct slice id = slice_of(server->asked[number]);
	if (id.bytes) put_words(server, id, answer->kind == JSONRPC_RESULT ? answer->result.text
		: SLICE("refused"));
	free(TAKE(server->asked[number]));
}

/* ---- Tools ---- */

static const char *const tools[] = { "echo", "pid", "count", "ask", "sample", "roots", "steps", "log",
	"die", "leave", "hold", "release", "grow", "touch", "seen" };

static void steps(const struct server *server, const struct jsonrpc *call) {
	struct scan_value token;
	if (scan_path(&call->params, &token, "_meta", "progressToken", NULL))
		for (int i = 1; i <= 3; i++) {
			AUTO_TEXT struct text params = { 0 };
			text_init(&params, 0);
			text_printf(&params, "{\"progressToken\":%.*s,\"progress\":%d,\"total\":3}",
				SLICE_ARGS(token.text), i);
			put_notification("notifications/progress", text_slice(&params));
		}
	put_words(server, call->id.text, SLICE("stepped"));
}

static void release(struct server *server, struct slice id) {
	for (unsigned i = 0; i < server->held_count; i++) {
		put_words(server, slice_of(server->held[i]), SLICE("released"));
		free(server->held[i]);
	}
	server->held_count = 0;
	put_words(server, id, SLICE("done"));
}

static void grow(struct server *server, struct slice id) {
	server->has_grown = true;
	put_notification("notifications/tools/list_changed", SLICE_NONE);
	put_words(server, id, SLICE("grown"));
}

static void touch(const struct server *server, struct slice id) {
	AUTO_TEXT struct text params = { 0 };
	text_init(&params, 0);
	text_printf(&params, "{\"uri\":\"%s\"}", server->uri ? server->uri : "test://nothing");
	put_notification("notifications/resources/updated", text_slice(&params));
	put_words(server, id, SLICE("touched"));
}

static void put_number(const struct server *server, struct slice id, long number) {
	char words[24];
	snprintf(words, sizeof words, "%ld", number);
	put_words(server, id, slice_of(words));
}

static void run(struct server *server, const struct jsonrpc *call, struct slice tool) {
	struct slice id = call->id.text;
	struct scan_value text;
	if (slice_is(tool, "echo"))
		put_words(server, id, scan_path(&call->params, &text, "arguments", NULL) ? text.text : SLICE(""));
	else if (slice_is(tool, "pid")) put_number(server, id, (long)getpid());
	else if (slice_is(tool, "count")) put_number(server, id, (long)++server->count);
	else if (slice_is(tool, "ask")) question(server, call, "elicitation/create", elicitation);
	else if (slice_is(tool, "sample")) question(server, call, "sampling/createMessage", sampling);
	else if (slice_is(tool, "roots")) question(server, call, "roots/list", "{}");
	else if (slice_is(tool, "steps")) steps(server, call);
	else if (slice_is(tool, "log")) {
		put_notification("notifications/message", SLICE("{\"level\":\"info\",\"data\":\"hello\"}"));
		put_words(server, id, SLICE("logged"));
	} else if (slice_is(tool, "die")) {
		fprintf(stderr, "dying as asked\n");
		_exit(3);
	} else if (slice_is(tool, "leave")) exit(0);
	else if (slice_is(tool, "hold") && server->held_count < ASKED)
		server->held[server->held_count++] = slice_copy(id);
	else if (slice_is(tool, "release")) release(server, id);
	else if (slice_is(tool, "grow")) grow(server, id);
	else if (slice_is(tool, "touch")) touch(server, id);
	else if (slice_is(tool, "seen"))
		put_words(server, id, server->era == LEGACY ? text_slice(&server->initialize) : call->params.text);
	else
		put_error(id, -32602, "no such tool");
}

/* ---- Lists ---- */

/* Each page has one tool, but for the last, which has the rest. */
static void list_tools(const struct server *server, const struct jsonrpc *request) {
	AUTO_TEXT struct text result = { 0 };
	struct scan_value cursor;
	unsigned page = 0, count = COUNT_OF(tools);
	if (scan_find(&request->params, "cursor", &cursor))
		page = (unsigned)strtoul(cursor.text.bytes + 1, NULL, 10);
	bool is_last = page + 1 >= server->pages;
	text_init(&result, 0);
	text_add_cstr(&result, "{\"tools\":[");
	for (unsigned i = page; i < (is_last ? count : page + 1); i++)
		text_printf(&result, "%s{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}", i > page ? "," : "",
			tools[i]);
	if (is_last && server->has_grown)
		text_add_cstr(&result, ",{\"name\":\"grown\",\"inputSchema\":{\"type\":\"object\"}}");
	text_add_cstr(&result, "]");
	if (!is_last) text_printf(&result, ",\"nextCursor\":\"%u\"", page + 1);
	text_add_cstr(&result, server->era == MODERN ? ",\"resultType\":\"complete\"}" : "}");
	put_result(request->id.text, text_slice(&result));
}

/* ---- Requests ---- */

#define CAPABILITIES "{\"tools\":{\"listChanged\":true},\"resources\":{\"subscribe\":true},\"logging\":{}}"

static void initialize(struct server *server, const struct jsonrpc *request) {
	AUTO_TEXT struct text result = { 0 };
	struct scan_value version;
	server->era = LEGACY;
	text_init(&server->initialize, 0);
	text_add(&server->initialize, request->params.text);
	text_init(&result, 0);
	if (!scan_find(&request->params, "protocolVersion", &version)) exit(5);
	text_printf(&result, "{\"protocolVersion\":%.*s,\"capabilities\":" CAPABILITIES
		",\"serverInfo\":{\"name\":\"test \\u0041\",\"version\":\"1\"},\"instructions\":\"Be kind.\"}",
		SLICE_ARGS(version.text));
	put_result(request->id.text, text_slice(&result));
}

static void discover(struct server *server, const struct jsonrpc *request) {
	server->era = MODERN;
	put_result(request->id.text, SLICE("{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],"
		"\"capabilities\":" CAPABILITIES ",\"ttlMs\":1000,\"cacheScope\":\"public\",\"_meta\":{\"" META
		"serverInfo\":{\"name\":\"test A\",\"version\":\"1\"}}}"));
}

static bool is_modern(const struct jsonrpc *request) {
	struct scan_value version;
	return scan_path(&request->params, &version, "_meta", META "protocolVersion", NULL);
}

/* False: it was dealt with. */
static bool is_welcome(struct server *server, const struct jsonrpc *request) {
	bool is_first = server->era == UNDECIDED, is_initialize = slice_is(request->method, "initialize");
	if (is_first && is_modern(request) && server->speaks_modern) server->era = MODERN;
	if (is_first && is_initialize && !server->speaks_legacy) {
		put_error(request->id.text, -32022, "unsupported protocol version");
		return false;
	}
	if (server->era == MODERN) {
		if (is_modern(request)) return true;
		put_error(request->id.text, is_initialize ? -32022 : -32602, "no protocol version in _meta");
		return false;
	}
	if (server->era == LEGACY || is_initialize) return true;
	if (server->dies_of_strangers) _exit(4);
	if (!server->is_silent) put_error(request->id.text, -32601, "not initialized");
	return false;
}

static void keep_uri(struct server *server, const struct scan_value *uri) {
	free(server->uri);
	server->uri = slice_copy(slice_make(uri->text.bytes + 1, uri->text.length - 2));
}

static void listen_to(struct server *server, const struct jsonrpc *request) {
	struct scan_value uris;
	struct scan_walk walk;
	struct scan_member uri;
	if (scan_path(&request->params, &uris, "notifications", "resourceSubscriptions", NULL))
		for (scan_open(&walk, &uris); scan_next(&walk, &uri);) keep_uri(server, &uri.value);
	put_notification("notifications/subscriptions/acknowledged", SLICE("{}"));
}

static void requested(struct server *server, const struct jsonrpc *request) {
	struct scan_value name;
	if (!is_welcome(server, request)) return;
	if (slice_is(request->method, "initialize")) initialize(server, request);
	else if (slice_is(request->method, "server/discover") && server->era == MODERN)
		discover(server, request);
	else if (slice_is(request->method, "ping") || slice_is(request->method, "logging/setLevel"))
		put_result(request->id.text, SLICE("{}"));
	else if (slice_is(request->method, "tools/list")) list_tools(server, request);
	else if (slice_is(request->method, "subscriptions/listen") && server->era == MODERN)
		listen_to(server, request);
	else if (slice_is(request->method, "resources/subscribe") && server->era == LEGACY &&
		scan_find(&request->params, "uri", &name)) {
		keep_uri(server, &name);
		put_result(request->id.text, SLICE("{}"));
	} else if (slice_is(request->method, "tools/call") && scan_find(&request->params, "name", &name))
		run(server, request, slice_make(name.text.bytes + 1, name.text.length - 2));
	else
		put_error(request->id.text, -32601, "no such method");
}

static void hear(struct server *server, struct slice line) {
	char lent[4096];
	struct arena arena;
	struct jsonrpc message;
	int64_t code;
	arena_init(&arena, lent, sizeof lent, 0);
	if (!jsonrpc_read(&message, line, &arena, &code, NULL)) exit(7);
	if (message.kind == JSONRPC_REQUEST) requested(server, &message);
	else if (message.kind != JSONRPC_NOTIFICATION) answered(server, &message);
	else if (slice_is(message.method, "notifications/cancelled")) fprintf(stderr, "cancelled\n");
	arena_finish(&arena);
}

static void read_options(struct server *server, int argc, char **argv) {
	const char *era = "legacy";
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--dies-of-strangers")) server->dies_of_strangers = true;
		else if (!strcmp(argv[i], "--silent")) server->is_silent = true;
		else if (i + 1 < argc && !strcmp(argv[i], "--era")) era = argv[++i];
		else if (i + 1 < argc && !strcmp(argv[i], "--pages"))
			server->pages = (unsigned)strtoul(argv[++i], NULL, 10);
		else if (i + 1 < argc && !strcmp(argv[i], "--exit")) exit(atoi(argv[++i]));
		else exit(6);
	}
	server->speaks_legacy = strcmp(era, "modern") != 0;
	server->speaks_modern = strcmp(era, "legacy") != 0;
}

int main(int argc, char **argv) {
	struct server server = { .pages = 1 };
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	read_options(&server, argc, argv);
	while ((length = getline(&line, &room, stdin)) > 0) {
		if (line[length - 1] == '\n') length--;
		hear(&server, slice_make(line, (size_t)length));
	}
	free(line);
	return 0;
}
