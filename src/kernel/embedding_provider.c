/* SPDX-License-Identifier: Apache-2.0 */
/* Embedding provider: one request at a time for each ask. */
#include "kernel/embedding_provider.h"

#include "base/secret.h"
#include "net/fetch.h"

#include <stdlib.h>

#define RETRY_MOST_S 300 /* of Retry-After */

struct embedding_provider {
	struct fetch_desk *desk;
	char *url, *model;
	struct text authorization; /* the header; empty: none */
	size_t dimensions;         /* 0: not known yet */
	bool is_asked_for;         /* the number of them is sent along */
};

struct embedding_ask {
	struct embedding_provider *provider;
	struct fetch *fetch;
	embedding_told *told;
	void *context;
	size_t count;
	uint64_t retry_after_ms;
};

struct embedding_provider *embedding_provider_open(struct loop *loop, const struct embeddings_settings *settings,
	struct fault *why) {
	struct embedding_provider *provider = calloc(1, sizeof *provider);
	if (!provider) return fault_null(why, FAULT_NO_MEMORY, "no memory for the embeddings provider");
	text_init(&provider->authorization, 0);
	if (settings->key) text_printf(&provider->authorization, "Authorization: Bearer %s", settings->key);
	provider->url = strdup(settings->url);
	provider->model = strdup(settings->model);
	provider->dimensions = (size_t)settings->dimensions;
	provider->is_asked_for = settings->dimensions > 0;
	provider->desk = fetch_desk_open(loop, why);
	if (provider->desk && provider->url && provider->model && !text_failed(&provider->authorization)) return provider;
	if (provider->desk) fault_set(why, FAULT_NO_MEMORY, "no memory for the embeddings provider");
	embedding_provider_close(provider);
	return NULL;
}

void embedding_provider_close(struct embedding_provider *provider) {
	if (!provider) return;
	fetch_desk_close(provider->desk);
	if (provider->authorization.bytes) secret_wipe(provider->authorization.bytes, provider->authorization.length);
	text_finish(&provider->authorization);
	free(provider->url);
	free(provider->model);
	free(provider);
}

/* ---- Answers ---- */

static void ask_free(struct embedding_ask *ask) {
	fetch_close(ask->fetch);
	free(ask);
}

void embedding_ask_cancel(struct embedding_ask *ask) {
	if (ask) ask_free(ask);
}

static enum embedding_outcome outcome_of(unsigned status) {
	switch (status) {
	case 400:
	case 413:
	case 422: return EMBEDDING_TOO_MUCH;
	case 408:
	case 409:
	case 425:
	case 429: return EMBEDDING_LATER;
	default: return status >= 500 ? EMBEDDING_LATER : EMBEDDING_REFUSED;
	}
}

static void head_came(void *context, struct fetch *fetch, unsigned status) {
	struct embedding_ask *ask = context;
	struct slice said = fetch_header(fetch, "Retry-After");
	uint64_t seconds = 0;
	if (outcome_of(status) != EMBEDDING_LATER || said.length == 0) return;
	for (size_t i = 0; i < said.length && seconds < RETRY_MOST_S; i++) {
		if (said.bytes[i] < '0' || said.bytes[i] > '9') return; /* a date: our own patience serves as well */
		seconds = seconds * 10 + (uint64_t)(said.bytes[i] - '0');
	}
	ask->retry_after_ms = 1000 * (seconds < RETRY_MOST_S ? seconds : RETRY_MOST_S);
}

static void read_answer(struct embedding_ask *ask, struct slice body) {
	struct search_vector *vectors[EMBEDDING_BATCH];
	struct embedding_provider *provider = ask->provider;
	struct fault why = {0};
	if (!embedding_answer_read(body, ask->count, provider->dimensions, vectors, &why)) {
		ask->told(ask->context, why.code == FAULT_NO_MEMORY ? EMBEDDING_LATER : EMBEDDING_UNSOUND, NULL, 0, &why);
		return;
	}
	provider->dimensions = search_vector_dimensions(vectors[0]);
	ask->told(ask->context, EMBEDDING_DONE, vectors, 0, NULL);
}

static void answered(void *context, const struct fetch_answer *answer, const struct fault *failed) {
	struct embedding_ask *ask = context;
	struct fault why;
	if (failed) {
		/* What does not fit into the bound is no answer of so many numbers. */
		ask->told(ask->context, failed->code == FAULT_TOO_LARGE ? EMBEDDING_UNSOUND : EMBEDDING_LATER, NULL, 0, failed);
	} else if (answer->status == 200) {
		read_answer(ask, answer->body);
	} else {
		(void)fault_set(&why, FAULT_REFUSED, "it answered %u", answer->status);
		ask->told(ask->context, outcome_of(answer->status), NULL, ask->retry_after_ms, &why);
	}
	ask_free(ask);
}

static const struct fetch_events events = {.head = head_came, .done = answered};

/* ---- Asking ---- */

static bool send_question(struct embedding_ask *ask, const struct slice *texts, uint64_t deadline_ms, struct fault *why) {
	struct embedding_provider *provider = ask->provider;
	AUTO_TEXT struct text body = {0};
	text_init(&body, 0);
	embedding_question_write(&body, provider->model, provider->is_asked_for ? provider->dimensions : 0, texts, ask->count);
	if (text_failed(&body)) return fault_set(why, FAULT_NO_MEMORY, "no memory to ask the embeddings provider");
	const char *const headers[] = {"Content-Type: application/json", "Accept: application/json",
		provider->authorization.length ? provider->authorization.bytes : NULL, NULL};
	const struct fetch_options options = {
		.method = "POST",
		.url = provider->url,
		.headers = headers,
		.body = text_slice(&body),
		.limit = embedding_answer_limit(ask->count, provider->dimensions),
		.deadline_ms = deadline_ms,
	};
	ask->fetch = fetch_open(provider->desk, &options, &events, ask, why);
	return ask->fetch != NULL;
}

struct embedding_ask *embedding_provider_ask(struct embedding_provider *provider, const struct slice *texts,
	size_t count, uint64_t deadline_ms, embedding_told *told, void *context, struct fault *why) {
	struct embedding_ask *ask = calloc(1, sizeof *ask);
	if (!ask) return fault_null(why, FAULT_NO_MEMORY, "no memory to ask the embeddings provider");
	*ask = (struct embedding_ask){.provider = provider, .told = told, .context = context, .count = count};
	if (send_question(ask, texts, deadline_ms, why)) return ask;
	free(ask);
	return NULL;
}
