/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosted HTTP parts: what the files of a conversation over HTTP share; for hosted_http*.c alone.
 *
 * A message leaves as a POST of its own (hosted_http_post.c). Messages come as the answers of these,
 * and, with legacy servers, on streams that a GET asks for (hosted_http_stream.c).
 *
 * Whatever a message leads to may close the conversation, so every callback of a fetch stands
 * between hosted_http_enter() and hosted_http_leave(), and looks at `child` after a message.
 */
#ifndef HUSTINGS_HOSTED_HOSTED_HTTP_PARTS_H
#define HUSTINGS_HOSTED_HOSTED_HTTP_PARTS_H

#include "hosted/hosted_parts.h"
#include "mcp/mcp_header.h"
#include "net/fetch.h"
#include "wire/sse.h"

#define HOSTED_HTTP_HEADERS (64 + MCP_HEADER_PARAMS + 16)
#define HOSTED_HTTP_MOVES 5        /* redirects that one request follows */
#define HOSTED_HTTP_TRIES 10       /* in vain, in a row, for the rest of an answer */
#define HOSTED_HTTP_LIVED_MS 10000 /* HTTP with SSE: a stream of that age may just end */
#define HOSTED_HTTP_NOTICE ((size_t)16 * 1024)
#define HOSTED_HTTP_EVENT_ID 4096 /* octets of an event's id */

struct hosted_http {
	struct hosted_child *child; /* NULL: closed; freed when the last callback has returned */
	unsigned depth;             /* callbacks that have not */
	struct loop *loop;
	char *url;          /* the server's, as far as redirects have led */
	char *endpoint;     /* where messages go; NULL: not known yet (HTTP with SSE) */
	char *session;      /* Mcp-Session-Id; NULL: none */
	bool is_sse;        /* as of 2024-11-05 */
	bool is_trying_sse; /* initialize was refused, perhaps by a server of 2024-11-05 */
	bool is_introduced; /* initialize was answered */
	bool had_stream;    /* a GET was answered with events */
	struct link posts;
	struct link waiting;      /* posts without an endpoint */
	struct link streams;      /* struct hosted_stream */
	struct fetch *farewell;   /* DELETE of the session */
	struct deadline deadline; /* until the end is told */
	struct fault why;         /* of the end */
};

void hosted_http_enter(struct hosted_http *http);
void hosted_http_leave(struct hosted_http *http); /* the memory may be gone after the last */
/* A message of the server. False: it has closed the conversation. */
bool hosted_http_heard(struct hosted_http *http, struct slice message);
/* The request of that id (JSON text) gets an error, unless it was answered before. */
enum hosted_http_failure {
	HOSTED_HTTP_ANSWERED,  /* with what is no answer of MCP's */
	HOSTED_HTTP_UNREACHED, /* or lost on the way */
};
void hosted_http_failed(struct hosted_http *http, const char *id, enum hosted_http_failure failure,
	const char *words);
bool hosted_http_waits_for(const struct hosted_http *http, const char *id);
/* The conversation is over; told at the end of this pass. */
void hosted_http_over(struct hosted_http *http, const struct fault *why);
/* The server does not know the session any more, as after a restart: no failure, the next
 * conversation begins anew. */
void hosted_http_forgotten(struct hosted_http *http, struct fault *why);
bool hosted_http_is_events(const struct fetch *fetch);
/* Where a redirect leads, when it may be followed; then the conversation goes on there. False: it is
 * none, or `why` says why not. */
bool hosted_http_moves(struct hosted_http *http, const struct fetch *fetch, unsigned status,
	struct fault *why);

/* hosted_http_headers.c: header lines for a request: the configured ones, the session, the version,
 * and `more` (NULL ended); they lie in the arena. NULL: no memory, or too many. */
const char *const *hosted_http_headers(const struct hosted_http *http, struct arena *arena,
	const char *const *more) MUST_USE;
/* For a modern server: what the body says, in the head (MCP 2026-07-28 transports). `lines` is NULL
 * ended and has HOSTED_HTTP_HEADERS places. */
bool hosted_http_add_routing(const struct hosted_http *http, const struct jsonrpc *message,
	struct arena *arena, const char **lines, struct fault *why) MUST_USE;

bool hosted_post_send(struct hosted_http *http, struct slice message, char *sent,
	struct fault *why) MUST_USE;
/* Octets of what was sent and is owed no answer; each counts HOSTED_HTTP_NOTICE more, for it keeps a request busy. */
size_t hosted_posts_behind(const struct hosted_http *http);
/* Nothing is read of the answers to requests, and of the streams on which such come. */
void hosted_posts_pause(struct hosted_http *http, bool is_paused);
void hosted_streams_pause(struct hosted_http *http, bool is_paused);
void hosted_posts_leave(struct hosted_http *http);  /* those that waited for the endpoint */
void hosted_posts_unwait(struct hosted_http *http); /* none waits for a list any more */
void hosted_posts_close(struct hosted_http *http);
/* The GET of HTTP with SSE brought no endpoint: what waited for it is as refused as before. */
void hosted_posts_refused(struct hosted_http *http);

bool hosted_stream_open(struct hosted_http *http, struct fault *why) MUST_USE;
/* The rest of the answer to that request, behind that event. */
bool hosted_stream_resume(struct hosted_http *http, const char *id, struct slice last,
	int64_t retry_ms, struct fault *why) MUST_USE;
void hosted_stream_forget(struct hosted_http *http, struct slice id); /* nobody wants it any more */
void hosted_streams_close(struct hosted_http *http);

#endif
