/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Seat: one reader's place in a room. Opened by joining, it belongs to the room; its outlet belongs
 * to whoever came.
 *
 * Two ways to end: the outlet goes (seat_leave), or the room sends it away (seat_close: the outlet's
 * `closed` is called). After either, the seat is gone.
 */
#ifndef HUSTINGS_ROOM_SEAT_H
#define HUSTINGS_ROOM_SEAT_H

#include "room/island.h"

struct seat *seat_open(struct participant *participant, struct principal *principal,
	struct outlet *outlet, struct fault *why) MUST_USE;
void seat_leave(struct seat *seat);
void seat_close(struct seat *seat, unsigned code, const char *reason);
/* Closes all that are marked (leaving.h). */
void seat_sweep(struct room *room);
/* Closes all that are meant; is_meant NULL: all. */
typedef bool seat_is_meant(const struct seat *seat, const void *context);
void seats_close(struct room *room, seat_is_meant *is_meant, const void *context, unsigned code,
	const char *reason);

/* A message of its reader: read, gated, published or refused. The text may be written into. False:
 * the seat was closed meanwhile and is gone. */
bool seat_receive(struct seat *seat, struct slice text);

/* Something that is no text was sent, or too much of it: the sender is told, it is counted and
 * audited. The words are static. False: the seat was closed (nothing but refusals) and is gone. */
bool seat_refuse(struct seat *seat, const char *gate, const char *word, const char *message);

#endif
