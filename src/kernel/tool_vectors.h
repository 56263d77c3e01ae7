/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tool vectors: the vector of each tool in the index (kernel/tool_index.h), fetched in the background.
 *
 * Tools that are new wait for their turn, some dozen of them go to the provider in one request, two requests
 * at a time. After a failure it is tried again later and later, up to five minutes; a request that is too
 * much is tried with half of its tools; a provider that refuses is asked no more until the configuration
 * changes. Tools without a vector are found by their words. Bounded: TOOL_VECTORS_MOST tools, octets of
 * vectors (kernel/embedding_cache.h). Lies in its owner's; loop 0.
 */
#ifndef HUSTINGS_KERNEL_TOOL_VECTORS_H
#define HUSTINGS_KERNEL_TOOL_VECTORS_H

#include "base/log.h"
#include "kernel/embedding_cache.h"
#include "kernel/embedding_provider.h"

#define TOOL_VECTORS_MOST 65536
#define TOOL_VECTORS_AT_ONCE 2 /* requests */

struct tool_vectors;

struct tool_vector {
	struct link waiting; /* for its turn */
	struct tool_vector_batch *batch;
	size_t in_batch;
	struct embedding *embedding; /* NULL: not yet */
	char *text;                  /* what is sent; NULL: there is a vector, or there will be none */
	uint8_t digest[SECRET_HASH_SIZE];
	uint32_t server_length, key_length;
	char key[]; /* server, NUL, name */
};

struct tool_vector_batch {
	struct tool_vectors *vectors;
	struct embedding_ask *ask;                  /* NULL: it is free */
	struct tool_vector *tools[EMBEDDING_BATCH]; /* NULL: it has left */
	size_t count;
};

struct tool_vectors {
	struct loop *loop;
	struct log *log;
	struct embedding_provider *provider;
	struct embedding_cache cache;
	struct map by_key;
	struct link waiting;
	struct tool_vector_batch batches[TOOL_VECTORS_AT_ONCE];
	struct deadline pause;
	uint64_t pause_ms; /* the last one; 0: the last request went well */
	size_t batch_most, batch_now;
	size_t missing;   /* tools without a vector */
	unsigned unsound; /* answers in a row */
	bool is_full_told, is_off;
};

/* Borrows the provider until tool_vectors_finish(). */
void tool_vectors_init(struct tool_vectors *vectors, struct loop *loop, struct log *log,
	struct embedding_provider *provider, size_t batch_most);
void tool_vectors_finish(struct tool_vectors *vectors);

void tool_vectors_put(struct tool_vectors *vectors, struct slice server, struct slice name, struct slice definition);
void tool_vectors_remove(struct tool_vectors *vectors, struct slice server, struct slice name);
/* The provider refuses: nothing is asked from now on. Says so once. */
void tool_vectors_turn_off(struct tool_vectors *vectors, const struct fault *why);

struct slice tool_vector_server(const struct tool_vector *tool);
struct slice tool_vector_name(const struct tool_vector *tool);

#endif
