/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Event wish: what mgp/events/subscribe asks for (MGP 13.2), and what a server says as notifications/mgp.event
 * (MGP 13.3). Spans lie in the params or in the arena. Plain functions, any thread.
 */
#ifndef HUSTINGS_KERNEL_EVENT_WISH_H
#define HUSTINGS_KERNEL_EVENT_WISH_H

#include "kernel/event_channel.h"
#include "wire/scan.h"

#define EVENT_CHANNELS 64         /* of one subscription */
#define EVENT_DATA (16 * 1024)    /* octets of an event's data */
#define EVENT_SUBSCRIPTION_ID 128 /* octets of a server's */

struct event_wish {
	struct slice channels[EVENT_CHANNELS]; /* each once */
	size_t count;
	enum event_severity least;
};
/* FAULT_BAD_INPUT names the member and the limit. Members that MGP does not know are left out. */
bool event_wish_read(struct event_wish *wish, const struct scan_value *params, struct arena *arena,
	struct fault *why) MUST_USE;

struct event_claim {
	struct slice subscription;
	struct slice channel;
	struct slice timestamp; /* RFC 3339; length 0: it has no sound one */
	struct slice tool;      /* data.tool_name; length 0: none */
	enum event_severity severity;
	struct slice data; /* JSON text of an object */
	bool is_too_large; /* it is not there: EVENT_DATA */
};
/* False: it is no event. */
bool event_claim_read(struct event_claim *claim, const struct scan_value *params, struct arena *arena) MUST_USE;

#endif
