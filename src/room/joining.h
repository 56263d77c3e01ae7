/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joining: how somebody comes into a room (MCPx v0 5.2): the room is entered, a seat is taken, what
 * history was asked for is read while live frames are held back, the welcome goes out, the others
 * hear of it, and what was held follows without gap or repeat.
 *
 * The wish lies in the caller's struct and is the caller's again once `seated` was called (exactly
 * once, often before joining_start() returns) or joining_cancel() was.
 */
#ifndef HUSTINGS_ROOM_JOINING_H
#define HUSTINGS_ROOM_JOINING_H

#include "room/catching.h"
#include "room/rooms.h"

struct joining;
/* seat NULL: why says so, and FAULT codes tell the status: NOT_FOUND, FULL, NOT_READY, NO_MEMORY,
 * REFUSED. Called before anything is sent to the outlet. */
typedef void joining_seated(struct joining *joining, struct seat *seat, const struct fault *why);

struct joining {
	struct visitor visitor;
	joining_seated *seated;
	struct rooms *rooms;
	struct principal *principal; /* borrowed until seated; the seat keeps it */
	enum privilege privilege;
	struct outlet *outlet;
	bool may_make; /* the topic, where rooms.create says administrators only */
	bool has_dialect;
	enum envelope_dialect dialect;
	bool is_beside;
	bool is_house;              /* a server of the gateway's own: alone under its id, and without pace, as
	                              it answers those who have one */
	bool is_mute;               /* echo=0 */
	uint16_t history;           /* envelopes in the welcome; 0: none asked */
	char since[CATCHING_SINCE]; /* empty: none asked */
};

void joining_start(struct joining *joining, struct rooms *rooms, struct slice topic);
void joining_cancel(struct joining *joining);

#endif
