/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pass: what one turn of the loop brought to the rooms, until its end (rooms.c) stores and delivers
 * it.
 */
#ifndef HUSTINGS_ROOM_PASS_H
#define HUSTINGS_ROOM_PASS_H

#include "room/island.h"

/* The room has something to store, to deliver or to end in this pass. */
void pass_note(struct room *room);
/* Writes what was gathered for the journal. False: rooms->failure says why. */
bool pass_store(struct rooms *rooms) MUST_USE;
/* The same before the pass ends. False: it could not be; at the pass end its rooms are closed. */
bool pass_store_now(struct rooms *rooms) MUST_USE;

#endif
