/* SPDX-License-Identifier: Apache-2.0 */
/* Web face: the door, and what comes in by it. */
#include "client/web_face.h"

#include "client/web_host.h"
#include "mcp/mcp_header.h"
#include "mcp/mcp_modern.h"

#include <stdio.h>
#include <stdlib.h>

struct visit {
	struct web_face *face;
	struct web_wire *wire;
	const struct http1_head *head;
	struct arena arena;
};

/* ---- Refusals ---- */

static void refuse(const struct visit *visit, unsigned status, const char *words) {
	struct slice headers = SLICE_NONE;
	if (status == 401) headers = SLICE("WWW-Authenticate: Bearer\r\n");
	if (status == 405) headers = SLICE("Allow: POST, GET, DELETE\r\n");
	web_wire_answer(visit->wire, status, headers, "text/plain", slice_of(words));
}

static void refuse_message(const struct visit *visit, const struct jsonrpc *message, int64_t code,
	const char *words) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	bool has_id = message->id.type == SCAN_STRING || message->id.type == SCAN_NUMBER;
	jsonrpc_write_error(&text, has_id ? message->id.text : SLICE_NONE, code, slice_of(words), JSONRPC_PLAIN);
	if (text_failed(&text)) refuse(visit, 503, "no memory: try again");
	else web_wire_answer(visit->wire, 400, SLICE_NONE, "application/json", text_slice(&text));
}

/* ---- Modern ---- */

static bool header_is(struct visit *visit, const char *name, struct slice expected) {
	AUTO_TEXT struct text value = {0};
	struct slice field = http1_field(visit->head, name);
	text_init(&value, 0);
	return field.bytes && mcp_header_read(field, &value) && slice_equal(text_slice(&value), expected);
}

/* An argument that the tool's schema marks stands in the head as it does in the body. */
static bool param_is_there(void *context, const struct mcp_header_param *param) {
	struct visit *visit = context;
	char name[160];
	double told, meant;
	AUTO_TEXT struct text value = {0};
	snprintf(name, sizeof name, "Mcp-Param-%.*s", SLICE_ARGS(param->name));
	struct slice field = http1_field(visit->head, name);
	if (param->value.type == SCAN_NONE || !field.bytes) return param->value.type == SCAN_NONE && !field.bytes;
	text_init(&value, 0);
	if (!mcp_header_read(field, &value)) return false;
	if (slice_equal(text_slice(&value), mcp_header_value(&param->value, &visit->arena))) return true;
	const struct scan_value number = {.text = text_slice(&value), .type = SCAN_NUMBER};
	struct scan_value checked;
	struct scan_fault fault;
	return param->value.type == SCAN_NUMBER && scan_check(number.text, 1, &checked, &fault) &&
		checked.type == SCAN_NUMBER && scan_number(&number, &told) &&
		scan_number(&param->value, &meant) && told >= meant && told <= meant;
}

static bool params_match(struct visit *visit, const struct jsonrpc *message, struct slice tool) {
	struct slice definition = mcp_server_definition(visit->face->hustings->server, tool);
	struct scan_value root = {.text = definition, .type = definition.length ? SCAN_OBJECT : SCAN_NONE};
	struct scan_value schema, arguments;
	if (!slice_is(message->method, "tools/call") || !scan_find(&root, "inputSchema", &schema)) return true;
	if (!scan_find(&message->params, "arguments", &arguments)) arguments.type = SCAN_NONE;
	return mcp_header_params(&schema, &arguments, &visit->arena, param_is_there, visit, NULL);
}

/* The head repeats what the body says (MCP 2026-07-28, transports). */
static const char *mismatch(struct visit *visit, const struct jsonrpc *message) {
	struct scan_value version;
	struct slice words;
	if (!scan_path(&message->params, &version, "_meta", MCP_MODERN_PREFIX "protocolVersion", NULL) ||
		!scan_string(&version, &visit->arena, &words))
		return NULL; /* which is refused for that alone */
	if (!header_is(visit, "MCP-Protocol-Version", words))
		return "the header MCP-Protocol-Version is not what the body says";
	if (!header_is(visit, "Mcp-Method", message->method))
		return "the header Mcp-Method is not what the body says";
	struct slice name = mcp_header_name(message->method, &message->params, &visit->arena);
	if (name.bytes && !header_is(visit, "Mcp-Name", name))
		return "the header Mcp-Name is not what the body says";
	if (name.bytes && !params_match(visit, message, name))
		return "a header Mcp-Param is not what the body says";
	return NULL;
}

static void take_modern(struct visit *visit, const struct jsonrpc *message) {
	struct web_host *host = &visit->face->modern;
	const char *wrong = mismatch(visit, message);
	if (wrong) {
		refuse_message(visit, message, MCP_MODERN_HEADER_MISMATCH, wrong);
		return;
	}
	if (message->kind != JSONRPC_REQUEST) {
		web_wire_answer(visit->wire, 202, SLICE_NONE, NULL, SLICE_NONE);
		return;
	}
	struct web_exchange *exchange = web_exchange_open(host, visit->wire, visit->head);
	if (!exchange) return;
	exchange->missing = 1;
	peer_take(host->service.peer, message, slice_of(exchange->tag), SLICE_NONE);
}

/* ---- Legacy ---- */

static struct web_host *find_session(struct visit *visit) {
	struct slice id = http1_field(visit->head, "Mcp-Session-Id");
	struct web_host *host = id.bytes ? web_host_find(visit->face, id) : NULL;
	if (host) web_host_touch(host);
	else if (id.bytes) refuse(visit, 404, "there is no such session: begin with initialize");
	else refuse(visit, 400, "the header Mcp-Session-Id is due: begin with initialize");
	return host;
}

static void take_request(struct visit *visit, struct web_host *host,
	const struct jsonrpc *message, bool begins) {
	struct web_exchange *exchange = web_exchange_open(host, visit->wire, visit->head);
	if (!exchange) return;
	exchange->missing = 1;
	exchange->begins = begins;
	peer_take(host->service.peer, message, slice_of(exchange->tag), SLICE_NONE);
}

static void begin_session(struct visit *visit, const struct jsonrpc *message) {
	struct fault why;
	struct web_host *host = web_host_open(visit->face, &why);
	if (!host) {
		refuse(visit, 503, why.text);
		return;
	}
	take_request(visit, host, message, true);
	if (!host->service.caller.is_introduced) web_host_leave(host); /* it was refused */
}

static void take_legacy(struct visit *visit, const struct jsonrpc *message) {
	bool is_request = message->kind == JSONRPC_REQUEST;
	if (is_request && slice_is(message->method, "initialize")) {
		begin_session(visit, message);
		return;
	}
	struct web_host *host = find_session(visit);
	if (!host) return;
	if (is_request) {
		take_request(visit, host, message, false);
		return;
	}
	web_wire_answer(visit->wire, 202, SLICE_NONE, NULL, SLICE_NONE);
	peer_take(host->service.peer, message, SLICE_NONE, SLICE_NONE);
}

static unsigned count_requests(struct visit *visit, const struct scan_value *batch) {
	struct scan_walk walk;
	struct scan_member member;
	struct jsonrpc message;
	unsigned count = 0;
	int64_t code;
	for (scan_open(&walk, batch); scan_next(&walk, &member);)
		count += jsonrpc_read_value(&message, &member.value, &visit->arena, &code, NULL) &&
			message.kind == JSONRPC_REQUEST;
	return count;
}

/* MCP 2025-03-26: several messages in one body, their answers in one. */
static void take_batch(struct visit *visit, const struct scan_value *batch) {
	static const struct jsonrpc nameless;
	struct web_host *host = find_session(visit);
	struct scan_walk walk;
	struct scan_member member;
	struct jsonrpc message;
	int64_t code;
	if (!host) return;
	size_t count = scan_count(batch);
	if (host->service.caller.version != ERA_2025_03_26 || count == 0 || count > WEB_BATCH) {
		refuse_message(visit, &nameless, JSONRPC_INVALID_REQUEST,
			"a batch is for clients of 2025-03-26, and of 1 to 100 messages");
		return;
	}
	struct web_exchange *exchange = NULL;
	unsigned requests = count_requests(visit, batch);
	char tag[sizeof exchange->tag] = "";
	if (!requests) web_wire_answer(visit->wire, 202, SLICE_NONE, NULL, SLICE_NONE);
	else if (!(exchange = web_exchange_open(host, visit->wire, visit->head))) return;
	if (exchange) {
		exchange->is_batch = true;
		exchange->missing = requests;
		memcpy(tag, exchange->tag, sizeof tag); /* the last answer frees it */
	}
	for (scan_open(&walk, batch); scan_next(&walk, &member);)
		if (jsonrpc_read_value(&message, &member.value, &visit->arena, &code, NULL))
			peer_take(host->service.peer, &message,
				message.kind == JSONRPC_REQUEST ? slice_of(tag) : SLICE_NONE, SLICE_NONE);
}

/* ---- The methods of HTTP ---- */

static bool is_json(const struct http1_head *head) {
	struct slice type = http1_field(head, "Content-Type"), name;
	return type.bytes && slice_split(&type, ';', &name) &&
		slice_equal_ignoring_case(slice_trim(name), SLICE("application/json"));
}

/* A header that names no legacy version, or a request that says its own: modern. */
static bool is_modern(const struct visit *visit, const struct jsonrpc *message) {
	struct slice header = http1_field(visit->head, "MCP-Protocol-Version");
	if (message->kind == JSONRPC_REQUEST && caller_is_modern(message)) return true;
	return slice_is(header, MCP_MODERN_VERSION);
}

static bool is_known_version(const struct visit *visit) {
	struct slice header = http1_field(visit->head, "MCP-Protocol-Version");
	enum era_version version;
	return !header.bytes || era_version_read(header, &version);
}

static void post(struct visit *visit, struct slice body) {
	static const struct jsonrpc nameless;
	struct jsonrpc message = nameless;
	struct scan_value root;
	struct scan_fault fault;
	struct fault why;
	int64_t code;
	if (!is_json(visit->head)) {
		refuse(visit, 415, "Content-Type has to be application/json");
		return;
	}
	if (scan_check(body, SCAN_DEPTH, &root, &fault) && root.type == SCAN_ARRAY) {
		take_batch(visit, &root);
		return;
	}
	if (!jsonrpc_read(&message, body, &visit->arena, &code, &why)) refuse_message(visit, &message, code, why.text);
	else if (is_modern(visit, &message)) take_modern(visit, &message);
	else if (!is_known_version(visit)) refuse(visit, 400, "there is no such MCP-Protocol-Version");
	else take_legacy(visit, &message);
}

static void get(struct visit *visit) {
	if (!http1_field(visit->head, "Mcp-Session-Id").bytes) {
		refuse(visit, 405, "a GET is the event stream of a session: Mcp-Session-Id names it");
		return;
	}
	struct web_host *host = find_session(visit);
	if (!host) return;
	struct web_exchange *exchange = web_exchange_open(host, visit->wire, visit->head);
	if (!exchange) return;
	if (exchange->takes_events) web_exchange_listen(exchange);
	else {
		refuse(visit, 406, "Accept has to name text/event-stream");
		web_exchange_gone(exchange);
	}
}

static void delete (struct visit *visit) {
	struct web_host *host = find_session(visit);
	if (!host) return;
	web_host_leave(host);
	web_wire_answer(visit->wire, 204, SLICE_NONE, NULL, SLICE_NONE);
}

static void asked(void *context, struct web_wire *wire, const struct http1_head *head,
	struct slice body) {
	char lent[2048];
	struct visit visit = {.face = context, .wire = wire, .head = head};
	const char *what;
	unsigned status = web_guard_refuses(&visit.face->guard, head, &what);
	arena_init(&visit.arena, lent, sizeof lent, 0);
	if (status) refuse(&visit, status, what);
	else if (!slice_is(head->path, visit.face->path)) refuse(&visit, 404, "there is nothing here");
	else if (slice_is(head->method, "POST")) post(&visit, body);
	else if (slice_is(head->method, "GET")) get(&visit);
	else if (slice_is(head->method, "DELETE")) delete (&visit);
	else refuse(&visit, 405, "POST, GET and DELETE are served here");
	arena_finish(&visit.arena);
}

static void gone(void *context, struct web_wire *wire) {
	struct web_exchange *exchange = web_wire_user(wire);
	(void)context;
	if (exchange) web_exchange_gone(exchange);
}

/* ---- Opening and closing ---- */

static void accepted(void *context, int descriptor, const char *address) {
	static const struct web_wire_events events = {asked, gone};
	struct web_face *face = context;
	(void)address;
	web_wire_open(face->hustings->loop, descriptor, &face->wires, &events, face);
}

void web_face_close(struct web_face *face) {
	if (!face) return;
	if (face->acceptor) acceptor_close(face->acceptor);
	LIST_EACH_SAFE(link, &face->sessions) {
		struct web_host *host = CONTAINER_OF(link, struct web_host, link);
		web_host_finish(host);
		free(host);
	}
	if (face->has_modern) web_host_finish(&face->modern);
	LIST_EACH_SAFE(at, &face->wires) web_wire_close(web_wire_of(at));
	web_guard_finish(&face->guard);
	free(face->path);
	free(face);
}

/* "host:port", "[::1]:0". */
static bool read_address(const char *listen, char *host, size_t size, unsigned *port,
	struct fault *why) {
	const char *colon = strrchr(listen, ':');
	uint64_t number = 0;
	size_t length = colon ? (size_t)(colon - listen) : 0;
	bool is_bracketed = length > 2 && listen[0] == '[' && listen[length - 1] == ']';
	if (!colon || length >= size || !length || !slice_number(slice_of(colon + 1), 65535, &number))
		return fault_set(why, FAULT_BAD_INPUT, "listen: it is not of the form \"127.0.0.1:0\"");
	snprintf(host, size, "%.*s", (int)(is_bracketed ? length - 2 : length), listen + is_bracketed);
	*port = (unsigned)number;
	return true;
}

static bool open_door(struct web_face *face, const struct hustings_http_options *options,
	struct fault *why) {
	const char *listen = options->listen ? options->listen : "127.0.0.1:0";
	char host[200];
	unsigned port = 0;
	if (!read_address(listen, host, sizeof host, &port, why)) return false;
	bool is_ipv6 = strchr(host, ':') != NULL;
	char name[sizeof host + 2];
	snprintf(name, sizeof name, is_ipv6 ? "[%s]" : "%s", host);
	if (!web_guard_init(&face->guard, name, options->hosts, options->origins, options->token, why))
		return false;
	face->acceptor = acceptor_open(face->hustings->loop, host, port, accepted, face, why);
	if (!face->acceptor) return false;
	if (!options->token && !acceptor_is_loopback(face->acceptor))
		return fault_set(why, FAULT_REFUSED, "listen: %s is no address of loopback: a token is due", host);
	snprintf(face->url, sizeof face->url, "http://%s:%u%s", name, acceptor_port(face->acceptor), face->path);
	return true;
}

static bool open_face(struct web_face *face, const struct hustings_http_options *options,
	struct fault *why) {
	const char *path = options->path ? options->path : "/mcp";
	list_init(&face->wires);
	list_init(&face->sessions);
	if (path[0] != '/' || strlen(path) > 64)
		return fault_set(why, FAULT_BAD_INPUT, "path: it begins with \"/\", and is of 64 octets at most");
	face->path = slice_copy(slice_of(path));
	if (!face->path) return fault_set(why, FAULT_NO_MEMORY, "no memory to serve HTTP");
	face->has_modern = web_host_init(&face->modern, face, why);
	return face->has_modern && open_door(face, options, why);
}

bool hustings_serve_http(struct hustings *hustings, const struct hustings_http_options *options,
	struct hustings_error *error) {
	static const struct hustings_http_options standard;
	struct fault why;
	if (hustings->web) {
		fault_set(&why, FAULT_EXISTS, "HTTP is served already");
		return library_error(error, &why);
	}
	struct web_face *face = calloc(1, sizeof *face);
	if (!face) {
		fault_set(&why, FAULT_NO_MEMORY, "no memory to serve HTTP");
		return library_error(error, &why);
	}
	face->hustings = hustings;
	if (!open_face(face, options ? options : &standard, &why)) {
		web_face_close(face);
		return library_error(error, &why);
	}
	hustings->web = face;
	return true;
}

const char *hustings_http_url(const struct hustings *hustings) {
	return hustings->web ? hustings->web->url : "";
}
