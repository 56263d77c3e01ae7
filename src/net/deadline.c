/* SPDX-License-Identifier: Apache-2.0 */
/* Deadline: a hierarchical timer wheel that jumps from one occupied slot to the next. */
#include "net/deadline.h"

#define LAST_TICK ((UINT64_C(1) << (WHEEL_LEVELS * WHEEL_DIGIT_BITS)) - 1)

void wheel_init(struct wheel *wheel, uint64_t now) {
	wheel->tick = now >> WHEEL_TICK_BITS;
	for (unsigned level = 0; level < WHEEL_LEVELS; level++) {
		wheel->occupied[level] = 0;
		for (unsigned slot = 0; slot < WHEEL_SLOTS; slot++) list_init(&wheel->slots[level][slot]);
	}
}

/* The first tick of a slot that lies before us. */
static uint64_t slot_tick(const struct wheel *wheel, unsigned level, unsigned slot) {
	unsigned above = (level + 1) * WHEEL_DIGIT_BITS;
	return (wheel->tick >> above << above) + ((uint64_t)slot << (level * WHEEL_DIGIT_BITS));
}

uint64_t wheel_place(struct wheel *wheel, struct deadline *deadline) {
	const uint64_t part = (1u << WHEEL_TICK_BITS) - 1;
	uint64_t tick = (deadline->at >> WHEEL_TICK_BITS) + ((deadline->at & part) ? 1 : 0);
	if (tick <= wheel->tick) tick = wheel->tick + 1;
	if (tick > LAST_TICK) tick = LAST_TICK;

	unsigned highest = 63 - (unsigned)__builtin_clzll(tick ^ wheel->tick);
	unsigned level = highest / WHEEL_DIGIT_BITS;
	unsigned slot = (tick >> (level * WHEEL_DIGIT_BITS)) & (WHEEL_SLOTS - 1);
	list_append(&wheel->slots[level][slot], &deadline->link);
	wheel->occupied[level] |= UINT64_C(1) << slot;
	return slot_tick(wheel, level, slot) << WHEEL_TICK_BITS;
}

/* The slot that comes next; bits of slots that were emptied since are put right on the way. */
static bool wheel_find(struct wheel *wheel, unsigned *level, unsigned *slot) {
	for (*level = 0; *level < WHEEL_LEVELS; ++*level) {
		uint64_t *occupied = &wheel->occupied[*level];
		for (; *occupied; *occupied &= *occupied - 1) {
			*slot = (unsigned)__builtin_ctzll(*occupied);
			if (!list_is_empty(&wheel->slots[*level][*slot])) return true;
		}
	}
	return false;
}

uint64_t wheel_next(struct wheel *wheel) {
	unsigned level, slot;
	if (!wheel_find(wheel, &level, &slot)) return WHEEL_NEVER;
	return slot_tick(wheel, level, slot) << WHEEL_TICK_BITS;
}

void wheel_advance(struct wheel *wheel, uint64_t now) {
	uint64_t target = now >> WHEEL_TICK_BITS;
	if (target > LAST_TICK - 1) target = LAST_TICK - 1;

	unsigned level, slot;
	while (wheel_find(wheel, &level, &slot) && slot_tick(wheel, level, slot) <= target) {
		wheel->tick = slot_tick(wheel, level, slot);
		wheel->occupied[level] &= ~(UINT64_C(1) << slot);
		struct link taken;
		list_init(&taken);
		list_move(&taken, &wheel->slots[level][slot]);
		for (struct link *link; (link = list_pop(&taken));) {
			struct deadline *deadline = CONTAINER_OF(link, struct deadline, link);
			if (deadline->at > wheel->tick << WHEEL_TICK_BITS) {
				wheel_place(wheel, deadline);
				continue;
			}
			deadline->at = 0;
			deadline->run(deadline);
		}
	}
	if (wheel->tick < target) wheel->tick = target;
}

void deadline_clear(struct deadline *deadline) {
	if (!deadline->at) return;
	deadline->at = 0;
	list_remove(&deadline->link);
}
