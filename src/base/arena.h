/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arena: memory that lives as long as one piece of work and goes all at once.
 *
 * Starts in a block the owner lends (often on the stack or in the loop), grows by blocks from
 * malloc up to its limit; arena_reset() returns to the lent block. Pointers handed out are valid
 * until reset or finish. Aligned for any type.
 */
#ifndef HUSTINGS_BASE_ARENA_H
#define HUSTINGS_BASE_ARENA_H

#include "base/dialect.h"
#include "base/text.h"

struct arena_block;

struct arena {
	char *lent;
	size_t lent_size;
	size_t used;                /* of the block in use */
	size_t limit;               /* octets of all blocks; 0: 64 MiB */
	size_t taken;               /* octets asked of malloc */
	struct arena_block *blocks; /* the newest first; NULL while the lent block does */
};

void arena_init(struct arena *arena, void *lent, size_t lent_size, size_t limit);
void arena_reset(struct arena *arena);
void arena_finish(struct arena *arena);
void *arena_alloc(struct arena *arena, size_t size) MUST_USE; /* NULL: no memory or limit; not zeroed */
void *arena_zero(struct arena *arena, size_t size) MUST_USE;
bool arena_copy(struct arena *arena, struct slice slice, struct slice *copy) MUST_USE; /* NUL ended */

#endif
