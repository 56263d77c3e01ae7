/* SPDX-License-Identifier: Apache-2.0 */
/* Service: a table of methods, with the eras that know them. */
#include "client/service.h"

#include "client/asking.h"
#include "client/flow_tool_call.h"
#include "client/flow_tool_methods.h"
#include "client/offerings.h"
#include "client/service_ears.h"
#include "mcp/mcp_modern.h"
#include "mcp/mcp_reply.h"

#include <stdlib.h>

#define LIST_TTL_MS 0 /* what is offered may change at any time: who keeps a list listens for that */

struct ask {
	struct service *service;
	struct hustings *hustings;
	struct peer_question *question;
	const struct jsonrpc *request;
	const struct scan_value *params;
	struct caller caller;
	struct arena arena;
};

/* ---- Answers ---- */

static void refuse(struct ask *ask, int64_t code, const char *words) {
	peer_refuse(ask->question, code, slice_of(words), JSONRPC_PLAIN);
}

static void answer(struct ask *ask, struct text *result, int64_t ttl_ms) {
	AUTO_TEXT struct text modern = {0}, info = {0};
	text_init(&modern, 0);
	text_init(&info, 0);
	if (ask->caller.is_modern) {
		library_write_info(ask->hustings, &info);
		mcp_reply_write_modern(&modern, text_slice(result), text_slice(&info), ttl_ms);
	}
	if (text_failed(result) || text_failed(&modern) || text_failed(&info))
		refuse(ask, JSONRPC_INTERNAL_ERROR, "no memory");
	else
		peer_answer(ask->question, ask->caller.is_modern ? text_slice(&modern) : text_slice(result));
}

/* ---- Who we are ---- */

#define CAPABILITIES \
	"{\"tools\":{\"listChanged\":true},\"prompts\":{\"listChanged\":true}," \
	"\"resources\":{\"subscribe\":true,\"listChanged\":true},\"completions\":{},\"logging\":{}"
#define FLOWS ",\"extensions\":{\"" FLOW_EXTENSION "\":" FLOW_TOOL_CAPABILITIES "}"

static void add_capabilities(const struct ask *ask, struct text *to) {
	text_add_cstr(to, CAPABILITIES);
	if (ask->hustings->flows) text_add_cstr(to, FLOWS);
	text_add_char(to, '}');
}

static void initialize(struct ask *ask) {
	AUTO_TEXT struct text result = {0};
	struct scan_value value;
	if (!scan_find(ask->params, "protocolVersion", &value) || value.type != SCAN_STRING) {
		refuse(ask, JSONRPC_INVALID_PARAMS, "params.protocolVersion: a string is due");
		return;
	}
	caller_introduce(&ask->service->caller, ask->params);
	text_init(&result, 0);
	text_printf(&result, "{\"protocolVersion\":\"%s\",\"capabilities\":",
		era_version_text(ask->service->caller.version));
	add_capabilities(ask, &result);
	text_add_cstr(&result, ",\"serverInfo\":");
	library_write_info(ask->hustings, &result);
	text_add_char(&result, '}');
	answer(ask, &result, -1);
}

static void discover(struct ask *ask) {
	AUTO_TEXT struct text result = {0};
	text_init(&result, 0);
	text_add_cstr(&result, "{\"supportedVersions\":[\"" MCP_MODERN_VERSION "\"],\"capabilities\":");
	add_capabilities(ask, &result);
	text_add_char(&result, '}');
	answer(ask, &result, LIST_TTL_MS);
}

static void ping(struct ask *ask) { peer_answer(ask->question, SLICE("{}")); }

static void set_level(struct ask *ask) {
	if (caller_set_level(&ask->service->caller, ask->params)) peer_answer(ask->question, SLICE("{}"));
	else refuse(ask, JSONRPC_INVALID_PARAMS, "params.level: there is no such level");
}

/* ---- Lists ---- */

static void answer_list(struct ask *ask, bool is_sound, struct text *result) {
	if (is_sound) answer(ask, result, LIST_TTL_MS);
	else refuse(ask, JSONRPC_INVALID_PARAMS, "params.cursor is none of ours; list from the beginning");
}

static void list_tools(struct ask *ask) {
	AUTO_TEXT struct text result = {0};
	text_init(&result, 0);
	bool is_sound = mcp_server_write_tools(ask->hustings->server, ask->params, &result);
	answer_list(ask, is_sound, &result);
}

static void list_offerings(struct ask *ask, enum mcp_items_kind kind) {
	AUTO_TEXT struct text result = {0};
	text_init(&result, 0);
	bool is_sound = offerings_write(ask->hustings->offerings, kind, ask->params, &result);
	answer_list(ask, is_sound, &result);
}

static void list_prompts(struct ask *ask) { list_offerings(ask, MCP_ITEMS_PROMPTS); }
static void list_resources(struct ask *ask) { list_offerings(ask, MCP_ITEMS_RESOURCES); }
static void list_templates(struct ask *ask) { list_offerings(ask, MCP_ITEMS_TEMPLATES); }

/* ---- Wants ---- */

static bool read_string(struct ask *ask, const char *member, struct slice *name) {
	struct scan_value value;
	if (scan_find(ask->params, member, &value) && scan_string(&value, &ask->arena, name)) return true;
	refuse(ask, JSONRPC_INVALID_PARAMS, "params: its name or uri is due, a string");
	return false;
}

/* It is no new request, and was taken. */
static bool is_resumed(struct ask *ask, struct slice name) {
	return asking_resume(ask->hustings, &ask->caller, ask->question, ask->request, name);
}

/* False: it was refused, or is no new request. */
static bool read_name(struct ask *ask, const char *member, struct slice *name) {
	return read_string(ask, member, name) && !is_resumed(ask, *name);
}

/* The tool's `run` takes it from here (library_tools.c). */
static void call_tool(struct ask *ask) {
	struct slice name;
	if (!read_string(ask, "name", &name)) return;
	if (flow_tool_call_again(ask->hustings, &ask->caller, ask->question, ask->request, name) || is_resumed(ask, name))
		return;
	ask->hustings->caller = &ask->caller;
	ask->hustings->declares = false; /* it has nowhere to be told later */
	mcp_server_asked(ask->hustings->server, ask->question, ask->request);
	ask->hustings->caller = NULL;
}

static struct hustings_request *open_request(struct ask *ask, enum request_kind kind,
	struct slice name) {
	ask->hustings->caller = &ask->caller;
	struct hustings_request *request =
		library_request_open(ask->hustings, kind, ask->question, name);
	ask->hustings->caller = NULL;
	return request;
}

static void get_prompt(struct ask *ask) {
	struct scan_value arguments;
	struct slice name;
	if (!read_name(ask, "name", &name)) return;
	const struct offering *offering = offerings_find(ask->hustings->offerings, MCP_ITEMS_PROMPTS, name);
	if (!offering) {
		refuse(ask, JSONRPC_INVALID_PARAMS, "no prompt of that name is offered; see prompts/list");
		return;
	}
	struct slice object = SLICE("{}");
	if (scan_find(ask->params, "arguments", &arguments) && arguments.type == SCAN_OBJECT)
		object = arguments.text;
	struct hustings_request *request = open_request(ask, REQUEST_PROMPT, name);
	if (request) offering->get(offering->context, request, library_json(object));
}

static void refuse_resource(struct ask *ask, struct slice uri) {
	AUTO_TEXT struct text data = {0};
	text_init(&data, 0);
	text_add_cstr(&data, "{\"uri\":");
	text_json(&data, uri);
	text_add_char(&data, '}');
	/* -32002 was the number of it before MCP 2026-07-28. */
	peer_refuse(ask->question, ask->caller.is_modern ? JSONRPC_INVALID_PARAMS : -32002,
		SLICE("there is no such resource; see resources/list"),
		text_failed(&data) ? SLICE_NONE : text_slice(&data));
}

static void read_resource(struct ask *ask) {
	struct slice uri;
	if (!read_name(ask, "uri", &uri)) return;
	const struct offerings *offerings = ask->hustings->offerings;
	const struct offering *offering = offerings_find(offerings, MCP_ITEMS_RESOURCES, uri);
	if (!offering) offering = offerings_find(offerings, MCP_ITEMS_TEMPLATES, uri);
	if (!offering) {
		refuse_resource(ask, uri);
		return;
	}
	struct hustings_request *request = open_request(ask, REQUEST_RESOURCE, uri);
	if (!request) return;
	request->type = offering->type ? slice_copy(slice_of(offering->type)) : NULL;
	offering->read(offering->context, request);
}

/* The prompt or the template whose argument is meant; NULL: refused. */
static const struct offering *read_reference(struct ask *ask, struct slice *name) {
	struct scan_value value;
	const struct offering *offering = NULL;
	bool is_prompt = scan_path(ask->params, &value, "ref", "name", NULL);
	if ((is_prompt || scan_path(ask->params, &value, "ref", "uri", NULL)) &&
		scan_string(&value, &ask->arena, name))
		offering = offerings_named(ask->hustings->offerings,
			is_prompt ? MCP_ITEMS_PROMPTS : MCP_ITEMS_TEMPLATES, *name);
	if (!offering) refuse(ask, JSONRPC_INVALID_PARAMS, "params.ref: there is no such prompt or template");
	return offering;
}

static void complete(struct ask *ask) {
	struct scan_value value;
	struct slice name, argument, given;
	AUTO_TEXT struct text none = {0};
	const struct offering *offering = read_reference(ask, &name);
	bool failed = false;
	if (!offering) return;
	if (!scan_path(ask->params, &value, "argument", "name", NULL) ||
		!scan_string(&value, &ask->arena, &argument) ||
		!scan_path(ask->params, &value, "argument", "value", NULL) ||
		!scan_string(&value, &ask->arena, &given)) {
		refuse(ask, JSONRPC_INVALID_PARAMS, "params.argument: its name and value are due, strings");
		return;
	}
	text_init(&none, 0);
	text_add_cstr(&none, "{\"completion\":{\"values\":[]}}");
	if (!offering->complete) {
		answer(ask, &none, -1);
		return;
	}
	struct hustings_request *request = open_request(ask, REQUEST_COMPLETION, name);
	if (!request) return;
	const char *of = library_string(&ask->arena, argument, &failed);
	const char *from = library_string(&ask->arena, given, &failed);
	if (failed) library_request_refuse(request, JSONRPC_INTERNAL_ERROR, "no memory");
	else offering->complete(offering->context, request, of, from);
}

/* ---- Changes ---- */

static void subscribe(struct ask *ask) {
	struct slice uri;
	struct scan_value value;
	bool is_named = scan_find(ask->params, "uri", &value) && scan_string(&value, &ask->arena, &uri);
	if (!is_named) refuse(ask, JSONRPC_INVALID_PARAMS, "params.uri: a string is due");
	else if (!service_ears_subscribe(ask->service, uri))
		refuse(ask, JSONRPC_INTERNAL_ERROR, "no memory, or too many subscriptions");
	else peer_answer(ask->question, SLICE("{}"));
}

static void unsubscribe(struct ask *ask) {
	struct slice uri;
	struct scan_value value;
	if (scan_find(ask->params, "uri", &value) && scan_string(&value, &ask->arena, &uri))
		service_ears_unsubscribe(ask->service, uri);
	peer_answer(ask->question, SLICE("{}"));
}

static void listen_for(struct ask *ask) {
	service_ears_listen(ask->hustings, ask->question, ask->request);
}

/* ---- The table ---- */

enum known_in {
	LEGACY = 1,
	MODERN = 2,
	BOTH = 3
};

static const struct method {
	const char *name;
	enum known_in eras;
	void (*answer)(struct ask *ask);
} methods[] = {
	{"completion/complete", BOTH, complete},
	{"initialize", LEGACY, initialize},
	{"logging/setLevel", LEGACY, set_level},
	{"ping", LEGACY, ping},
	{"prompts/get", BOTH, get_prompt},
	{"prompts/list", BOTH, list_prompts},
	{"resources/list", BOTH, list_resources},
	{"resources/read", BOTH, read_resource},
	{"resources/subscribe", LEGACY, subscribe},
	{"resources/templates/list", BOTH, list_templates},
	{"resources/unsubscribe", LEGACY, unsubscribe},
	{"server/discover", MODERN, discover},
	{"subscriptions/listen", MODERN, listen_for},
	{"tools/call", BOTH, call_tool},
	{"tools/list", BOTH, list_tools},
};

/* False: refused. */
static bool read_caller(struct ask *ask) {
	AUTO_TEXT struct text data = {0};
	struct fault why;
	int64_t code;
	ask->caller = ask->service->caller;
	if (!caller_is_modern(ask->request)) return true;
	text_init(&data, 0);
	if (caller_read(&ask->caller, ask->params, &code, &data, &why)) return true;
	peer_refuse(ask->question, code, slice_of(why.text), data.length ? text_slice(&data) : JSONRPC_PLAIN);
	return false;
}

void service_asked(struct service *service, struct peer_question *question,
	const struct jsonrpc *request) {
	char lent[512];
	struct ask ask = {.service = service,
		.hustings = service->hustings,
		.question = question,
		.request = request,
		.params = &request->params};
	if (!read_caller(&ask)) return;
	for (size_t i = 0; i < COUNT_OF(methods); i++) {
		bool is_known = methods[i].eras & (ask.caller.is_modern ? MODERN : LEGACY);
		if (!is_known || !slice_is(request->method, methods[i].name)) continue;
		arena_init(&ask.arena, lent, sizeof lent, 0);
		methods[i].answer(&ask);
		arena_finish(&ask.arena);
		return;
	}
	const struct flow_caller caller = {.id = "", .host = service->number, .is_modern = ask.caller.is_modern};
	ask.hustings->caller = &ask.caller;
	ask.hustings->declares = false;
	bool is_taken = flow_tool_methods_asked(ask.hustings, &caller, question, request);
	ask.hustings->caller = NULL;
	if (is_taken) return;
	refuse(&ask, JSONRPC_METHOD_NOT_FOUND, "no such method");
}

void service_cancelled(struct service *service, struct peer_question *question) {
	if (!service_ears_cancelled(service->hustings, question))
		library_request_cancelled(service->hustings, question);
}

/* ---- Coming and going ---- */

bool service_init(struct service *service, struct hustings *hustings,
	const struct peer_events *events, void *context, struct fault *why) {
	service->asker = (struct asker){.id = ""};
	service->hustings = hustings;
	service->number = ++hustings->last_service;
	service->caller = (struct caller){.is_modern = false};
	list_init(&service->subscriptions);
	list_append(&hustings->services, &service->link);
	service->peer = peer_open(hustings->loop, events, context, why);
	if (service->peer) return true;
	list_remove(&service->link);
	return false;
}

void service_finish(struct service *service) {
	struct fault why;
	fault_set(&why, FAULT_CLOSED, "the caller has gone");
	list_remove(&service->link);
	peer_close(TAKE(service->peer), &why);
	service_ears_forget(service);
	flow_desk_forget(service->hustings->flows, NULL, service->number);
}
