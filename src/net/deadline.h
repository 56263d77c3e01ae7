/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Deadline: a moment in its owner's struct, and the wheel on which a loop keeps them. Everybody sets
 * them by deadline_set() (net/loop.h); the wheel is for net/loop.c alone.
 *
 * Six levels of 64 slots; a slot of level 0 is one tick of 8 ms, of level 1 64 ticks, and so on. A
 * deadline lies at the level of the highest digit (of 6 bits) in which its tick differs from the
 * wheel's, so everything in a lower level comes before everything in a higher one. Setting and
 * clearing are a few pointer writes; looking for the next one is a look at six words.
 */
#ifndef HUSTINGS_NET_DEADLINE_H
#define HUSTINGS_NET_DEADLINE_H

#include "base/list.h"

/* Zeroed is idle. Precise to about 10 ms. Not called early. */
struct deadline;
typedef void deadline_fn(struct deadline *deadline);
struct deadline {
	struct link link;
	uint64_t at; /* loop_now() ms; 0: idle */
	deadline_fn *run;
};
void deadline_clear(struct deadline *deadline); /* harmless when idle */

#define WHEEL_TICK_BITS 3
#define WHEEL_DIGIT_BITS 6
#define WHEEL_SLOTS (1 << WHEEL_DIGIT_BITS)
#define WHEEL_LEVELS 6
#define WHEEL_NEVER UINT64_MAX

struct wheel {
	uint64_t tick;                   /* everything up to and with it has run */
	uint64_t occupied[WHEEL_LEVELS]; /* a bit per slot; may be set for one that was emptied since */
	struct link slots[WHEEL_LEVELS][WHEEL_SLOTS];
};

void wheel_init(struct wheel *wheel, uint64_t now);
/* Puts it in by its `at`; the moment (ms) at which the wheel must be looked at because of it. */
uint64_t wheel_place(struct wheel *wheel, struct deadline *deadline);
/* The moment (ms) of the next look, or WHEEL_NEVER. */
uint64_t wheel_next(struct wheel *wheel);
/* Runs what is due. */
void wheel_advance(struct wheel *wheel, uint64_t now);

#endif
