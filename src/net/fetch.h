/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fetch: outgoing HTTP(S) over libcurl's multi interface on a loop; the library is opened
 * (dlopen) and set up at the first use only. Used for JWKS documents, the command line's REST
 * calls, webhooks and remote MCP servers. Bounded: answers, redirects, time.
 */
#ifndef HUSTINGS_NET_FETCH_H
#define HUSTINGS_NET_FETCH_H

#include "net/fetch_answer.h"
#include "net/fetch_desk.h"

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

struct fetch *fetch_open(struct fetch_desk *desk, const struct fetch_options *options,
	const struct fetch_events *events, void *context, struct fault *why) MUST_USE;
/* Stops reading its answer (back-pressure), at once when it is told of a piece, else from the end of this pass on;
 * and goes on. `idle_ms` does not run meanwhile. What was read already still comes. */
void fetch_pause(struct fetch *fetch, bool is_paused);
void fetch_close(struct fetch *fetch); /* gives up if under way; frees; allowed in callbacks. NULL is fine */

#endif
