/* SPDX-License-Identifier: Apache-2.0 */
/* Arena: a pointer that moves through the lent block, then through blocks of growing size. */
#include "base/arena.h"

#include <stdlib.h>

#define DEFAULT_LIMIT ((size_t)64 << 20)
#define SMALLEST_BLOCK ((size_t)4 << 10)
#define LARGEST_STEP ((size_t)256 << 10) /* a single piece may ask for more */

struct arena_block {
	struct arena_block *older;
	size_t size; /* of octets */
	_Alignas(max_align_t) char octets[];
};

void arena_init(struct arena *arena, void *lent, size_t lent_size, size_t limit) {
	*arena = (struct arena){
		.lent = lent,
		.lent_size = lent ? lent_size : 0,
		.limit = limit ? limit : DEFAULT_LIMIT,
	};
}

void arena_reset(struct arena *arena) {
	while (arena->blocks) {
		struct arena_block *block = arena->blocks;
		arena->blocks = block->older;
		free(block);
	}
	arena->used = 0;
	arena->taken = 0;
}

void arena_finish(struct arena *arena) {
	arena_reset(arena);
	arena->lent = NULL;
	arena->lent_size = 0;
}

/* From the block in use; NULL: it has too little left. */
static void *arena_carve(struct arena *arena, size_t size) {
	char *start = arena->blocks ? arena->blocks->octets : arena->lent;
	size_t whole = arena->blocks ? arena->blocks->size : arena->lent_size;
	if (!start) return NULL;

	/* A lent block may begin anywhere, so it is the address that gets aligned. */
	size_t astray = ((uintptr_t)start + arena->used) % _Alignof(max_align_t);
	size_t gap = astray ? _Alignof(max_align_t) - astray : 0;
	size_t left = whole - arena->used;
	if (gap > left || size > left - gap) return NULL;

	void *piece = start + arena->used + gap;
	arena->used += gap + size;
	return piece;
}

static bool arena_grow(struct arena *arena, size_t size) {
	size_t left = arena->limit - arena->taken;
	if (left < sizeof(struct arena_block) || size > left - sizeof(struct arena_block)) return false;

	size_t step = arena->taken < SMALLEST_BLOCK ? SMALLEST_BLOCK : arena->taken;
	if (step > LARGEST_STEP) step = LARGEST_STEP;
	if (step < size + sizeof(struct arena_block)) step = size + sizeof(struct arena_block);
	if (step > left) step = left;

	struct arena_block *block = malloc(step);
	if (!block) return false;
	block->older = arena->blocks;
	block->size = step - sizeof(struct arena_block);
	arena->blocks = block;
	arena->taken += step;
	arena->used = 0;
	return true;
}

void *arena_alloc(struct arena *arena, size_t size) {
	if (size == 0) size = 1; /* so that every piece has an address of its own */

	void *piece = arena_carve(arena, size);
	if (piece) return piece;
	if (!arena_grow(arena, size)) return NULL;
	return arena_carve(arena, size);
}

void *arena_zero(struct arena *arena, size_t size) {
	void *piece = arena_alloc(arena, size);
	if (piece) memset(piece, 0, size);
	return piece;
}

bool arena_copy(struct arena *arena, struct slice slice, struct slice *copy) {
	if (slice.length == SIZE_MAX) return false;

	char *bytes = arena_alloc(arena, slice.length + 1);
	if (!bytes) return false;
	if (slice.length) memcpy(bytes, slice.bytes, slice.length);
	bytes[slice.length] = '\0';
	*copy = slice_make(bytes, slice.length);
	return true;
}
