/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Embedding cache: vectors by the SHA-256 of the text that they were made of. Tools with one text share one vector; a
 * vector that nobody uses any more stays a while, so that a server that restarts, or a question that is asked
 * again, costs no request. Memory alone: after a restart of the gateway a catalogue of 3,000 tools is a few
 * dozen requests, and what a model made of them is nothing to keep on disk. Bounded by count and octets.
 * Lies in its owner's; loop 0.
 */
#ifndef HUSTINGS_KERNEL_EMBEDDING_CACHE_H
#define HUSTINGS_KERNEL_EMBEDDING_CACHE_H

#include "base/list.h"
#include "base/map.h"
#include "base/secret.h"
#include "search/search_vector.h"

#define EMBEDDING_CACHE_IDLE 2048                          /* vectors that nobody uses */
#define EMBEDDING_CACHE_OCTETS ((size_t)256 * 1024 * 1024) /* of all of them */

struct embedding {        /* counted */
	struct link idle; /* nobody uses it */
	size_t users;
	struct search_vector *vector;
	uint8_t digest[SECRET_HASH_SIZE];
};

struct embedding_cache {
	struct map by_digest;
	struct link idle; /* the one that was left first comes first */
	size_t idle_count, octets;
	size_t most_octets;
};

void embedding_cache_init(struct embedding_cache *cache);
/* After every one was dropped. */
void embedding_cache_finish(struct embedding_cache *cache);
/* Kept for the caller; NULL: there is none. */
struct embedding *embedding_cache_find(struct embedding_cache *cache, const uint8_t digest[SECRET_HASH_SIZE]);
/* Takes the vector; kept for the caller, the one that is there already if there is one. NULL: no memory, or
 * too many octets are used; then the vector is gone. */
struct embedding *embedding_cache_put(struct embedding_cache *cache, const uint8_t digest[SECRET_HASH_SIZE],
	struct search_vector *vector) MUST_USE;
void embedding_cache_drop(struct embedding_cache *cache, struct embedding *embedding); /* NULL is fine */

#endif
