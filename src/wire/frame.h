/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frame: octets written once and then only read, by many at the same time.
 *
 * A frame is a counted chunk that grows at its end (up to its capacity) while its one writer
 * fills it; what was written never moves or changes, so readers hold (frame, offset, length).
 * Whoever holds one calls frame_keep(), and frame_drop() when done. One thread (its loop's).
 * Frames of the usual size come from the loop's pool, and the last used comes first: its octets
 * are still in the processor's cache.
 */
#ifndef HUSTINGS_WIRE_FRAME_H
#define HUSTINGS_WIRE_FRAME_H

#include "base/dialect.h"
#include "base/text.h"

#define FRAME_USUAL (64 * 1024) /* octets of one batch, and of a pooled frame */

struct frame_pool;

struct frame {
	unsigned references;
	uint32_t capacity;
	uint32_t used;
	struct frame_pool *pool; /* NULL: freed when dropped */
	struct frame *next_free;
	char bytes[];
};

struct frame_pool {
	struct frame *free;
	unsigned count; /* free ones held */
	unsigned limit;
};

void frame_pool_init(struct frame_pool *pool, unsigned limit);
void frame_pool_finish(struct frame_pool *pool);

/* Kept once by the caller; at least `capacity` octets (the pool's size when that is enough).
 * pool NULL: exactly as large as asked. NULL: no memory. */
struct frame *frame_open(struct frame_pool *pool, size_t capacity) MUST_USE;
/* One that nobody else holds, of no pool, with room for `capacity` octets; it may have moved. NULL:
 * no memory, and it is as it was. */
struct frame *frame_grow(struct frame *frame, size_t capacity) MUST_USE;
struct frame *frame_copy(const void *bytes, size_t length) MUST_USE;
static inline struct frame *frame_keep(struct frame *frame) {
	frame->references++;
	return frame;
}
void frame_drop(struct frame *frame); /* NULL is fine */
AUTO_RELEASE(frame, frame_drop)

static inline size_t frame_room(const struct frame *frame) { return frame->capacity - frame->used; }
/* The caller has made sure that it fits. */
static inline void frame_add(struct frame *frame, const void *bytes, size_t length) {
	memcpy(frame->bytes + frame->used, bytes, length);
	frame->used += (uint32_t)length;
}

#endif
