/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room log: what a pass brings to a room's readers, framed once per dialect into counted frames,
 * contiguous, and delivered with one send per reader (DESIGN: one envelope, from socket to fan-out).
 *
 * A lane with no readers costs nothing. Delivery goes up to the stored mark `ready`.
 */
#ifndef HUSTINGS_ROOM_ROOM_LOG_H
#define HUSTINGS_ROOM_ROOM_LOG_H

#include "room/island.h"

/* Appends one text to a lane. False: no memory (nothing was appended). */
bool room_log_add(struct room *room, enum envelope_dialect dialect, const struct slice *pieces,
	size_t count, size_t length) MUST_USE;
/* Undoes what was added since the lane ended at `end` (the other lane had no memory). */
void room_log_cut(struct room *room, enum envelope_dialect dialect, uint64_t end);
/* Everything so far may be delivered. */
void room_log_mark(struct room *room);
/* Sends each reader what it has not got, up to `ready`; lagging ones over max_behind are marked as
 * leaving (1013). */
void room_log_deliver(struct room *room);
/* Frames a text for one reader alone and sends it now. Without memory the reader leaves: what it is
 * told has no gaps. */
void room_log_tell(struct seat *seat, struct slice text);
void room_log_finish(struct room *room);
/* A reader changes its dialect: what the room has for it already comes in the old one, everything from
 * now on in the new one. False: no memory, ask again later. */
bool room_log_turn(struct seat *seat, enum envelope_dialect dialect) MUST_USE;
/* The reader goes, with what is kept about its positions. */
void room_log_forget(struct seat *seat);
/* To its outlet, now; it says how far its reader is behind. */
void room_log_send(struct seat *seat, struct frame *frame, size_t offset, size_t length);
/* Sends a reader away (1013) that is further behind than it may be. */
void room_log_check(struct seat *seat);

/* Ranges of a lane that one reader does not want: its own envelopes with echo=0, its own join. */
struct skips {
	unsigned count;
	unsigned capacity;
	struct {
		uint64_t start;
		uint64_t end;
	} ranges[];
};
/* Without memory the reader gets what it did not want: no harm. */
void room_log_skip(struct seat *seat, uint64_t start, uint64_t end);

#endif
