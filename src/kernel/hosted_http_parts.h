/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosted HTTP parts: what the files of a conversation over HTTP share; for hosted_http*.c alone.
 *
 * A message leaves as a POST of its own (hosted_http_post.c). Messages come as the answers of these,
 * and, with legacy servers, on one stream that stays open (hosted_http_stream.c).
 */
#ifndef HUSTINGS_KERNEL_HOSTED_HTTP_PARTS_H
#define HUSTINGS_KERNEL_HOSTED_HTTP_PARTS_H

#include "kernel/hosted_parts.h"
#include "net/fetch.h"
#include "wire/sse.h"

#define HOSTED_HTTP_HEADERS 64

struct hosted_http {
	struct hosted_child *child;
	char *session;      /* Mcp-Session-Id; NULL: none */
	char *endpoint;     /* where messages go; NULL: not known yet (HTTP with SSE) */
	bool is_introduced; /* initialize was answered */
	struct link posts;
	struct link waiting; /* posts without an endpoint */
	struct fetch *stream;
	struct sse stream_events;
	bool is_streaming;        /* its answer is a stream of events */
	struct fetch *farewell;   /* DELETE of the session */
	struct deadline deadline; /* until the stream is asked for again, or the end is told */
	struct fault why;         /* of the end */
};

struct hosted_post {
	struct link link;
	struct hosted_http *http;
	struct fetch *fetch;
	struct text message;
	char *id; /* of a request, JSON text; NULL: a notification or an answer */
	bool is_initialize, is_initialized;
	bool is_cancelled; /* nobody wants its answer; freed by the task */
	struct task task;
	bool is_stream; /* its answer is a stream of events */
	struct sse events;
	struct text body;
	struct fault why; /* of an answer that cannot be read */
};

/* Header lines for a request: the configured ones, the session, the version, and `more` (NULL
 * ended); they lie in the arena. NULL: no memory, or too many. */
const char *const *hosted_http_headers(const struct hosted_http *http, struct arena *arena,
	const char *const *more) MUST_USE;
bool hosted_http_is_events(const struct fetch *fetch);
/* The conversation is over; told at the end of this pass. */
void hosted_http_over(struct hosted_http *http, const struct fault *why);

bool hosted_post_send(struct hosted_http *http, struct slice message, char *sent,
	struct fault *why) MUST_USE;
void hosted_posts_leave(struct hosted_http *http); /* those that waited for the endpoint */
void hosted_posts_close(struct hosted_http *http);

bool hosted_stream_open(struct hosted_http *http, struct fault *why) MUST_USE;
void hosted_stream_close(struct hosted_http *http);

#endif
