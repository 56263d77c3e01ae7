/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Presence: who comes, goes and is still there (MCPx v0 4.2, 6), and a change of privilege.
 */
#ifndef HUSTINGS_ROOM_PRESENCE_H
#define HUSTINGS_ROOM_PRESENCE_H

#include "room/island.h"

void presence_join(struct participant *participant); /* told to all but itself */
void presence_leave(struct participant *participant);
void presence_heartbeat(struct room *room); /* one for each participant */
/* Takes effect with the next envelope; the participant is told (MCPx v0.1 5.1), and all hear by a heartbeat of it
 * what it is now. */
void presence_promote(struct participant *participant, enum privilege privilege);

#endif
