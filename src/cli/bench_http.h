/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bench http: JSON-RPC messages posted over keep-alive connections of one thread, one at a time on
 * each, as little work as a client can do. An answer may be one JSON text or server-sent events; of
 * a server of 2024-11-05 it comes on one event stream beside the posts.
 *
 * Anything but 200 and 202 ends the run with a fault that says it. Owned: bench_http_close().
 */
#ifndef HUSTINGS_CLI_BENCH_HTTP_H
#define HUSTINGS_CLI_BENCH_HTTP_H

#include "base/text.h"
#include "cli/bench_target.h"
#include "wire/sse.h"

struct bench_http_line;

#define BENCH_STREAM UINT32_MAX

/* `message`: the JSON-RPC answer; empty: the post was taken, and that was all. `line`: whose answer
 * it is; BENCH_STREAM: it came on the event stream. `now_us`: when its end was read. */
typedef void bench_http_answered(void *context, unsigned line, struct slice message, uint64_t now_us);

struct bench_http {
	struct bench_target target;
	struct bench_http_line *lines;
	size_t count;
	int epoll;
	char authority[300];
	const char *token;   /* NULL: none */
	struct sse events;   /* of the event stream */
	bool has_stream;     /* the last of the lines is one */
	bool is_told;        /* where to post */
	struct text session; /* Mcp-Session-Id, once an answer brought one */
	struct text request; /* the one at hand */
	char *buffer;
	bench_http_answered *answered;
	void *context;
	bool failed;
	struct fault why;
};

/* Connects so many lines. */
bool bench_http_open(struct bench_http *http, const char *url, const char *token, size_t lines,
	struct fault *why) MUST_USE;
void bench_http_close(struct bench_http *http);
/* MCP 2024-11-05: opens the event stream and waits to be told where to post. */
bool bench_http_listen(struct bench_http *http, struct fault *why) MUST_USE;
/* `headers`: further lines, each with its CRLF. The line must not wait for an answer. */
void bench_http_post(struct bench_http *http, unsigned line, struct slice headers, struct slice body);
/* One round of waiting and reading. False: it failed; http->why. */
bool bench_http_step(struct bench_http *http, int wait_ms) MUST_USE;
bool bench_http_fail(struct bench_http *http, enum fault_code code, const char *format, ...)
	PRINTF_LIKE(3, 4);

#endif
