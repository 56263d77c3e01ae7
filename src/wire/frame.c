/* SPDX-License-Identifier: Apache-2.0 */
/* Frame: malloc behind a short list of frames that were used lately. */
#include "wire/frame.h"

#include <stdlib.h>

void frame_pool_init(struct frame_pool *pool, unsigned limit) {
	*pool = (struct frame_pool){.limit = limit};
}

void frame_pool_finish(struct frame_pool *pool) {
	while (pool->free) {
		struct frame *frame = pool->free;
		pool->free = frame->next_free;
		free(frame);
	}
	pool->count = 0;
	pool->limit = 0; /* frames that are dropped later find no place here */
}

static struct frame *frame_begin(struct frame *frame, struct frame_pool *pool) {
	frame->references = 1;
	frame->used = 0;
	frame->pool = pool;
	frame->next_free = NULL;
	return frame;
}

struct frame *frame_open(struct frame_pool *pool, size_t capacity) {
	bool is_pooled = pool && capacity <= FRAME_USUAL;
	if (is_pooled && pool->free) {
		struct frame *frame = pool->free;
		pool->free = frame->next_free;
		pool->count--;
		return frame_begin(frame, pool);
	}
	if (is_pooled) capacity = FRAME_USUAL;
	if (capacity > UINT32_MAX) return NULL;
	struct frame *frame = malloc(sizeof(*frame) + capacity);
	if (!frame) return NULL;
	frame->capacity = (uint32_t)capacity;
	return frame_begin(frame, is_pooled ? pool : NULL);
}

struct frame *frame_grow(struct frame *frame, size_t capacity) {
	if (capacity > UINT32_MAX) return NULL;
	struct frame *larger = realloc(frame, sizeof(*frame) + capacity);
	if (larger) larger->capacity = (uint32_t)capacity;
	return larger;
}

struct frame *frame_copy(const void *bytes, size_t length) {
	struct frame *frame = frame_open(NULL, length);
	if (frame && length) frame_add(frame, bytes, length);
	return frame;
}

void frame_drop(struct frame *frame) {
	if (!frame || --frame->references) return;

	struct frame_pool *pool = frame->pool;
	if (!pool || pool->count >= pool->limit) {
		free(frame);
		return;
	}
	frame->next_free = pool->free;
	pool->free = frame;
	pool->count++;
}
