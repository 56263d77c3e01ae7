/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fetch: outgoing HTTP(S) over libcurl's multi interface on a loop; the library is opened
 * (dlopen) and set up at the first use only. Used for JWKS documents, the command line's REST
 * calls, webhooks and remote MCP servers. Bounded: answers, redirects, time.
 */
#ifndef HUSTINGS_NET_FETCH_H
#define HUSTINGS_NET_FETCH_H

#include "net/loop.h"

struct fetch;      /* one request under way */
struct fetch_desk; /* one loop's multi handle: connections are kept and reused */

struct fetch_desk *fetch_desk_open(struct loop *loop, struct fault *why) MUST_USE;
/* Ends what is under way without callbacks; each fetch is still its owner's to close. NULL is fine. */
void fetch_desk_close(struct fetch_desk *desk);

struct fetch_options {
	const char *method;         /* NULL: GET, or POST with a body */
	const char *url;            /* http or https */
	const char *const *headers; /* "Name: value", NULL ended; may be NULL */
	struct slice body;          /* copied */
	size_t limit;               /* octets of the answer's body; 0: 16 MiB; not counted when `piece` is set */
	uint64_t deadline_ms;       /* of the whole; 0: 30 s. UINT64_MAX: none (streams) */
	uint64_t idle_ms;           /* without a byte of the answer; 0: as deadline */
	unsigned redirects;         /* followed at most, only to http and https, never from https to http; 0: a 3xx is the answer */
	const char *ca;             /* NULL: the system's store */
	bool refuse_private;        /* the SSRF guard: the address that is dialled is looked at: no private, loopback, link-local or reserved one; no proxy */
};

struct fetch_answer {
	unsigned status;
	struct slice body; /* empty when `piece` took it */
	struct slice type; /* Content-Type */
};

struct fetch_events { /* borrowed until fetch_close() */
	/* The head is whole: before any piece. May be NULL. fetch_header() answers here and later. */
	void (*head)(void *context, struct fetch *fetch, unsigned status);
	void (*piece)(void *context, struct slice bytes); /* may be NULL: gathered */
	/* Exactly once, never before fetch_open() returned; not after fetch_close(). One of the two is
	 * NULL; both are valid during the call. Any status is an answer. */
	void (*done)(void *context, const struct fetch_answer *answer, const struct fault *why);
};

struct fetch *fetch_open(struct fetch_desk *desk, const struct fetch_options *options,
	const struct fetch_events *events, void *context, struct fault *why) MUST_USE;
struct slice fetch_header(const struct fetch *fetch, const char *name); /* the last of that name */
void fetch_close(struct fetch *fetch);                                  /* gives up if under way; frees; allowed in callbacks. NULL is fine */

#endif
