/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Announcement: what the gateway itself says to a whole room, in both dialects under one id.
 */
#ifndef HUSTINGS_ROOM_ANNOUNCEMENT_H
#define HUSTINGS_ROOM_ANNOUNCEMENT_H

#include "room/island.h"

/* Not kept in history: presence, notices. Without memory nobody is told. */
void announcement_send(struct room *room, enum envelope_kind kind, struct slice correlation_id,
	struct slice payload);
/* Kept in history like what clients send: changes of proposals. */
void announcement_keep(struct room *room, enum envelope_kind kind, struct slice correlation_id,
	struct slice payload);

#endif
