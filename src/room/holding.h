/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Holding: what happens in a room while a new reader's history is read is held back for it, at most
 * max_behind octets; and the state of that reading, which is catching.c's.
 */
#ifndef HUSTINGS_ROOM_HOLDING_H
#define HUSTINGS_ROOM_HOLDING_H

#include "room/island.h"

#define CATCHING_SINCE 256 /* octets of an envelope id, and NUL */

struct catching_wish {
	uint16_t history;           /* envelopes in the welcome; 0: none asked */
	char since[CATCHING_SINCE]; /* empty: none asked */
};

struct held {
	struct frame *frame; /* kept */
	size_t offset;
	size_t length;
};

struct catching {
	struct catching_wish wish;
	struct history *question; /* under way; its context is the seat */
	uint64_t upto;            /* the room's sequence when the seat was taken */
	size_t held_octets;
	size_t count;
	size_t capacity;
	struct held *held;
};

/* NULL: the seat is live. */
static inline struct catching *holding_of(const struct seat *seat) {
	return seat->arrears ? seat->arrears->catching : NULL;
}

/* False: no memory. */
bool holding_begin(struct seat *seat) MUST_USE;
/* Too much of it, or no memory: the seat leaves. */
void holding_add(struct seat *seat, struct frame *frame, size_t offset, size_t length);
/* Hands out what was held, in order, to be sent, dropped and freed; the seat holds nothing any more. */
struct held *holding_end(struct seat *seat, size_t *count);
/* The seat goes: so does what was held, and nobody waits for the question any more. */
void holding_drop(struct seat *seat);

#endif
