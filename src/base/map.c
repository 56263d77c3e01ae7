/* SPDX-License-Identifier: Apache-2.0 */
/* Map: linear probing over a power of two; removed places are remembered until the next growth. */
#include "base/map.h"
#include "base/ident.h"

#include <endian.h>
#include <stdlib.h>

#define SMALLEST_CAPACITY 8

void map_init(struct map *map) {
	*map = (struct map){0};
	ident_random(map->seed, sizeof(map->seed));
}

void map_finish(struct map *map) {
	free(map->entries);
	map->entries = NULL;
	map->capacity = map->count = map->filled = 0;
}

static uint64_t turned_left(uint64_t word, int by) { return word << by | word >> (64 - by); }

static uint64_t word_read(const unsigned char *octets) {
	uint64_t word;
	memcpy(&word, octets, sizeof(word));
	return le64toh(word);
}

static uint64_t tail_read(const unsigned char *octets, size_t count) {
	uint64_t word = 0;
	for (size_t i = 0; i < count; i++) word |= (uint64_t)octets[i] << (8 * i);
	return word;
}

struct sip {
	uint64_t a, b, c, d;
};

static void sip_round(struct sip *sip) {
	sip->a += sip->b;
	sip->c += sip->d;
	sip->b = turned_left(sip->b, 13) ^ sip->a;
	sip->d = turned_left(sip->d, 16) ^ sip->c;
	sip->a = turned_left(sip->a, 32);
	sip->c += sip->b;
	sip->a += sip->d;
	sip->b = turned_left(sip->b, 17) ^ sip->c;
	sip->d = turned_left(sip->d, 21) ^ sip->a;
	sip->c = turned_left(sip->c, 32);
}

/* SipHash-1-3, after Aumasson and Bernstein, "SipHash: a fast short-input PRF". */
uint64_t map_hash(const uint64_t seed[2], struct slice key) {
	const unsigned char *octets = (const unsigned char *)key.bytes;
	size_t tail = key.length % 8;
	struct sip sip = {
		.a = seed[0] ^ 0x736f6d6570736575u,
		.b = seed[1] ^ 0x646f72616e646f6du,
		.c = seed[0] ^ 0x6c7967656e657261u,
		.d = seed[1] ^ 0x7465646279746573u,
	};
	for (size_t at = 0; at < key.length - tail; at += 8) {
		uint64_t word = word_read(octets + at);
		sip.d ^= word;
		sip_round(&sip);
		sip.a ^= word;
	}
	uint64_t last = (uint64_t)key.length << 56;
	if (tail) last |= tail_read(octets + key.length - tail, tail);
	sip.d ^= last;
	sip_round(&sip);
	sip.a ^= last;
	sip.c ^= 0xff;
	for (int i = 0; i < 3; i++) sip_round(&sip);
	return sip.a ^ sip.b ^ sip.c ^ sip.d;
}

/* Both halves of the product, so that every bit of either factor counts. */
static uint64_t folded(uint64_t one, uint64_t other) {
	unsigned __int128 product = (unsigned __int128)one * other;
	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint64_t map_digest(uint64_t key, struct slice text) {
	const unsigned char *octets = (const unsigned char *)text.bytes;
	uint64_t digest = key ^ 0x9e3779b97f4a7c15u, own = turned_left(key, 23) ^ 0xd1b54a32d192ed03u;
	size_t left = text.length;
	for (; left >= 16; left -= 16, octets += 16)
		digest = folded(word_read(octets) ^ digest, word_read(octets + 8) ^ own);
	size_t first = left < 8 ? left : 8;
	digest = folded(tail_read(octets, first) ^ digest, tail_read(octets + first, left - first) ^ own);
	return folded(digest ^ text.length, own ^ 0x8cb92ba72f3d8dd7u);
}

/* Half of it: the place, and a look that seldom goes on to the key. */
static uint32_t short_hash(const struct map *map, struct slice key) {
	return (uint32_t)map_hash(map->seed, key);
}

static bool entry_is_free(const struct map_entry *entry) {
	return !entry->value && !entry->key;
}

/* The capacity is never full, so the walk ends at a free place. */
static struct map_entry *map_place(const struct map *map, struct slice key, uint32_t hash) {
	size_t mask = map->capacity - 1;
	if (!map->capacity) return NULL;

	for (size_t at = hash & mask;; at = (at + 1) & mask) {
		struct map_entry *entry = &map->entries[at];
		if (entry_is_free(entry)) return NULL;
		if (!entry->value || entry->hash != hash) continue;
		if (slice_equal(slice_make(entry->key, entry->key_length), key)) return entry;
	}
}

void *map_find(const struct map *map, struct slice key) {
	if (!map->count) return NULL;
	struct map_entry *entry = map_place(map, key, short_hash(map, key));
	return entry ? entry->value : NULL;
}

static void map_put(struct map *map, const struct map_entry *new) {
	uint32_t hash = new->hash;
	size_t mask = map->capacity - 1;
	size_t at = hash & mask;
	while (map->entries[at].value) at = (at + 1) & mask;
	if (entry_is_free(&map->entries[at])) map->filled++;
	map->entries[at] = *new;
	map->count++;
}

/* Room for one more, with at most three quarters filled; removed places are forgotten. */
static bool map_grow(struct map *map) {
	if (map->filled + 1 <= map->capacity / 4 * 3) return true;

	size_t capacity = SMALLEST_CAPACITY;
	while (capacity / 2 < map->count + 1) capacity *= 2;
	struct map larger = *map;
	larger.entries = calloc(capacity, sizeof(*larger.entries));
	if (!larger.entries) return false;
	larger.capacity = capacity;
	larger.count = larger.filled = 0;
	for (size_t at = 0; at < map->capacity; at++)
		if (map->entries[at].value) map_put(&larger, &map->entries[at]);
	free(map->entries);
	*map = larger;
	return true;
}

bool map_add(struct map *map, struct slice key, void *value, void **existing) {
	if (!value) return false; /* NULL is how a place says that it is free */

	uint32_t hash = short_hash(map, key);
	struct map_entry *entry = map_place(map, key, hash);
	if (entry) {
		if (existing) *existing = entry->value;
		return false;
	}
	if (existing) *existing = NULL;
	if (!map_grow(map)) return false;
	const struct map_entry new = {
		.key = key.bytes ? key.bytes : "",
		.value = value,
		.key_length = (uint32_t)key.length,
		.hash = hash,
	};
	map_put(map, &new);
	return true;
}

void map_rekey(struct map *map, struct slice key) {
	struct map_entry *entry = map_place(map, key, short_hash(map, key));
	if (entry && key.length) entry->key = key.bytes;
}

void *map_remove(struct map *map, struct slice key) {
	struct map_entry *entry = map_place(map, key, short_hash(map, key));
	if (!entry) return NULL;

	void *value = entry->value;
	size_t mask = map->capacity - 1;
	size_t at = (size_t)(entry - map->entries);
	/* The key may be freed with its value: the place keeps no pointer into it. */
	*entry = (struct map_entry){.key = ""};
	map->count--;

	/* Removed places before a free one keep no chain together: they are free again. */
	while (entry_is_free(&map->entries[(at + 1) & mask]) && !map->entries[at].value &&
		!entry_is_free(&map->entries[at])) {
		map->entries[at].key = NULL;
		map->filled--;
		at = (at - 1) & mask;
	}
	return value;
}

bool map_each(const struct map *map, size_t *at, void **value) {
	for (; *at < map->capacity; ++*at) {
		if (!map->entries[*at].value) continue;
		*value = map->entries[(*at)++].value;
		return true;
	}
	return false;
}
