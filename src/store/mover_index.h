/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mover index: where in the spools the envelopes lie that are not in the archive yet.
 *
 * An entry is some 24 octets, so that a topic's envelopes can be gathered from many places and become
 * one row. Entries stand in the order of the spools until mover_index_sort() puts those of a topic side
 * by side, in their order; what is noted afterwards stands behind them. One taken for a transaction
 * is given back when that fails and is gone when it is committed.
 *
 * Topics are told apart by a hash of 32 bits: who reads the records looks at their names again. The
 * mover's alone, on its thread; segments are borrowed until none of their entries is left.
 */
#ifndef HUSTINGS_STORE_MOVER_INDEX_H
#define HUSTINGS_STORE_MOVER_INDEX_H

#include "base/fault.h"

#define MOVER_INDEX_LIMIT (256 * 1024) /* entries: 6 MiB; then everything is moved */

struct segment;

enum mover_entry_state {
	ENTRY_WAITS,
	ENTRY_TAKEN, /* by the transaction at hand */
	ENTRY_MOVED
};

struct mover_entry {
	struct segment *segment;
	uint32_t offset;
	uint32_t size : 30;
	uint32_t state : 2;
	uint32_t topic; /* its hash */
	uint32_t order;
};

struct mover_index {
	struct mover_entry *entries;
	size_t count;
	size_t capacity;
	size_t waiting; /* entries that are neither taken nor moved */
	size_t sorted;  /* so many at the front are in order of their topics */
	size_t at;      /* everything before is moved */
};

/* Memory for so many more. */
bool mover_index_reserve(struct mover_index *index, size_t more, struct fault *why) MUST_USE;
/* Into memory that was reserved. */
void mover_index_add(struct mover_index *index, struct segment *segment, int64_t offset, size_t size,
	uint32_t topic);
/* Side by side by topic: everything that is there, when nothing sorted is left. */
void mover_index_sort(struct mover_index *index);
void mover_index_take(struct mover_index *index, size_t at);
/* Entries from .. to-1 that are taken are moved, or wait again. */
void mover_index_done(struct mover_index *index, size_t from, size_t to, bool is_moved);
void mover_index_finish(struct mover_index *index);

#endif
