/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room: one topic's participants, log, book and memory of ids. Opened by rooms_enter(), it first
 * asks the store what it keeps of the topic; closes by itself when nobody has been there for
 * ROOM_IDLE_MS and no proposal is open.
 */
#ifndef HUSTINGS_ROOM_ROOM_H
#define HUSTINGS_ROOM_ROOM_H

#include "room/island.h"

#define ROOM_IDLE_MS (5 * 60 * 1000)

struct room *room_open(struct rooms *rooms, struct slice topic, struct fault *why) MUST_USE;
void room_close(struct room *room); /* nobody is in it any more */
/* Asks the store, with history switched off too: a reload may switch it on, and then the room goes on
 * where the topic stands. */
bool room_load(struct room *room, struct fault *why) MUST_USE;
/* Tells all who wait, and closes it. */
void room_failed(struct room *room, const struct fault *why);
/* Sets the nearest of its deadlines: heartbeat, proposals, idle end. */
void room_schedule(struct room *room);
/* Somebody came or went. */
void room_note_presence(struct room *room);

/* What REST shows: JSON arrays. `dialect` of embedded envelopes is v0.1. */
void room_write_participants(const struct room *room, struct text *to);

#endif
