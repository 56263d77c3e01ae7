/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An MCP server on stdio for tests: legacy, modern or both, and of bad manners where that is wanted.
 *
 * mcp_server [--era legacy|modern|dual] [--dies-of-strangers] [--silent] [--pages N] [--exit N] [--http]
 *
 * It keeps to the era of its first request. Of a request before initialize a legacy one dies
 * (--dies-of-strangers), says nothing (--silent), or answers with an error. --exit N: it ends at
 * once with that status. --http: Streamable HTTP on a free port of 127.0.0.1, which is its first line;
 * one session at a time, which `forget` ends; answers are events, but for one alone. Tools: echo, pid, count, ask, sample, roots, steps, log, die, leave, hold,
 * release, grow, touch, seen, forget; lapse (asks, and waits for `release` instead of the answer),
 * doubt (the same, and takes the question back), babble (5,000 lines that are no JSON), pester
 * (modern: asks a hundred things at once), botch (an answer with a result and an error), curse (an
 * error that quotes its arguments), rattle (5,000 times progress); these seven are not listed.
 */
#include "wire/jsonrpc.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#define META "io.modelcontextprotocol/"
#define ASKED 64

enum era {
	UNDECIDED,
	LEGACY,
	MODERN
};

struct server {
	bool speaks_legacy, speaks_modern, dies_of_strangers, is_silent, has_grown;
	enum era era;
	unsigned pages, count;
	char *held[ASKED]; /* ids of calls that wait for `release` */
	unsigned held_count;
	char *asked[ASKED]; /* call ids; the index is the id of our question */
	unsigned asked_count;
	char *uri; /* subscribed to */
	bool is_http;
	unsigned session;       /* 0: none */
	FILE *asked_out[ASKED]; /* where the answer of such a call goes */
	struct text initialize; /* params as they came */
};

/* ---- Words out ---- */

static FILE *out;        /* stdout, or the answer to a POST */
static unsigned written; /* messages to it */

static void put(const struct text *text) {
	if (text_failed(text)) exit(9);
	if (out != stdout && !written++)
		fputs("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/event-stream\r\n\r\n", out);
	if (out != stdout) fputs("data: ", out);
	fwrite(text->bytes, 1, text->length, out);
	fputs(out == stdout ? "\n" : "\n\n", out);
	fflush(out);
}

static void put_result(struct slice id, struct slice result) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	jsonrpc_write_result(&text, id, result);
	put(&text);
}

static void put_error(struct slice id, int64_t code, const char *words) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	jsonrpc_write_error(&text, id, code, slice_of(words), SLICE_NONE);
	put(&text);
}

static void put_notification(const char *method, struct slice params) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	jsonrpc_write_notification(&text, slice_of(method), params);
	put(&text);
}

static void put_words(const struct server *server, struct slice id, struct slice words) {
	AUTO_TEXT struct text result = {0};
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
	AUTO_TEXT struct text text = {0};
	char number[16];
	if (server->asked_count >= ASKED) exit(8);
	snprintf(number, sizeof number, "%u", server->asked_count);
	server->asked_out[server->asked_count] = out;
	server->asked[server->asked_count++] = slice_copy(id);
	text_init(&text, 0);
	jsonrpc_write_request(&text, slice_of(number), slice_of(method), slice_of(params));
	put(&text);
}

static void want_input(struct slice id, const char *method, const char *params) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_printf(&text, "{\"resultType\":\"input_required\",\"requestState\":\"kept\",\"inputRequests\":"
			   "{\"who\":{\"method\":\"%s\",\"params\":%s}}}",
		method, params);
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
	FILE *here = out;
	unsigned written_here = written;
	out = server->asked_out[number];
	written = 1;
	if (id.bytes) put_words(server, id, answer->kind == JSONRPC_RESULT ? answer->result.text : SLICE("refused"));
	if (id.bytes && out != stdout) fclose(out);
	out = here;
	written = written_here;
	free(TAKE(server->asked[number]));
}

/* ---- Tools ---- */

static const char *const tools[] = {"echo", "pid", "count", "ask", "sample", "roots", "steps", "log",
	"die", "leave", "hold", "release", "grow", "touch", "seen", "forget"};

static void steps(const struct server *server, const struct jsonrpc *call) {
	struct scan_value token;
	if (scan_path(&call->params, &token, "_meta", "progressToken", NULL))
		for (int i = 1; i <= 3; i++) {
			AUTO_TEXT struct text params = {0};
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

/* Whatever is answered: the call stays open, until `release`. */
static void lapse(struct server *server, struct slice id) {
	if (server->held_count >= ASKED) exit(8);
	server->held[server->held_count++] = slice_copy(id);
	ask_back(server, SLICE("0"), "elicitation/create", elicitation);
	free(TAKE(server->asked[server->asked_count - 1]));
}

static void doubt(struct server *server, struct slice id) {
	AUTO_TEXT struct text params = {0};
	lapse(server, id);
	text_init(&params, 0);
	text_printf(&params, "{\"requestId\":%u}", server->asked_count - 1);
	put_notification("notifications/cancelled", text_slice(&params));
}

static void babble(const struct server *server, struct slice id) {
	for (int i = 0; i < 5000; i++) fprintf(out, "I am thinking, %d\n", i);
	put_words(server, id, SLICE("babbled"));
}

static void botch(struct slice id) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_printf(&text, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":{},\"error\":{\"code\":1,\"message\":\"\"}}",
		SLICE_ARGS(id));
	put(&text);
}

/* An error that quotes its arguments. */
static void curse(const struct jsonrpc *call) {
	AUTO_TEXT struct text text = {0};
	struct scan_value arguments = {.text = SLICE("")};
	(void)scan_path(&call->params, &arguments, "arguments", NULL);
	text_init(&text, 0);
	jsonrpc_write_error(&text, call->id.text, -32602, arguments.text, SLICE_NONE);
	put(&text);
}

/* Progress five thousand times. */
static void rattle(const struct jsonrpc *call) {
	struct scan_value token;
	if (!scan_path(&call->params, &token, "_meta", "progressToken", NULL)) token.text = SLICE("0");
	for (int i = 1; i <= 5000; i++) {
		AUTO_TEXT struct text params = {0};
		text_init(&params, 0);
		text_printf(&params, "{\"progressToken\":%.*s,\"progress\":%d}", SLICE_ARGS(token.text), i);
		put_notification("notifications/progress", text_slice(&params));
	}
	put_result(call->id.text, SLICE("{\"content\":[]}"));
}

static void pester(struct slice id) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_add_cstr(&text, "{\"resultType\":\"input_required\",\"inputRequests\":{");
	for (int i = 0; i < 100; i++)
		text_printf(&text, "%s\"q%d\":{\"method\":\"elicitation/create\",\"params\":%s}", i ? "," : "", i,
			elicitation);
	text_add_cstr(&text, "}}");
	put_result(id, text_slice(&text));
}

static void grow(struct server *server, struct slice id) {
	server->has_grown = true;
	put_notification("notifications/tools/list_changed", SLICE_NONE);
	put_words(server, id, SLICE("grown"));
}

static void touch(const struct server *server, struct slice id) {
	AUTO_TEXT struct text params = {0};
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
	else if (slice_is(tool, "forget")) {
		put_words(server, id, SLICE("forgotten"));
		server->session = 0;
		server->era = UNDECIDED;
	} else if (slice_is(tool, "touch")) touch(server, id);
	else if (slice_is(tool, "lapse")) lapse(server, id);
	else if (slice_is(tool, "doubt")) doubt(server, id);
	else if (slice_is(tool, "babble")) babble(server, id);
	else if (slice_is(tool, "pester")) pester(id);
	else if (slice_is(tool, "botch")) botch(id);
	else if (slice_is(tool, "seen"))
		put_words(server, id, server->era == LEGACY ? text_slice(&server->initialize) : call->params.text);
	else if (slice_is(tool, "curse")) curse(call);
	else if (slice_is(tool, "rattle")) rattle(call);
	else
		put_error(id, -32602, "no such tool");
}

/* ---- Lists ---- */

/* Each page has one tool, but for the last, which has the rest. */
static void list_tools(const struct server *server, const struct jsonrpc *request) {
	AUTO_TEXT struct text result = {0};
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
	AUTO_TEXT struct text result = {0};
	struct scan_value version;
	server->era = LEGACY;
	text_init(&server->initialize, 0);
	text_add(&server->initialize, request->params.text);
	text_init(&result, 0);
	if (!scan_find(&request->params, "protocolVersion", &version)) exit(5);
	text_printf(&result, "{\"protocolVersion\":%.*s,\"capabilities\":" CAPABILITIES ",\"serverInfo\":{\"name\":\"test \\u0041\",\"version\":\"1\"},\"instructions\":\"Be kind.\"}",
		SLICE_ARGS(version.text));
	put_result(request->id.text, text_slice(&result));
}

static void discover(struct server *server, const struct jsonrpc *request) {
	server->era = MODERN;
	put_result(request->id.text, SLICE("{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\"],"
					   "\"capabilities\":" CAPABILITIES ",\"ttlMs\":1000,\"cacheScope\":\"public\",\"_meta\":{\"" META "serverInfo\":{\"name\":\"test A\",\"version\":\"1\"}}}"));
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
	else if (!slice_is(request->method, "resources/read")) /* which is never answered */
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
		else if (!strcmp(argv[i], "--http")) server->is_http = true;
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

/* ---- HTTP, as little as a client of ours needs: one request a connection, in turn ---- */

struct request {
	char method[8];
	unsigned session;
	bool has_session, has_version, has_token;
	size_t length;
	char *body;
};

static bool read_request(FILE *in, struct request *request) {
	char line[4096];
	if (!fgets(line, sizeof line, in) || sscanf(line, "%7s", request->method) != 1) return false;
	while (fgets(line, sizeof line, in) && line[0] != '\r') {
		if (!strncasecmp(line, "Content-Length:", 15)) request->length = strtoul(line + 15, NULL, 10);
		if (!strncasecmp(line, "Mcp-Session-Id:", 15)) {
			request->session = (unsigned)strtoul(line + 15, NULL, 10);
			request->has_session = true;
		}
		if (!strncasecmp(line, "MCP-Protocol-Version:", 21)) request->has_version = true;
		if (!strcasecmp(line, "Authorization: Bearer secret\r\n")) request->has_token = true;
	}
	request->body = malloc(request->length + 1);
	return request->body && fread(request->body, 1, request->length, in) == request->length;
}

static void put_status(const char *status, unsigned session, const char *body) {
	fprintf(out, "HTTP/1.1 %s\r\nConnection: close\r\nContent-Type: application/json\r\n", status);
	if (session) fprintf(out, "Mcp-Session-Id: %u\r\n", session);
	fprintf(out, "Content-Length: %zu\r\n\r\n%s", strlen(body), body);
}

static void begin_session(struct server *server, struct slice message) {
	static unsigned sessions;
	char *answer = NULL;
	size_t size = 0;
	FILE *connection = out;
	server->session = ++sessions;
	server->era = UNDECIDED;
	out = open_memstream(&answer, &size);
	if (!out) exit(5);
	written = 1; /* no head there */
	hear(server, message);
	fclose(out);
	out = connection;
	put_status("200 OK", server->session, answer + strlen("data: "));
	free(answer);
}

static void serve_request(struct server *server, const struct request *request) {
	struct slice message = slice_make(request->body, request->length);
	unsigned asked = server->asked_count;
	bool is_initialize = memmem(message.bytes, message.length, "\"initialize\"", 12) != NULL;
	written = 0;
	if (!request->has_token) put_status("401 Unauthorized", 0, "");
	else if (!strcmp(request->method, "DELETE")) put_status("204 No Content", 0, "");
	else if (strcmp(request->method, "POST") != 0) put_status("405 Method Not Allowed", 0, "");
	else if (is_initialize && server->speaks_legacy) begin_session(server, message);
	else if (request->has_session && request->session != server->session) put_status("404 Not Found", 0, "");
	else if (!is_initialize && !request->has_version) put_status("400 Bad Request", 0, "");
	else {
		hear(server, message);
		if (!written) put_status("202 Accepted", 0, "");
	}
	if (server->asked_count == asked) fclose(out);
}

static void serve_http(struct server *server) {
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof address;
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (listener < 0 || bind(listener, (struct sockaddr *)&address, size) || listen(listener, 64) ||
		getsockname(listener, (struct sockaddr *)&address, &size))
		exit(5);
	printf("%u\n", ntohs(address.sin_port));
	fflush(stdout);
	for (int descriptor; (descriptor = accept(listener, NULL, NULL)) >= 0;) {
		struct request request = {.length = 0};
		FILE *in = fdopen(dup(descriptor), "r");
		out = fdopen(descriptor, "w");
		if (!in || !out) exit(5);
		if (read_request(in, &request)) serve_request(server, &request);
		else fclose(out);
		fclose(in);
		free(request.body);
	}
}

int main(int argc, char **argv) {
	struct server server = {.pages = 1};
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	out = stdout;
	read_options(&server, argc, argv);
	if (server.is_http) serve_http(&server);
	while ((length = getline(&line, &room, stdin)) > 0) {
		if (line[length - 1] == '\n') length--;
		hear(&server, slice_make(line, (size_t)length));
	}
	free(line);
	return 0;
}
