/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Map: from a slice to a pointer, open addressing, keyed hash (so that chosen keys cannot collide).
 *
 * The map copies neither keys nor values: a key must live as long as its entry (usually it is a
 * field of the value). Owned: map_finish() frees the table alone. Adding or removing during
 * map_each is not allowed, except removing the entry at hand.
 */
#ifndef HUSTINGS_BASE_MAP_H
#define HUSTINGS_BASE_MAP_H

#include "base/dialect.h"
#include "base/text.h"

struct map_entry { /* small: every room has a table of them */
	const char *key;
	void *value; /* NULL: free, or removed when key is not NULL */
	uint32_t key_length;
	uint32_t hash;
};

struct map {
	struct map_entry *entries;
	size_t capacity; /* a power of two, or 0 */
	size_t count;
	size_t filled; /* with the removed ones */
	uint64_t seed[2];
};

void map_init(struct map *map);
void map_finish(struct map *map);
void *map_find(const struct map *map, struct slice key);
/* Keys are shorter than 4 GiB. False: no memory, or the key is there already (then *existing, when asked for, is its value). */
bool map_add(struct map *map, struct slice key, void *value, void **existing) MUST_USE;
void *map_remove(struct map *map, struct slice key); /* the value, NULL: was not there */
/* The key of that entry, if there is one, lives from now on where this equal one lives. */
void map_rekey(struct map *map, struct slice key);
/* for (size_t at = 0; map_each(map, &at, &value);) */
bool map_each(const struct map *map, size_t *at, void **value);

uint64_t map_hash(const uint64_t seed[2], struct slice key); /* SipHash-1-3 or as strong */
/* Tells long texts apart, several times as quick: no defence against who may choose among many texts
 * and gains by two that are alike. The same on every machine. */
uint64_t map_digest(uint64_t key, struct slice text);

#endif
