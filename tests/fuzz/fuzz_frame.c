/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: the octets are orders to open, fill, keep and drop frames. What was written stays as
 * it is until the last keeper drops it, and the pool never holds more than it may.
 */
#include "wire/frame.h"

#include <stdlib.h>

#define HELD 8
#define MUST(what) \
	do { \
		if (!(what)) abort(); \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct held {
	struct frame *frame;
	unsigned keeps;
	uint8_t sign; /* every octet that was written */
};

static void held_check(const struct held *held) {
	MUST(held->frame->references == held->keeps);
	MUST(held->frame->used <= held->frame->capacity);
	if (!held->frame->used) return;
	const char *bytes = held->frame->bytes;
	MUST((uint8_t)bytes[0] == held->sign && (uint8_t)bytes[held->frame->used - 1] == held->sign);
}

static void held_open(struct held *held, struct frame_pool *pool, uint8_t order) {
	static const size_t sizes[] = {0, 1, 100, FRAME_USUAL, FRAME_USUAL + 1};
	size_t size = sizes[(order >> 1) % COUNT_OF(sizes)];
	if (held->frame) return;

	held->frame = frame_open(order & 1 ? pool : NULL, size);
	MUST(held->frame && held->frame->used == 0 && frame_room(held->frame) >= size);
	held->keeps = 1;
	held->sign = order;
}

static void held_fill(struct held *held, uint8_t order) {
	char octets[256];
	size_t length = order;
	if (length > frame_room(held->frame)) length = frame_room(held->frame);
	memset(octets, held->sign, sizeof(octets));
	frame_add(held->frame, octets, length);
}

static void held_drop(struct held *held) {
	frame_drop(held->frame);
	if (--held->keeps == 0) held->frame = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct frame_pool pool;
	struct held all[HELD] = {{.frame = NULL}};
	frame_pool_init(&pool, size ? data[0] % 5 : 0);
	for (size_t at = 1; at + 1 < size; at += 2) {
		struct held *held = &all[data[at] % HELD];
		unsigned what = data[at] / HELD % 4;
		if (what == 0) held_open(held, &pool, data[at + 1]);
		else if (!held->frame) continue;
		else if (what == 1) held_fill(held, data[at + 1]);
		else if (what == 2) held->keeps += frame_keep(held->frame) == held->frame;
		else held_drop(held);
		if (held->frame) held_check(held);
		MUST(pool.count <= pool.limit);
	}
	bool is_late = size && data[0] & 0x80; /* frames may be dropped when their pool has ended */
	if (is_late) frame_pool_finish(&pool);
	for (size_t i = 0; i < HELD; i++)
		while (all[i].frame) held_drop(&all[i]);
	MUST(pool.count <= pool.limit);
	frame_pool_finish(&pool);
	return 0;
}
