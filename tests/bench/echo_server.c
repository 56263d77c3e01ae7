/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Echo server: an MCP server on stdio (legacy era) that costs next to nothing, for the benchmarks of
 * tools/call. Answers to what came in one read leave in one write.
 *
 * Tools: echo {"text":T} says T; large {"octets":N} says so many letters; slow {"ms":N} says "slow"
 * after that time, and others are answered meanwhile.
 */
#include "base/clock.h"
#include "wire/jsonrpc.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BUFFER (64 * 1024)
#define SLOW 4096 /* slow calls at a time */
#define LARGEST (64 * 1024 * 1024)

struct slow {
	uint64_t due_ms;
	char *id;
};

struct server {
	struct text input; /* a line that is not whole yet */
	struct text output;
	struct slow slow[SLOW];
	unsigned slow_count;
};

static const char tools[] =
	"{\"tools\":[{\"name\":\"echo\",\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false},"
	"\"inputSchema\":{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\",\"maxLength\":4096}},"
	"\"required\":[\"text\"],\"additionalProperties\":false}},"
	"{\"name\":\"large\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"octets\":{\"type\":\"integer\"}}}},"
	"{\"name\":\"slow\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"ms\":{\"type\":\"integer\"}}}}]}";

/* ---- Words out ---- */

static void answer(struct server *server, struct slice id, struct slice result) {
	jsonrpc_write_result(&server->output, id, result);
	text_add_char(&server->output, '\n');
}

static void refuse(struct server *server, struct slice id, int64_t code, const char *words) {
	jsonrpc_write_error(&server->output, id, code, slice_of(words), SLICE_NONE);
	text_add_char(&server->output, '\n');
}

/* `words` is a JSON string. */
static void say(struct server *server, struct slice id, struct slice words) {
	struct text *to = &server->output;
	text_add_cstr(to, "{\"jsonrpc\":\"2.0\",\"id\":");
	text_add(to, id);
	text_add_cstr(to, ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":");
	text_add(to, words);
	text_add_cstr(to, "}]}}\n");
}

static void flush_output(struct server *server) {
	if (text_failed(&server->output)) exit(1);
	for (size_t at = 0; at < server->output.length;) {
		ssize_t went = write(STDOUT_FILENO, server->output.bytes + at, server->output.length - at);
		if (went < 0 && errno != EINTR) exit(1);
		if (went > 0) at += (size_t)went;
	}
	if (server->output.capacity > BUFFER) text_finish(&server->output);
	else text_clear(&server->output);
}

/* ---- Tools ---- */

static uint64_t number_of(const struct scan_value *arguments, const char *name, uint64_t limit) {
	struct scan_value value;
	int64_t number;
	if (!scan_find(arguments, name, &value) || !scan_integer(&value, &number) || number < 0) return 0;
	return (uint64_t)number < limit ? (uint64_t)number : limit;
}

static void large(struct server *server, struct slice id, uint64_t octets) {
	AUTO_TEXT struct text words = {0};
	text_init(&words, 0);
	text_add_char(&words, '"');
	for (uint64_t i = 0; i < octets; i++) text_add_char(&words, (char)('a' + i % 26));
	text_add_char(&words, '"');
	if (text_failed(&words)) exit(1);
	say(server, id, text_slice(&words));
}

static void slow(struct server *server, struct slice id, uint64_t wait_ms) {
	char *kept = server->slow_count < SLOW ? slice_copy(id) : NULL;
	if (!kept) refuse(server, id, JSONRPC_INTERNAL_ERROR, "too many slow calls");
	else server->slow[server->slow_count++] = (struct slow){clock_monotonic_ms() + wait_ms, kept};
}

static void call(struct server *server, const struct jsonrpc *request) {
	struct scan_value name, arguments, text;
	struct slice id = request->id.text;
	if (!scan_find(&request->params, "name", &name)) name.text = SLICE("");
	if (!scan_find(&request->params, "arguments", &arguments)) arguments.type = SCAN_NONE;
	if (slice_is(name.text, "\"echo\""))
		say(server, id,
			scan_find(&arguments, "text", &text) && text.type == SCAN_STRING ? text.text : SLICE("\"\""));
	else if (slice_is(name.text, "\"large\""))
		large(server, id, number_of(&arguments, "octets", LARGEST));
	else if (slice_is(name.text, "\"slow\""))
		slow(server, id, number_of(&arguments, "ms", 60000));
	else
		refuse(server, id, JSONRPC_INVALID_PARAMS, "there is no such tool");
}

static void initialize(struct server *server, const struct jsonrpc *request) {
	AUTO_TEXT struct text result = {0};
	struct scan_value version;
	text_init(&result, 0);
	if (!scan_find(&request->params, "protocolVersion", &version)) version.text = SLICE("\"2025-06-18\"");
	text_printf(&result, "{\"protocolVersion\":%.*s,\"capabilities\":{\"tools\":{}},"
			     "\"serverInfo\":{\"name\":\"echo\",\"version\":\"1\"}}",
		SLICE_ARGS(version.text));
	answer(server, request->id.text, text_slice(&result));
}

/* ---- The loop ---- */

static void hear(struct server *server, struct slice line) {
	char lent[1024];
	struct arena arena;
	struct jsonrpc request;
	int64_t code;
	arena_init(&arena, lent, sizeof lent, 0);
	if (!jsonrpc_read(&request, line, &arena, &code, NULL)) exit(1);
	if (request.kind == JSONRPC_REQUEST) {
		struct slice method = request.method, id = request.id.text;
		if (slice_is(method, "tools/call")) call(server, &request);
		else if (slice_is(method, "initialize")) initialize(server, &request);
		else if (slice_is(method, "tools/list")) answer(server, id, slice_of(tools));
		else if (slice_is(method, "ping")) answer(server, id, SLICE("{}"));
		else refuse(server, id, JSONRPC_METHOD_NOT_FOUND, "there is no such method");
	}
	arena_finish(&arena);
}

static void hear_all(struct server *server, struct slice bytes) {
	const char *end;
	while (bytes.length && (end = memchr(bytes.bytes, '\n', bytes.length))) {
		struct slice line = slice_make(bytes.bytes, (size_t)(end - bytes.bytes));
		bytes = slice_make(end + 1, bytes.length - line.length - 1);
		if (server->input.length) {
			text_add(&server->input, line);
			line = text_slice(&server->input);
		}
		hear(server, line);
		text_clear(&server->input);
	}
	text_add(&server->input, bytes);
	if (text_failed(&server->input)) exit(1);
}

/* Answers what is due; how long until the next is, -1: there is none. */
static int answer_slow(struct server *server) {
	uint64_t now = clock_monotonic_ms(), next = UINT64_MAX;
	for (unsigned i = 0; i < server->slow_count;) {
		struct slow *one = &server->slow[i];
		if (one->due_ms > now) {
			if (one->due_ms < next) next = one->due_ms;
			i++;
			continue;
		}
		say(server, slice_of(one->id), SLICE("\"slow\""));
		free(one->id);
		*one = server->slow[--server->slow_count];
	}
	return next == UINT64_MAX ? -1 : (int)(next - now);
}

int main(void) {
	static struct server server;
	static char buffer[BUFFER];
	text_init(&server.input, 0);
	text_init(&server.output, 0);
	for (;;) {
		int wait_ms = server.slow_count ? answer_slow(&server) : -1;
		flush_output(&server);
		struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
		if (wait_ms >= 0 && poll(&input, 1, wait_ms) == 0) continue;
		ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
		if (got < 0 && errno == EINTR) continue;
		if (got <= 0) return 0;
		hear_all(&server, slice_make(buffer, (size_t)got));
	}
}
