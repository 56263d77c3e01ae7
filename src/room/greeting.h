/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Greeting: the welcome (MCPx v0 5.3, v0.1 4.4.1) and the replay of what a reader missed.
 */
#ifndef HUSTINGS_ROOM_GREETING_H
#define HUSTINGS_ROOM_GREETING_H

#include "room/island.h"

#define GREETING_PARTICIPANTS 1000 /* listed in a welcome; the rest by REST */
#define GREETING_LIMIT 1000        /* of history in a welcome */

/* `history`: what the store answered to history=N (oldest first), or NULL when none was asked. */
void greeting_send(struct seat *seat, const struct history *history);
/* One stored envelope, in the reader's dialect. False: it could not be sent (no memory, damaged). */
bool greeting_replay(struct seat *seat, struct slice stored) MUST_USE;
/* The same into a text, comma and all: for REST and the welcome. False: not readable any more. */
bool greeting_write_stored(struct text *to, struct slice stored, enum envelope_dialect dialect,
	struct arena *arena);

#endif
