/* SPDX-License-Identifier: Apache-2.0 */
/* Mover index: an array that grows at its end and is emptied from its front. */
#include "store/mover_index.h"

#include <stdlib.h>
#include <string.h>

bool mover_index_reserve(struct mover_index *index, size_t more, struct fault *why) {
	size_t capacity = index->capacity ? index->capacity : 256;
	while (capacity < index->count + more) capacity *= 2;
	if (capacity == index->capacity) return true;
	struct mover_entry *entries = realloc(index->entries, capacity * sizeof *entries);
	if (!entries) return fault_set(why, FAULT_NO_MEMORY, "no memory to move the spool");
	index->entries = entries;
	index->capacity = capacity;
	return true;
}

void mover_index_add(struct mover_index *index, struct segment *segment, int64_t offset, size_t size,
	uint32_t topic) {
	index->entries[index->count] = (struct mover_entry){
		.segment = segment,
		.offset = (uint32_t)offset,
		.size = (uint32_t)size & 0x3fffffff,
		.topic = topic,
		.order = (uint32_t)index->count,
	};
	index->count++;
	index->waiting++;
}

/* Nobody looks at entries that were moved; those behind stand in the order of the spools. */
static void drop_moved(struct mover_index *index) {
	size_t left = index->count - index->at;
	if (index->at && left)
		memmove(index->entries, index->entries + index->at, left * sizeof *index->entries);
	for (size_t i = 0; i < left; i++) index->entries[i].order = (uint32_t)i;
	index->count = left;
	index->at = index->sorted = 0;
}

static int compare(const void *a, const void *b) {
	const struct mover_entry *left = a, *right = b;
	if (left->topic != right->topic) return left->topic < right->topic ? -1 : 1;
	return left->order < right->order ? -1 : left->order > right->order;
}

void mover_index_sort(struct mover_index *index) {
	if (index->at < index->sorted) return;
	drop_moved(index);
	if (index->count) qsort(index->entries, index->count, sizeof *index->entries, compare);
	index->sorted = index->count;
}

void mover_index_take(struct mover_index *index, size_t at) {
	index->entries[at].state = ENTRY_TAKEN;
	index->waiting--;
}

void mover_index_done(struct mover_index *index, size_t from, size_t to, bool is_moved) {
	for (size_t i = from; i < to; i++) {
		struct mover_entry *entry = &index->entries[i];
		if (entry->state != ENTRY_TAKEN) continue;
		entry->state = is_moved ? ENTRY_MOVED : ENTRY_WAITS;
		if (!is_moved) index->waiting++;
	}
	if (is_moved && index->waiting == 0) index->count = index->sorted = index->at = 0;
}

void mover_index_finish(struct mover_index *index) {
	free(index->entries);
	*index = (struct mover_index){0};
}
