/* SPDX-License-Identifier: Apache-2.0 */
/* Recent: open addressing over a ring; the oldest goes when the ring is full. */
#include "room/recent.h"

#include <stdlib.h>
#include <string.h>

void recent_init(struct recent *recent) { *recent = (struct recent){0}; }

void recent_finish(struct recent *recent) {
	free(recent->ring);
	free(recent->table);
	recent_init(recent);
}

static uint32_t table_mask(const struct recent *recent) { return recent->capacity * 2 - 1; }

/* A place holds half of the hash above an index + 1, so that neither a search nor the closing of a gap
 * looks into the ring for what is not wanted: that would be one more miss of the cache each. */
static uint64_t place_of(uint64_t id_hash, uint32_t index) { return id_hash << 32 | (index + 1); }

static uint32_t place_index(uint64_t place) { return (uint32_t)place - 1; }

static uint32_t place_hash(uint64_t place) { return (uint32_t)(place >> 32); }

static void table_put(struct recent *recent, uint32_t index) {
	uint64_t id_hash = recent->ring[index].id_hash;
	uint32_t mask = table_mask(recent), at = (uint32_t)id_hash & mask;
	while (recent->table[at]) at = (at + 1) & mask;
	recent->table[at] = place_of(id_hash, index);
}

/* Takes an index out and closes the gap, so that no search ends too early. */
static void table_remove(struct recent *recent, uint32_t index) {
	uint32_t mask = table_mask(recent), at = (uint32_t)recent->ring[index].id_hash & mask;
	while (place_index(recent->table[at]) != index) at = (at + 1) & mask;

	uint32_t hole = at;
	for (at = (at + 1) & mask; recent->table[at]; at = (at + 1) & mask) {
		uint32_t wants = place_hash(recent->table[at]) & mask;
		if (((at - wants) & mask) < ((at - hole) & mask)) continue;
		recent->table[hole] = recent->table[at];
		hole = at;
	}
	recent->table[hole] = 0;
}

void recent_expect(const struct recent *recent, uint64_t id_hash) {
	if (recent->count == 0) return;
	uint32_t mask = table_mask(recent);
	__builtin_prefetch(&recent->table[(uint32_t)id_hash & mask], 1);
	if (recent->count < recent->capacity) return;
	__builtin_prefetch(&recent->table[(uint32_t)recent->ring[recent->next].id_hash & mask], 1);
}

const struct recent_id *recent_find(const struct recent *recent, uint64_t id_hash) {
	if (recent->count == 0) return NULL;
	uint32_t mask = table_mask(recent), at = (uint32_t)id_hash & mask;
	for (uint64_t place; (place = recent->table[at]); at = (at + 1) & mask) {
		if (place_hash(place) != (uint32_t)id_hash) continue;
		const struct recent_id *seen = &recent->ring[place_index(place)];
		if (seen->id_hash == id_hash) return seen;
	}
	return NULL;
}

static bool grow(struct recent *recent) {
	uint32_t capacity = recent->capacity ? recent->capacity * 2 : 16;
	struct recent_id *ring = malloc(capacity * sizeof *ring);
	uint64_t *table = calloc((size_t)capacity * 2, sizeof *table);
	if (!ring || !table) {
		free(ring);
		free(table);
		return false;
	}
	/* It only grows while nothing was thrown out, so the ring begins at 0. */
	if (recent->count) memcpy(ring, recent->ring, recent->count * sizeof *ring);
	free(recent->ring);
	free(recent->table);
	recent->ring = ring;
	recent->table = table;
	recent->capacity = capacity;
	recent->next = recent->count;
	for (uint32_t index = 0; index < recent->count; index++) table_put(recent, index);
	return true;
}

bool recent_reserve(struct recent *recent) {
	if (recent->count < recent->capacity || recent->capacity == RECENT_IDS) return true;
	return grow(recent);
}

void recent_add(struct recent *recent, uint64_t id_hash, uint64_t text_hash) {
	uint32_t index = recent->next;
	if (recent->count == recent->capacity)
		table_remove(recent, index);
	else
		recent->count++;
	recent->ring[index] = (struct recent_id){id_hash, text_hash};
	table_put(recent, index);
	recent->next = (index + 1) & (recent->capacity - 1);
}
