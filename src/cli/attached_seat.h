/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attached seat: the place of an attached server in a room. Callers are introduced from the
 * server's own words, said once; their requests go to it under ids of their own, so that many
 * callers use one server at once, and come back to whoever asked (MCPx v0 4.1, 7).
 *
 * Owned: attached_seat_open() and attached_seat_close(). One thread. The child is lent by
 * attached_seat_serve() and taken away with NULL before it is closed; without one every request is
 * refused with a sentence. What a caller asked for ends when it leaves or cancels.
 */
#ifndef HUSTINGS_CLI_ATTACHED_SEAT_H
#define HUSTINGS_CLI_ATTACHED_SEAT_H

#include "cli/attached_child.h"
#include "client/membership.h"

struct attached_seat;

struct attached_seat_events {
	void (*joined)(void *context, bool again);
	void (*lost)(void *context, const struct fault *why, uint64_t again_in_ms);
	/* For good: FAULT_EXISTS: replaced; FAULT_REFUSED: not let in, or restricted where answers of
	 * restricted participants are refused. */
	void (*ended)(void *context, const struct fault *why);
	void (*drained)(void *context); /* every answer is through */
};

struct attached_seat_options {
	struct membership_options membership;
	unsigned exposed;   /* bits of enum attached_exposure */
	size_t max_message; /* octets of an envelope that the gateway takes */
};

struct attached_seat *attached_seat_open(struct loop *loop,
	const struct attached_seat_options *options, const struct attached_seat_events *events,
	void *context, struct fault *why) MUST_USE;
void attached_seat_close(struct attached_seat *seat); /* leaves; NULL is fine */

/* A child that is ready, from now on; NULL: none. After the first one the room hears that the tools
 * may have changed. */
bool attached_seat_serve(struct attached_seat *seat, struct attached_child *child,
	struct fault *why) MUST_USE;
/* A notification of the child's: the room hears of changed lists. */
void attached_seat_told(struct attached_seat *seat, const struct jsonrpc *notification);
bool attached_seat_is_drained(const struct attached_seat *seat);

#endif
