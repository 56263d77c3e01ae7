/* SPDX-License-Identifier: Apache-2.0 */
/* Attached seat parts: what the files of a seat share; for cli/attached_seat.c and attached_caller.c. */
#ifndef HUSTINGS_CLI_ATTACHED_SEAT_PARTS_H
#define HUSTINGS_CLI_ATTACHED_SEAT_PARTS_H

#include "base/map.h"
#include "cli/attached_child.h"
#include "cli/attached_facts.h"
#include "cli/attached_pages.h"
#include "client/membership.h"

#define ATTACHED_CALLERS 1024 /* with open requests, or lately */

struct attached_seat_events;

struct attached_seat {
	struct loop *loop;
	const struct attached_seat_events *events;
	void *context;
	struct membership *membership;
	struct attached_child *child; /* NULL: none serves */
	struct text facts;            /* the answer to a handshake */
	struct attached_pages pages;
	struct map callers; /* struct attached_caller, by id */
	unsigned exposed;
	size_t max_message;
	bool was_served;
	bool may_answer; /* also while restricted (rooms.restricted_may_answer) */
	bool has_ended;
};

/* One participant that asks. */
struct attached_caller {
	struct attached_seat *seat;
	char *id;
	struct peer *peer;
};

/* A message of `id` that concerns us. */
void attached_caller_take(struct attached_seat *seat, const struct envelope *envelope,
	const struct jsonrpc *message);
void attached_caller_left(struct attached_seat *seat, struct slice id);
void attached_callers_finish(struct attached_seat *seat);

#endif
