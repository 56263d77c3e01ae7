/* SPDX-License-Identifier: Apache-2.0 */
/* Tool vectors: what waits, what is under way, and how long to pause. */
#include "kernel/tool_vectors.h"

#include "kernel/embedding_text.h"

#include <stdlib.h>

#define GATHER_MS 20        /* tools come one after the other: they go together */
#define REQUEST_MS 30000    /* of one request */
#define PAUSE_LEAST_MS 1000 /* after a failure */
#define PAUSE_MOST_MS 300000
#define UNSOUND_MOST 3 /* answers in a row that are none, or say no to a single text */

static void pump(struct tool_vectors *vectors);

struct slice tool_vector_server(const struct tool_vector *tool) {
	return slice_make(tool->key, tool->server_length);
}

struct slice tool_vector_name(const struct tool_vector *tool) {
	return slice_make(tool->key + tool->server_length + 1, tool->key_length - tool->server_length - 1);
}

void tool_vectors_init(struct tool_vectors *vectors, struct loop *loop, struct log *log,
	struct embedding_provider *provider, size_t batch_most) {
	*vectors = (struct tool_vectors){
		.loop = loop,
		.log = log,
		.provider = provider,
		.batch_most = batch_most,
		.batch_now = batch_most,
	};
	embedding_cache_init(&vectors->cache);
	map_init(&vectors->by_key);
	list_init(&vectors->waiting);
	for (size_t i = 0; i < TOOL_VECTORS_AT_ONCE; i++) vectors->batches[i].vectors = vectors;
}

/* ---- One tool ---- */

static void leave(struct tool_vector *tool) {
	list_remove(&tool->waiting);
	if (tool->batch) tool->batch->tools[tool->in_batch] = NULL;
	tool->batch = NULL;
}

static void tool_free(struct tool_vectors *vectors, struct tool_vector *tool) {
	leave(tool);
	if (!tool->embedding) vectors->missing--;
	embedding_cache_drop(&vectors->cache, tool->embedding);
	map_remove(&vectors->by_key, slice_make(tool->key, tool->key_length));
	free(tool->text);
	free(tool);
}

void tool_vectors_finish(struct tool_vectors *vectors) {
	void *each;
	deadline_clear(&vectors->pause);
	for (size_t i = 0; i < TOOL_VECTORS_AT_ONCE; i++) embedding_ask_cancel(TAKE(vectors->batches[i].ask));
	for (size_t at = 0; map_each(&vectors->by_key, &at, &each);) tool_free(vectors, each);
	map_finish(&vectors->by_key);
	embedding_cache_finish(&vectors->cache);
}

static bool key_write(struct text *key, struct slice server, struct slice name) {
	text_init(key, 0);
	text_add(key, server);
	text_add_char(key, '\0');
	text_add(key, name);
	return !text_failed(key);
}

static struct tool_vector *tool_make(struct tool_vectors *vectors, struct slice key, size_t server_length) {
	struct tool_vector *tool = calloc(1, sizeof *tool + key.length);
	if (!tool) return NULL;
	memcpy(tool->key, key.bytes, key.length);
	tool->key_length = (uint32_t)key.length;
	tool->server_length = (uint32_t)server_length;
	list_init(&tool->waiting);
	if (map_add(&vectors->by_key, slice_make(tool->key, tool->key_length), tool, NULL)) {
		vectors->missing++;
		return tool;
	}
	free(tool);
	return NULL;
}

static void settle(struct tool_vectors *vectors, struct tool_vector *tool, struct embedding *embedding) {
	tool->embedding = embedding;
	if (embedding) vectors->missing--;
	free(TAKE(tool->text));
}

/* Another definition of a tool is another text: its vector goes, and the tool waits for the new one. */
static void ask_for(struct tool_vectors *vectors, struct tool_vector *tool,
	const uint8_t digest[SECRET_HASH_SIZE], char *text) {
	leave(tool);
	if (tool->embedding) {
		embedding_cache_drop(&vectors->cache, TAKE(tool->embedding));
		vectors->missing++;
	}
	free(tool->text);
	tool->text = text;
	memcpy(tool->digest, digest, SECRET_HASH_SIZE);
	struct embedding *embedding = embedding_cache_find(&vectors->cache, digest);
	if (embedding) {
		settle(vectors, tool, embedding);
		return;
	}
	list_append(&vectors->waiting, &tool->waiting);
	pump(vectors);
}

static bool is_full(struct tool_vectors *vectors) {
	if (vectors->by_key.count < TOOL_VECTORS_MOST) return false;
	if (!vectors->is_full_told)
		log_write(vectors->log, LOG_WARNING,
			"embeddings: %d tools have a vector or wait for one; others are found by words alone", TOOL_VECTORS_MOST);
	return vectors->is_full_told = true;
}

void tool_vectors_put(struct tool_vectors *vectors, struct slice server, struct slice name, struct slice definition) {
	AUTO_TEXT struct text key = {0}, text = {0};
	uint8_t digest[SECRET_HASH_SIZE];
	text_init(&text, 0);
	embedding_text_write(&text, server, name, definition);
	if (!key_write(&key, server, name) || text_failed(&text) || !secret_hash(text_slice(&text), digest)) return;
	struct tool_vector *tool = map_find(&vectors->by_key, text_slice(&key));
	if (tool && memcmp(tool->digest, digest, sizeof digest) == 0) return;
	if (!tool && is_full(vectors)) return;
	if (!tool) tool = tool_make(vectors, text_slice(&key), server.length);
	if (tool) ask_for(vectors, tool, digest, text_take(&text));
}

void tool_vectors_remove(struct tool_vectors *vectors, struct slice server, struct slice name) {
	AUTO_TEXT struct text key = {0};
	struct tool_vector *tool = key_write(&key, server, name) ? map_find(&vectors->by_key, text_slice(&key)) : NULL;
	if (tool) tool_free(vectors, tool);
}

/* ---- After a request ---- */

void tool_vectors_turn_off(struct tool_vectors *vectors, const struct fault *why) {
	if (!vectors->is_off)
		log_write(vectors->log, LOG_ERROR, "embeddings: the provider is asked no more until kernel.embeddings changes: %s",
			why->text);
	vectors->is_off = true;
}

static void pause_over(struct deadline *deadline) {
	pump(CONTAINER_OF(deadline, struct tool_vectors, pause));
}

static void pause_for(struct tool_vectors *vectors, uint64_t wished_ms, const struct fault *why) {
	uint64_t twice = vectors->pause_ms * 2 > PAUSE_LEAST_MS ? vectors->pause_ms * 2 : PAUSE_LEAST_MS;
	vectors->pause_ms = twice < PAUSE_MOST_MS ? twice : PAUSE_MOST_MS;
	uint64_t due_ms = wished_ms > vectors->pause_ms ? wished_ms : vectors->pause_ms;
	log_write(vectors->log, LOG_WARNING, "embeddings: no vectors for %zu tools yet, the next try is in %llu s: %s",
		vectors->missing, (unsigned long long)(due_ms / 1000), why->text);
	deadline_set(vectors->loop, &vectors->pause, due_ms, pause_over);
}

/* Back to where they waited, in their order. */
static void give_back(struct tool_vector_batch *batch) {
	for (size_t i = batch->count; i-- > 0;) {
		struct tool_vector *tool = batch->tools[i];
		if (!tool) continue;
		leave(tool);
		list_prepend(&batch->vectors->waiting, &tool->waiting);
	}
}

static void give_up(struct tool_vector_batch *batch, const struct fault *why) {
	for (size_t i = 0; i < batch->count; i++) {
		struct tool_vector *tool = batch->tools[i];
		if (!tool) continue;
		log_write(batch->vectors->log, LOG_WARNING, "embeddings: tool %.*s of server %.*s is found by words alone: %s",
			SLICE_ARGS(tool_vector_name(tool)), SLICE_ARGS(tool_vector_server(tool)), why->text);
		leave(tool);
		free(TAKE(tool->text));
	}
}

static void take_vectors(struct tool_vector_batch *batch, struct search_vector **made) {
	struct tool_vectors *vectors = batch->vectors;
	for (size_t i = 0; i < batch->count; i++) {
		struct tool_vector *tool = batch->tools[i];
		if (!tool) {
			free(made[i]);
			continue;
		}
		leave(tool);
		settle(vectors, tool, embedding_cache_put(&vectors->cache, tool->digest, made[i]));
	}
	vectors->pause_ms = 0;
	vectors->unsound = 0;
	vectors->batch_now = vectors->batch_now * 2 < vectors->batch_most ? vectors->batch_now * 2 : vectors->batch_most;
}

static void too_much(struct tool_vector_batch *batch, const struct fault *why) {
	struct tool_vectors *vectors = batch->vectors;
	if (batch->count == 1) {
		give_up(batch, why);
		if (++vectors->unsound >= UNSOUND_MOST) tool_vectors_turn_off(vectors, why);
		return;
	}
	give_back(batch);
	vectors->batch_now = batch->count / 2;
}

static void told(void *context, enum embedding_outcome outcome, struct search_vector **made, uint64_t retry_after_ms,
	const struct fault *why) {
	struct tool_vector_batch *batch = context;
	struct tool_vectors *vectors = batch->vectors;
	batch->ask = NULL;
	switch (outcome) {
	case EMBEDDING_DONE: take_vectors(batch, made); break;
	case EMBEDDING_TOO_MUCH: too_much(batch, why); break;
	case EMBEDDING_UNSOUND:
	case EMBEDDING_LATER:
		give_back(batch);
		if (outcome == EMBEDDING_UNSOUND && ++vectors->unsound >= UNSOUND_MOST) tool_vectors_turn_off(vectors, why);
		else pause_for(vectors, retry_after_ms, why);
		break;
	case EMBEDDING_REFUSED:
		give_back(batch);
		tool_vectors_turn_off(vectors, why);
		break;
	}
	if (outcome == EMBEDDING_DONE || outcome == EMBEDDING_TOO_MUCH) pump(vectors);
}

/* ---- A request ---- */

static void fill(struct tool_vector_batch *batch, struct slice *texts) {
	struct tool_vectors *vectors = batch->vectors;
	batch->count = 0;
	while (batch->count < vectors->batch_now && !list_is_empty(&vectors->waiting)) {
		struct tool_vector *tool = CONTAINER_OF(list_pop(&vectors->waiting), struct tool_vector, waiting);
		tool->batch = batch;
		tool->in_batch = batch->count;
		texts[batch->count] = slice_of(tool->text);
		batch->tools[batch->count++] = tool;
	}
}

static void send_batches(struct tool_vectors *vectors) {
	struct slice texts[EMBEDDING_BATCH];
	for (size_t i = 0; i < TOOL_VECTORS_AT_ONCE && !list_is_empty(&vectors->waiting); i++) {
		struct tool_vector_batch *batch = &vectors->batches[i];
		struct fault why;
		if (batch->ask) continue;
		fill(batch, texts);
		batch->ask = embedding_provider_ask(vectors->provider, texts, batch->count, REQUEST_MS, told, batch, &why);
		if (batch->ask) continue;
		give_back(batch);
		pause_for(vectors, 0, &why);
		return;
	}
}

static void gathered(struct deadline *deadline) {
	send_batches(CONTAINER_OF(deadline, struct tool_vectors, pause));
}

static void pump(struct tool_vectors *vectors) {
	if (vectors->is_off || vectors->pause.at || list_is_empty(&vectors->waiting)) return;
	deadline_set(vectors->loop, &vectors->pause, GATHER_MS, gathered);
}
