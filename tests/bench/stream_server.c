/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stream server: an MGP server on stdio (MGP 12, legacy era) that streams as fast as it is read, for the
 * benchmark of streams and for tests of readers that stall.
 *
 * Its tool stream {"chunks":N,"octets":M} says N chunks of M letters, if a stream was asked for, and then all
 * of them as the answer ("brief": true: the number of chunks instead). Several calls take turns, a chunk each.
 * It knows mgp/stream/cancel and notifications/cancelled.
 */
#include "base/list.h"
#include "wire/jsonrpc.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BUFFER (64 * 1024)
#define LARGEST (1024 * 1024)
#define MOST 10000000

struct job {
	struct link link;
	char *id;
	uint64_t chunks, octets, said;
	bool is_asked; /* for the chunks */
	bool is_brief;
};

static struct link jobs;
static char letters[LARGEST];

static const char tools[] =
	"{\"tools\":[{\"name\":\"stream\",\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false},"
	"\"inputSchema\":{\"type\":\"object\",\"properties\":{\"chunks\":{\"type\":\"integer\"},"
	"\"octets\":{\"type\":\"integer\"},\"brief\":{\"type\":\"boolean\"}}}}]}";

static void put(const char *id, const char *result) {
	printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n", id, result);
}

/* ---- Jobs ---- */

static void job_free(struct job *job) {
	list_remove(&job->link);
	free(job->id);
	free(job);
}

static void job_end(struct job *job) {
	printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"", job->id);
	if (job->is_brief) printf("%llu", (unsigned long long)job->said);
	for (uint64_t i = 0; !job->is_brief && i < job->said; i++) fwrite(letters, 1, job->octets, stdout);
	printf("\"}],\"_mgp\":{\"streamed\":%s,\"chunks_sent\":%llu,\"duration_ms\":0}}}\n", job->is_asked ? "true" : "false",
		(unsigned long long)(job->is_asked ? job->said : 0));
	job_free(job);
}

static void job_go_on(struct job *job) {
	if (job->said == job->chunks) {
		job_end(job);
		return;
	}
	if (job->is_asked)
		printf("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/mgp.stream.chunk\",\"params\":{\"request_id\":%s,\"index\":%llu,"
		       "\"content\":{\"type\":\"text\",\"text\":\"%.*s\"},\"done\":false}}\n",
			job->id, (unsigned long long)job->said, (int)job->octets, letters);
	job->said++;
}

static struct job *find(struct slice id) {
	LIST_EACH(link, &jobs) {
		struct job *job = CONTAINER_OF(link, struct job, link);
		if (slice_is(id, job->id)) return job;
	}
	return NULL;
}

/* ---- What it is asked ---- */

static uint64_t number_of(const struct scan_value *object, const char *key, uint64_t otherwise, uint64_t most) {
	struct scan_value value;
	int64_t number;
	if (!scan_find(object, key, &value) || !scan_integer(&value, &number) || number < 0) return otherwise;
	return (uint64_t)number < most ? (uint64_t)number : most;
}

static bool flag_of(const struct scan_value *object, const char *outer, const char *inner) {
	struct scan_value value;
	bool flag = false;
	return scan_path(object, &value, outer, inner, NULL) && scan_boolean(&value, &flag) && flag;
}

static void called(const struct jsonrpc *message) {
	struct scan_value arguments = {.type = SCAN_NONE};
	struct job *job = calloc(1, sizeof *job);
	if (!job || !(job->id = slice_copy(message->id.text))) exit(9);
	(void)scan_find(&message->params, "arguments", &arguments);
	job->chunks = number_of(&arguments, "chunks", 1000, MOST);
	job->octets = number_of(&arguments, "octets", 20, LARGEST);
	job->is_brief = flag_of(&message->params, "arguments", "brief");
	job->is_asked = flag_of(&message->params, "_mgp", "stream");
	list_append(&jobs, &job->link);
}

static void cancelled(const struct jsonrpc *message, const char *key, bool has_answer) {
	struct scan_value id;
	struct job *job = scan_find(&message->params, key, &id) ? find(id.text) : NULL;
	AUTO_TEXT struct text own = {0};
	text_init(&own, 0);
	text_add(&own, message->id.text);
	if (has_answer) put(own.bytes, job ? "{\"cancelled\":true,\"partial_result\":{\"content\":[{\"type\":\"text\",\"text\":\"partly\"}]}}" : "{\"cancelled\":false}");
	if (job) job_free(job);
}

static void hear(struct slice line) {
	char lent[4096], id[64];
	struct arena arena;
	struct jsonrpc message;
	int64_t code;
	arena_init(&arena, lent, sizeof lent, 0);
	if (!jsonrpc_read(&message, line, &arena, &code, NULL)) exit(7);
	snprintf(id, sizeof id, "%.*s", SLICE_ARGS(message.id.text));
	if (message.kind == JSONRPC_NOTIFICATION) {
		if (slice_is(message.method, "notifications/cancelled")) cancelled(&message, "requestId", false);
	} else if (message.kind != JSONRPC_REQUEST) return;
	else if (slice_is(message.method, "initialize"))
		put(id, "{\"protocolVersion\":\"2025-06-18\",\"serverInfo\":{\"name\":\"streams\",\"version\":\"1\"},"
			"\"capabilities\":{\"tools\":{},\"mgp\":{\"version\":\"0.2.0\",\"extensions\":[\"streaming\"]}}}");
	else if (slice_is(message.method, "tools/list")) put(id, tools);
	else if (slice_is(message.method, "tools/call")) called(&message);
	else if (slice_is(message.method, "mgp/stream/cancel")) cancelled(&message, "request_id", true);
	else if (slice_is(message.method, "ping")) put(id, "{}");
	else printf("{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32601,\"message\":\"no such method\"}}\n", id);
	arena_finish(&arena);
}

/* Whole lines of what has come; the rest stays. */
static void read_lines(struct text *input) {
	static char buffer[BUFFER];
	ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
	if (got == 0) exit(0);
	if (got < 0 && errno != EINTR) exit(6);
	if (got < 0) return;
	text_add(input, slice_make(buffer, (size_t)got));
	struct slice rest = text_slice(input);
	for (const char *end; rest.length && (end = memchr(rest.bytes, '\n', rest.length));) {
		size_t length = (size_t)(end - rest.bytes);
		hear(slice_make(rest.bytes, length));
		rest = slice_make(rest.bytes + length + 1, rest.length - length - 1);
	}
	memmove(input->bytes, rest.bytes, rest.length);
	input->length = rest.length;
}

int main(void) {
	static char out[BUFFER];
	AUTO_TEXT struct text input = {0};
	struct pollfd standard = {.fd = STDIN_FILENO, .events = POLLIN};
	text_init(&input, 0);
	list_init(&jobs);
	memset(letters, 'x', sizeof letters);
	setvbuf(stdout, out, _IOFBF, sizeof out);
	for (;;) {
		if (list_is_empty(&jobs)) fflush(stdout);
		if (poll(&standard, 1, list_is_empty(&jobs) ? -1 : 0) > 0) read_lines(&input);
		LIST_EACH_SAFE(link, &jobs) job_go_on(CONTAINER_OF(link, struct job, link));
	}
}
