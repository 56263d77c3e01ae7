/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An MGP server on stdio that does as files say: mgp_fake FOLDER
 *
 * capabilities  the object of its initialize ({"tools":{}} without it)
 * tools         the array of tools/list; "error": it answers with one
 * NAME.call     the answer to tools/call of NAME, "result":{...} or "error":{...}; "silent": none comes; without
 *               it a result that holds the params
 * NAME.stream   notifications, one a line, written before the answer to tools/call of NAME; "$" stands for its id
 * NAME.flood    so many chunks of 1,000 octets behind these
 * cancel        the result of mgp/stream/cancel; "silent": none comes; "die": it ends
 * cancel.before the answer to the last call, written before that; cancel.after: behind it
 * callback.after  the answer to the last call, written behind that to mgp/callback/respond
 * say           notifications, one a line, written before the answer to a call, once
 * events        the result of mgp/events/subscribe; "silent": none comes; without it there is no such method
 * health        the result of mgp/health/ping and of ping; "silent": none comes
 * shutdown      the result of mgp/lifecycle/shutdown; "silent": none comes
 *
 * Every message that it gets is a line of the file `received`. It knows the legacy era alone.
 */
#include "wire/jsonrpc.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *folder;

/* A file without its last LF; false: it is not there. */
static bool read_whole(const char *name, struct text *to) {
	char path[400], octets[4096];
	size_t got;
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "r");
	if (!file) return false;
	text_init(to, 0);
	while ((got = fread(octets, 1, sizeof octets, file)) > 0) text_add(to, slice_make(octets, got));
	fclose(file);
	return true;
}

static void put_line(struct slice line) {
	fwrite(line.bytes, 1, line.length, stdout);
	fputc('\n', stdout);
	fflush(stdout);
}

static void put(struct slice id, const char *member, struct slice body) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_printf(&text, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,%s%.*s}", SLICE_ARGS(id), member, SLICE_ARGS(body));
	if (text_failed(&text)) exit(9);
	put_line(text_slice(&text));
}

static void put_result(struct slice id, struct slice result) { put(id, "\"result\":", result); }

static void say(void) {
	AUTO_TEXT struct text lines = {0};
	char path[400];
	if (!read_whole("say", &lines)) return;
	snprintf(path, sizeof path, "%s/say", folder);
	unlink(path);
	put_line(slice_trim(text_slice(&lines)));
}

static char last_call[64]; /* its id */

/* With the id of the last call in place of each "$". */
static void put_about_call(struct slice words) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	for (size_t i = 0; i < words.length; i++)
		if (words.bytes[i] == '$') text_add_cstr(&text, last_call);
		else text_add_char(&text, words.bytes[i]);
	if (text_failed(&text)) exit(9);
	put_line(text_slice(&text));
}

static void stream(struct slice name) {
	AUTO_TEXT struct text lines = {0}, count = {0};
	char file[200], chunk[1200], filling[900];
	uint64_t chunks = 0;
	snprintf(file, sizeof file, "%.*s.stream", SLICE_ARGS(name));
	if (read_whole(file, &lines)) put_about_call(slice_trim(text_slice(&lines)));
	snprintf(file, sizeof file, "%.*s.flood", SLICE_ARGS(name));
	if (!read_whole(file, &count) || !slice_number(slice_trim(text_slice(&count)), 1000000, &chunks)) return;
	memset(filling, 'x', sizeof filling);
	for (uint64_t i = 0; i < chunks; i++) {
		snprintf(chunk, sizeof chunk,
			"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/mgp.stream.chunk\",\"params\":{\"request_id\":%s,"
			"\"index\":%llu,\"content\":{\"type\":\"text\",\"text\":\"%.900s\"},\"done\":false}}",
			last_call, (unsigned long long)i, filling);
		put_line(slice_of(chunk));
	}
}

static void answer_call(const char *file) {
	AUTO_TEXT struct text answer = {0};
	if (read_whole(file, &answer)) put(slice_of(last_call), "", slice_trim(text_slice(&answer)));
}

static void cancelled(struct slice id) {
	AUTO_TEXT struct text result = {0};
	answer_call("cancel.before");
	if (!read_whole("cancel", &result)) put(id, "", SLICE("\"error\":{\"code\":-32601,\"message\":\"no such method\"}"));
	else if (slice_is(slice_trim(text_slice(&result)), "die")) exit(5);
	else if (!slice_is(slice_trim(text_slice(&result)), "silent")) put_result(id, slice_trim(text_slice(&result)));
	answer_call("cancel.after");
}

static void initialized(struct slice id) {
	AUTO_TEXT struct text capabilities = {0}, result = {0};
	if (!read_whole("capabilities", &capabilities)) text_add_cstr(&capabilities, "{\"tools\":{\"listChanged\":true}}");
	text_init(&result, 0);
	text_printf(&result, "{\"protocolVersion\":\"2025-06-18\",\"serverInfo\":{\"name\":\"fake\",\"version\":\"1\"},\"capabilities\":%.*s}",
		SLICE_ARGS(text_slice(&capabilities)));
	put_result(id, text_slice(&result));
}

static void listed(struct slice id) {
	AUTO_TEXT struct text tools = {0}, result = {0};
	if (!read_whole("tools", &tools)) text_add_cstr(&tools, "[]");
	if (slice_is(text_slice(&tools), "error")) {
		put(id, "", SLICE("\"error\":{\"code\":-32000,\"message\":\"no list today\"}"));
		return;
	}
	text_init(&result, 0);
	text_printf(&result, "{\"tools\":%.*s}", SLICE_ARGS(text_slice(&tools)));
	put_result(id, text_slice(&result));
}

static void called(const struct jsonrpc *message, struct arena *arena) {
	AUTO_TEXT struct text answer = {0}, result = {0};
	struct scan_value name;
	struct slice words = SLICE_NONE;
	char file[200];
	if (scan_find(&message->params, "name", &name) && !scan_string(&name, arena, &words)) exit(8);
	snprintf(file, sizeof file, "%.*s.call", SLICE_ARGS(words));
	snprintf(last_call, sizeof last_call, "%.*s", SLICE_ARGS(message->id.text));
	say();
	stream(words);
	if (read_whole(file, &answer)) {
		struct slice body = slice_trim(text_slice(&answer));
		if (!slice_is(body, "silent")) put(message->id.text, "", body);
		return;
	}
	text_init(&result, 0);
	text_add_cstr(&result, "{\"content\":[{\"type\":\"text\",\"text\":");
	text_json(&result, message->params.text);
	text_add_cstr(&result, "}]}");
	put_result(message->id.text, text_slice(&result));
}

static void told_by(const char *file, struct slice id, const char *otherwise) {
	AUTO_TEXT struct text answer = {0};
	if (!read_whole(file, &answer)) text_add_cstr(&answer, otherwise);
	struct slice body = slice_trim(text_slice(&answer));
	if (!slice_is(body, "silent")) put_result(id, body);
}

static bool is_there(const char *file) {
	char path[400];
	snprintf(path, sizeof path, "%s/%s", folder, file);
	return access(path, F_OK) == 0;
}

static void requested(const struct jsonrpc *message, struct arena *arena) {
	if (slice_is(message->method, "initialize")) initialized(message->id.text);
	else if (slice_is(message->method, "tools/list")) listed(message->id.text);
	else if (slice_is(message->method, "tools/call")) called(message, arena);
	else if (slice_is(message->method, "mgp/stream/cancel")) cancelled(message->id.text);
	else if (slice_is(message->method, "mgp/health/ping") || slice_is(message->method, "ping"))
		told_by("health", message->id.text, "{\"status\":\"healthy\"}");
	else if (slice_is(message->method, "mgp/lifecycle/shutdown"))
		told_by("shutdown", message->id.text, "{\"accepted\":true,\"estimated_drain_ms\":0}");
	else if (slice_is(message->method, "mgp/events/subscribe") && is_there("events"))
		told_by("events", message->id.text, "{}");
	else if (slice_is(message->method, "mgp/events/unsubscribe"))
		put_result(message->id.text, SLICE("{}"));
	else if (slice_is(message->method, "mgp/callback/respond")) {
		put_result(message->id.text, SLICE("{\"accepted\":true}"));
		answer_call("callback.after");
	} else if (slice_starts_with(message->method, "mgp/permission/"))
		put_result(message->id.text, SLICE("{}"));
	else
		put(message->id.text, "", SLICE("\"error\":{\"code\":-32601,\"message\":\"no such method\"}"));
}

static void remember(struct slice line) {
	char path[400];
	snprintf(path, sizeof path, "%s/received", folder);
	FILE *file = fopen(path, "a");
	if (!file) exit(6);
	fprintf(file, "%.*s\n", SLICE_ARGS(line));
	fclose(file);
}

static void hear(struct slice line) {
	char lent[4096];
	struct arena arena;
	struct jsonrpc message;
	int64_t code;
	remember(line);
	arena_init(&arena, lent, sizeof lent, 0);
	if (!jsonrpc_read(&message, line, &arena, &code, NULL)) exit(7);
	if (message.kind == JSONRPC_REQUEST) requested(&message, &arena);
	arena_finish(&arena);
}

int main(int argc, char **argv) {
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	if (argc != 2) return 2;
	folder = argv[1];
	while ((length = getline(&line, &room, stdin)) > 0) {
		if (line[length - 1] == '\n') length--;
		hear(slice_make(line, (size_t)length));
	}
	free(line);
	return 0;
}
