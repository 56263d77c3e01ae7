/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fetch parts: what a desk and a request are made of, for the files of fetch alone.
 *
 * A desk has two multi handles: a guarded request must never be sent over a connection that an
 * unguarded one has opened to a private address.
 */
#ifndef HUSTINGS_NET_FETCH_PARTS_H
#define HUSTINGS_NET_FETCH_PARTS_H

#include "base/text.h"
#include "net/fetch_library.h"
#include "net/loop.h"

#include <uv.h>

struct fetch_desk;
struct fetch_events;

struct fetch_multi {
	struct fetch_desk *desk;
	CURLM *multi; /* NULL: not used yet */
	uv_timer_t timer;
};

struct fetch_desk {
	struct loop *loop;
	const struct fetch_library *library; /* NULL: nothing was fetched yet */
	struct fetch_multi open, guarded;
	struct link fetches; /* of all that is not closed */
	unsigned depth;      /* calls of ours below which it must not go away */
	unsigned handles;    /* libuv has not let go of */
	bool is_in_library;  /* libcurl must not be called: it is calling us */
	bool is_closed;
};

enum fetch_state {
	FETCH_WAITING, /* for the end of the pass it was opened in */
	FETCH_RUNNING,
	FETCH_DONE,   /* and told */
	FETCH_CLOSED, /* by its owner, while libcurl was calling us */
};

struct fetch {
	struct link link;
	struct fetch_desk *desk; /* NULL: closed before it */
	struct fetch_multi *multi;
	const struct fetch_events *events;
	void *context;
	enum fetch_state state;
	CURL *easy;
	struct curl_slist *headers;
	char *sent;       /* the body of the request */
	char *host;       /* for sentences: the rest of a URL may hold secrets */
	struct text head; /* of the last answer, its status line first */
	struct text body;
	size_t limit;
	bool is_guarded, follows, is_head_told;
	uint64_t ends_at, heard_at, idle_ms; /* loop time; UINT64_MAX: never */
	struct task start;
	struct task pausing; /* of what was wished last */
	bool is_pause_wished, is_paused;
	bool is_telling; /* inside of `piece` */
	struct deadline deadline;
	struct fault why; /* found by us; FAULT_NONE: what libcurl says */
	char error[CURL_ERROR_SIZE];
};

/* fetch_answer.c: what its owner is told */
unsigned fetch_status(const struct fetch *fetch);
void fetch_finish(struct fetch *fetch, CURLcode code); /* tells `done` */

/* fetch_desk.c: the multi handle's side */
bool fetch_desk_add(struct fetch *fetch, struct fault *why) MUST_USE;
void fetch_desk_pause(struct fetch *fetch, bool is_paused);
void fetch_desk_remove(struct fetch *fetch); /* harmless when it was not added */
void fetch_desk_free(struct fetch *fetch);   /* all of it */
/* Whatever calls back to owners stands between these two. */
void fetch_desk_enter(struct fetch_desk *desk);
void fetch_desk_leave(struct fetch_desk *desk);

#endif
