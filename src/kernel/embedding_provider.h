/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Embedding provider: texts go to the configured address, vectors come back (kernel/embedding_wire.h).
 *
 * Only that one address is asked, no redirect is followed, and the key goes there alone and into no log. Every
 * answer is bounded in octets and time, and all vectors have as many numbers: those of the configuration, else
 * of the first answer. What went wrong is told in one word that says what to do next. Loop 0. Owned:
 * embedding_provider_open(), embedding_provider_close() after its asks were cancelled or done.
 */
#ifndef HUSTINGS_KERNEL_EMBEDDING_PROVIDER_H
#define HUSTINGS_KERNEL_EMBEDDING_PROVIDER_H

#include "kernel/embedding_wire.h"
#include "net/loop.h"

struct embeddings_settings { /* [kernel.embeddings]; plain data */
	const char *url;     /* NULL: none is asked */
	const char *model;
	const char *key;    /* NULL: none is sent */
	int64_t timeout_ms; /* of a question's vector */
	int64_t batch;      /* texts in one request */
	int64_t dimensions; /* 0: as many as the model has */
};

enum embedding_outcome {
	EMBEDDING_DONE,
	EMBEDDING_LATER,    /* unreachable, too slow, too many requests, an error of its own */
	EMBEDDING_TOO_MUCH, /* it may take fewer texts at once, or not this one */
	EMBEDDING_UNSOUND,  /* an answer that is none */
	EMBEDDING_REFUSED,  /* it will not answer as things are configured */
};

struct embedding_provider;
struct embedding_ask;

/* Exactly once, not from inside of embedding_provider_ask(), unless cancelled. Of EMBEDDING_DONE the vectors are the
 * receiver's to free; else `why` says what happened and retry_after_ms (0: unsaid) what the provider wishes. */
typedef void embedding_told(void *context, enum embedding_outcome outcome, struct search_vector **vectors,
	uint64_t retry_after_ms, const struct fault *why);

/* The settings are copied. */
struct embedding_provider *embedding_provider_open(struct loop *loop, const struct embeddings_settings *settings,
	struct fault *why) MUST_USE;
void embedding_provider_close(struct embedding_provider *provider); /* NULL is fine */
/* At most EMBEDDING_BATCH texts, which are copied. */
struct embedding_ask *embedding_provider_ask(struct embedding_provider *provider, const struct slice *texts,
	size_t count, uint64_t deadline_ms, embedding_told *told, void *context, struct fault *why) MUST_USE;
void embedding_ask_cancel(struct embedding_ask *ask); /* NULL is fine */

#endif
