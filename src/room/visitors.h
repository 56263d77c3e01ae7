/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Visitors: identities that speak in a room by HTTP without sitting in it, so that their pace holds
 * from one request to the next. At most VISITORS in a room: the one that spoke longest ago goes.
 */
#ifndef HUSTINGS_ROOM_VISITORS_H
#define HUSTINGS_ROOM_VISITORS_H

#include "room/island.h"

#define VISITORS 1024

struct speaker {
	struct link in_room;
	struct pace pace;
	struct pace proposal_pace;
	size_t length;
	char id[];
};

struct speaker *visitors_find(struct room *room, struct slice id) MUST_USE; /* NULL: no memory */
void visitors_finish(struct room *room);

#endif
