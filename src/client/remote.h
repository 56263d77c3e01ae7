/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Remote: an MCP server behind a URL (MCP transports, Streamable HTTP). Each message leaves as a POST
 * of its own (client/remote_post.h), whose answer is JSON or a stream of events; a legacy server may
 * also speak on a stream that we ask for (client/remote_stream.h), and goes on there with an answer
 * whose own stream broke off.
 *
 * This file is what both rest upon: where, as whom, and the end of it all. The desk is borrowed
 * until the memory has gone.
 */
#ifndef HUSTINGS_CLIENT_REMOTE_H
#define HUSTINGS_CLIENT_REMOTE_H

#include "client/carrier.h"
#include "base/arena.h"
#include "base/list.h"
#include "net/fetch.h"

#define REMOTE_HEADERS 160
#define REMOTE_SCRATCH 4096

struct remote_options {
	const char *url;
	const char *const *headers; /* "Name: value", NULL ended; may be NULL */
	const char *token;          /* NULL: none */
	const char *ca;             /* NULL: the system's */
	unsigned *alive;            /* counted up, and down when its memory has gone */
};

struct remote {
	struct carrier carrier;
	struct loop *loop;
	struct fetch_desk *desk;
	const struct carrier_events *events;
	void *context;
	struct arena words; /* the next three */
	const char *url, *ca;
	const char **headers; /* NULL ended */
	char *session;        /* Mcp-Session-Id; NULL: none */
	const char *version;  /* of the handshake; NULL: it is not over */
	bool is_modern, is_closed;
	bool opens; /* `opened` is to be told */
	struct link posts;
	struct link streams;
	struct fetch *farewell; /* DELETE of the session */
	unsigned *alive;
	struct task closing;
};

struct remote *remote_make(struct loop *loop, struct fetch_desk *desk,
	const struct remote_options *options, const struct carrier_events *events, void *context,
	struct fault *why) MUST_USE;
void remote_free(struct remote *remote); /* its posts and streams are gone */
/* Header lines: the given ones, token, session, version, and `more` (NULL ended); in the arena. NULL:
 * no memory, or too many. */
const char *const *remote_headers(const struct remote *remote, struct arena *arena,
	const char *const *more) MUST_USE;
bool remote_is_events(const struct fetch *fetch); /* its answer is a stream of events */
void remote_heard(const struct remote *remote, struct slice message);
void remote_opened(struct remote *remote); /* once for each handshake */
void remote_failed(const struct remote *remote, const char *id, const struct fault *why);
/* What an HTTP status that holds no answer means. */
void remote_status_fault(struct fault *why, unsigned status);
/* The message answers the request of that id (JSON text). */
bool remote_answers(struct slice message, const char *id);

#endif
