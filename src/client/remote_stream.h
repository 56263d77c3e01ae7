/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Remote stream: a GET that stays open (MCP transports, Streamable HTTP up to 2025-11-25). One tells
 * what the server was not asked for; others go on with the answer to a request whose own stream broke
 * off, from the last event that came.
 *
 * Each waits as long as the server's `retry` says before it asks (again); a stream with an answer
 * asks at most REMOTE_STREAM_TRIES times in vain, then the request has failed. They lie in the
 * remote's list, and go with it or by themselves.
 */
#ifndef HUSTINGS_CLIENT_REMOTE_STREAM_H
#define HUSTINGS_CLIENT_REMOTE_STREAM_H

#include "client/remote.h"

#define REMOTE_STREAM_AGAIN_MS 1000 /* where the server says nothing of it */
#define REMOTE_STREAM_LONGEST_MS 300000
#define REMOTE_STREAM_TRIES 5

/* Where a stream of events stands. */
struct remote_place {
	struct slice last; /* the last event's id */
	int64_t retry_ms;  /* -1: not said */
};

/* The one of no request. False: no memory. */
bool remote_stream_open(struct remote *remote, struct fault *why) MUST_USE;
/* The rest of an answer. `id`: of the request, JSON text. */
bool remote_stream_resume(struct remote *remote, const char *id, const struct remote_place *place,
	struct fault *why) MUST_USE;
void remote_stream_forget(struct remote *remote, struct slice id); /* nobody waits for that answer */
/* They are of a session that is no more: the requests whose answers they were have failed. */
void remote_streams_lose(struct remote *remote, const struct fault *why);
void remote_streams_close(struct remote *remote);

#endif
