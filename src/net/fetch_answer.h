/* SPDX-License-Identifier: Apache-2.0 */
/* Fetch answer: what an outgoing request (net/fetch.h) tells its owner. */
#ifndef HUSTINGS_NET_FETCH_ANSWER_H
#define HUSTINGS_NET_FETCH_ANSWER_H

#include "base/fault.h"
#include "base/slice.h"

struct fetch; /* one request under way */

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

struct slice fetch_header(const struct fetch *fetch, const char *name); /* the last of that name */

#endif
