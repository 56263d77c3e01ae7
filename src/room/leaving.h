/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leaving: a seat that is to be closed, not at once, where others are being served, but at the end
 * of the pass (seat_sweep).
 */
#ifndef HUSTINGS_ROOM_LEAVING_H
#define HUSTINGS_ROOM_LEAVING_H

#include "room/island.h"

enum leaving {
	LEAVING_NOT,
	LEAVING_NO_MEMORY, /* for something it must not miss */
	LEAVING_BEHIND,    /* it reads too slowly */
	LEAVING_OVERTAKEN, /* its history is read too slowly */
	LEAVINGS
};

/* The first reason counts. */
void leaving_mark(struct seat *seat, enum leaving why);
unsigned leaving_code(enum leaving why); /* of the WebSocket's close */
const char *leaving_words(enum leaving why);

#endif
