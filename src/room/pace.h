/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pace: how fast one participant may speak: a bucket that holds the count it names and refills
 * evenly. Eight octets: the time at which it would be full again.
 */
#ifndef HUSTINGS_ROOM_PACE_H
#define HUSTINGS_ROOM_PACE_H

#include "room/rooms_settings.h"

struct pace {
	uint64_t full_at_us; /* monotonic; in the past: full */
};

/* Takes one. False: empty; *retry_after_ms says when there is one again. */
bool pace_take(struct pace *pace, const struct pace_rate *rate, uint64_t now_us,
	uint64_t *retry_after_ms) MUST_USE;
/* Gives one back (what was taken turned out to be refused elsewhere). */
void pace_give(struct pace *pace, const struct pace_rate *rate);

#endif
