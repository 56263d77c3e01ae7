/* SPDX-License-Identifier: Apache-2.0 */
/* Embedding cache: a map, and a list of those that wait for a user or their end. */
#include "kernel/embedding_cache.h"

#include <stdlib.h>

static struct slice key_of(const uint8_t digest[SECRET_HASH_SIZE]) {
	return slice_make(digest, SECRET_HASH_SIZE);
}

static size_t octets_of(const struct search_vector *vector) {
	size_t own = sizeof(struct embedding) + 2 * sizeof(struct map_entry);
	return own + search_vector_octets(search_vector_dimensions(vector));
}

void embedding_cache_init(struct embedding_cache *cache) {
	*cache = (struct embedding_cache){.most_octets = EMBEDDING_CACHE_OCTETS};
	map_init(&cache->by_digest);
	list_init(&cache->idle);
}

static void forget(struct embedding_cache *cache, struct embedding *embedding) {
	list_remove(&embedding->idle);
	cache->idle_count--;
	cache->octets -= octets_of(embedding->vector);
	map_remove(&cache->by_digest, key_of(embedding->digest));
	free(embedding->vector);
	free(embedding);
}

static void forget_oldest(struct embedding_cache *cache) {
	forget(cache, CONTAINER_OF(cache->idle.next, struct embedding, idle));
}

void embedding_cache_finish(struct embedding_cache *cache) {
	while (!list_is_empty(&cache->idle)) forget_oldest(cache);
	map_finish(&cache->by_digest);
}

static struct embedding *keep(struct embedding_cache *cache, struct embedding *embedding) {
	if (embedding->users++ > 0) return embedding;
	list_remove(&embedding->idle);
	list_init(&embedding->idle);
	cache->idle_count--;
	return embedding;
}

struct embedding *embedding_cache_find(struct embedding_cache *cache, const uint8_t digest[SECRET_HASH_SIZE]) {
	struct embedding *embedding = map_find(&cache->by_digest, key_of(digest));
	return embedding ? keep(cache, embedding) : NULL;
}

static struct embedding *embedding_make(struct embedding_cache *cache, const uint8_t digest[SECRET_HASH_SIZE],
	struct search_vector *vector) {
	struct embedding *embedding = calloc(1, sizeof *embedding);
	if (!embedding) return NULL;
	memcpy(embedding->digest, digest, SECRET_HASH_SIZE);
	embedding->vector = vector;
	embedding->users = 1;
	list_init(&embedding->idle);
	if (map_add(&cache->by_digest, key_of(embedding->digest), embedding, NULL)) return embedding;
	free(embedding);
	return NULL;
}

struct embedding *embedding_cache_put(struct embedding_cache *cache, const uint8_t digest[SECRET_HASH_SIZE],
	struct search_vector *vector) {
	struct embedding *embedding = embedding_cache_find(cache, digest);
	size_t octets = octets_of(vector);
	while (!embedding && cache->octets + octets > cache->most_octets && cache->idle_count > 0) forget_oldest(cache);
	if (!embedding && cache->octets + octets <= cache->most_octets) {
		embedding = embedding_make(cache, digest, vector);
		if (embedding) {
			cache->octets += octets;
			return embedding;
		}
	}
	free(vector);
	return embedding;
}

void embedding_cache_drop(struct embedding_cache *cache, struct embedding *embedding) {
	if (!embedding || --embedding->users > 0) return;
	list_append(&cache->idle, &embedding->idle);
	cache->idle_count++;
	if (cache->idle_count > EMBEDDING_CACHE_IDLE) forget_oldest(cache);
}
