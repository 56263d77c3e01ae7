/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Event window: the last events of a subscription, for whoever asks for them again (docs/protocol.md). An event
 * is made once, and counted: windows share its octets. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_EVENT_WINDOW_H
#define HUSTINGS_KERNEL_EVENT_WINDOW_H

#include "base/list.h"
#include "base/text.h"

#define EVENT_WINDOW 256                         /* events of one subscription */
#define EVENT_WINDOW_OCTETS ((size_t)128 * 1024) /* of them */

struct event; /* counted, not changed any more */

struct event *event_make(struct slice text); /* NULL: no memory. Copied */
struct event *event_keep(struct event *event);
void event_drop(struct event *event); /* NULL is fine */
struct slice event_text(const struct event *event);

struct event_kept {
	struct link link;
	struct event *event;
	uint64_t seq;    /* in its subscription, from 1 */
	uint64_t number; /* of its client (mgp_client.h); 0: it had none */
};

struct event_window {
	struct link kept; /* struct event_kept, the oldest first */
	size_t count;
	size_t octets;
};

void event_window_init(struct event_window *window);
void event_window_finish(struct event_window *window);
/* The oldest give way. Without memory it is left out, which is a gap. */
void event_window_add(struct event_window *window, struct event *event, uint64_t seq, uint64_t number);
/* The first behind that seq; NULL: none. */
const struct event_kept *event_window_after(const struct event_window *window, uint64_t seq);
const struct event_kept *event_window_next(const struct event_window *window, const struct event_kept *kept);
/* {"subscription_id":...,"seq":...,...}: the params of its notification. */
void event_write(struct text *to, const struct event *event, const char *subscription, uint64_t seq);

#endif
