/* SPDX-License-Identifier: Apache-2.0 */
/* Tool embeddings: questions, and the vectors of tools beside them. */
#include "kernel/tool_embeddings.h"

#include "kernel/tool_blend.h"
#include "kernel/tool_vectors.h"

#include <stdlib.h>

#define IN_VAIN_MOST 5    /* questions in a row without a vector, until */
#define QUIET_MS 30000    /* none are asked for so long */
#define QUESTION_MARK "?" /* before what is hashed, so that a question is no tool's text */

static const char *const off_note = "The embeddings provider refuses to answer: tools were found by words alone.";
static const char *const empty_note = "No tool has its embedding yet: tools were found by words alone.";
static const char *const part_note = "Some tools have no embedding yet: those were found by words alone.";
static const char *const late_note = "The embeddings provider did not answer in time: tools were found by words alone.";
static const char *const failed_note = "The embeddings provider failed: tools were found by words alone.";
static const char *const quiet_note =
	"The embeddings provider failed several times and is not asked for a moment: tools were found by words alone.";
static const char *const changed_note = "The configuration of embeddings has changed: tools were found by words alone.";
static const char *const busy_note =
	"Too many questions wait for the embeddings provider: tools were found by words alone.";

struct tool_embeddings {
	struct tool_ranker ranker;
	struct loop *loop;
	struct tool_index *index;
	struct embedding_provider *provider;
	uint64_t timeout_ms;
	struct link asked; /* struct asked_question */
	size_t asked_count;
	unsigned in_vain;     /* in a row */
	uint64_t quiet_until; /* loop ms */
	struct tool_vectors vectors;
};

struct asked_question { /* search->later */
	struct link link;
	struct tool_embeddings *embeddings;
	struct tool_search *search;
	struct embedding_ask *ask;
	uint8_t digest[SECRET_HASH_SIZE];
};

static struct asked_question *asked_of(struct link *link) { return CONTAINER_OF(link, struct asked_question, link); }

static struct tool_embeddings *embeddings_of(struct tool_ranker *ranker) {
	return CONTAINER_OF(ranker, struct tool_embeddings, ranker);
}

/* ---- Answering ---- */

/* Words first, as many as there may be: what they rank low a vector may rank high. */
static void ask_words(struct tool_embeddings *embeddings, struct tool_search *search, size_t most) {
	size_t wished = search->question.most;
	search->question.most = most;
	tool_index_words(embeddings->index, search);
	search->question.most = wished;
}

/* Only what the question may see has a part in it, in the mean too. */
static void add_near(struct tool_embeddings *embeddings, const struct search_question *question,
	const struct search_vector *asked, struct tool_blend *blend) {
	void *each;
	for (size_t at = 0; map_each(&embeddings->vectors.by_key, &at, &each);) {
		const struct tool_vector *tool = each;
		struct search_seen seen;
		struct slice server = tool_vector_server(tool), name = tool_vector_name(tool);
		if (!tool->embedding || !tool_index_find(embeddings->index, server, name, &seen)) continue;
		if (question->filter && !question->filter(question->context, &seen)) continue;
		tool_blend_add(blend, &seen, search_vector_cosine(asked, tool->embedding->vector));
	}
}

static void answer_by_vector(struct tool_embeddings *embeddings, struct tool_search *search,
	const struct search_vector *asked) {
	struct tool_blend blend = {.count = 0};
	size_t most = search->question.most;
	if (most == 0 || most > SEARCH_MOST) most = SEARCH_MOST;
	uint64_t began = clock_monotonic_us();
	ask_words(embeddings, search, SEARCH_MOST);
	add_near(embeddings, &search->question, asked, &blend);
	tool_blend_run(&blend, &search->answer, most);
	search->answer.milliseconds = (double)(clock_monotonic_us() - began) / 1000;
	/* Vectors of tools that the question may not see say nothing, not even that there are any. */
	search->has_vectors = blend.tools > 0;
	search->note = blend.tools == 0 ? empty_note : embeddings->vectors.missing > 0 ? part_note
										       : NULL;
	tool_index_rank(search);
}

static void answer_by_words(struct tool_embeddings *embeddings, struct tool_search *search, const char *note) {
	search->note = note;
	tool_index_words(embeddings->index, search);
	tool_index_rank(search);
}

/* ---- One question's vector ---- */

static struct tool_search *asked_free(struct asked_question *asked) {
	struct tool_search *search = asked->search;
	list_remove(&asked->link);
	asked->embeddings->asked_count--;
	embedding_ask_cancel(asked->ask);
	search->later = NULL;
	free(asked);
	return search;
}

/* Who has waited in vain often enough spares the next ones the time. */
static void count_failure(struct tool_embeddings *embeddings) {
	if (++embeddings->in_vain < IN_VAIN_MOST) return;
	embeddings->in_vain = 0;
	embeddings->quiet_until = loop_now(embeddings->loop) + QUIET_MS;
}

static void told(void *context, enum embedding_outcome outcome, struct search_vector **made, uint64_t retry_after_ms,
	const struct fault *why) {
	struct asked_question *asked = context;
	struct tool_embeddings *embeddings = asked->embeddings;
	uint8_t digest[SECRET_HASH_SIZE];
	(void)retry_after_ms;
	memcpy(digest, asked->digest, sizeof digest);
	asked->ask = NULL;
	struct tool_search *search = asked_free(asked);
	struct embedding *embedding = NULL;
	if (outcome == EMBEDDING_DONE) embedding = embedding_cache_put(&embeddings->vectors.cache, digest, made[0]);
	if (embedding) {
		embeddings->in_vain = 0;
		answer_by_vector(embeddings, search, embedding->vector);
		embedding_cache_drop(&embeddings->vectors.cache, embedding);
		return;
	}
	if (outcome == EMBEDDING_REFUSED) tool_vectors_turn_off(&embeddings->vectors, why);
	count_failure(embeddings);
	answer_by_words(embeddings, search, why && why->code == FAULT_TIMEOUT ? late_note : failed_note);
}

static bool start(struct tool_embeddings *embeddings, struct tool_search *search, struct slice query,
	const uint8_t digest[SECRET_HASH_SIZE]) {
	struct asked_question *asked = calloc(1, sizeof *asked);
	if (!asked) return false;
	*asked = (struct asked_question){.embeddings = embeddings, .search = search};
	memcpy(asked->digest, digest, SECRET_HASH_SIZE);
	asked->ask = embedding_provider_ask(embeddings->provider, &query, 1, embeddings->timeout_ms, told, asked, NULL);
	if (!asked->ask) {
		free(asked);
		return false;
	}
	list_append(&embeddings->asked, &asked->link);
	embeddings->asked_count++;
	search->later = asked;
	return true;
}

/* Why none is asked for now; NULL: nothing is in the way. */
static const char *hindrance(const struct tool_embeddings *embeddings) {
	const struct tool_vectors *vectors = &embeddings->vectors;
	if (vectors->is_off) return off_note;
	if (vectors->missing == vectors->by_key.count) return empty_note;
	if (loop_now(embeddings->loop) < embeddings->quiet_until) return quiet_note;
	return embeddings->asked_count < TOOL_EMBEDDINGS_ASKED ? NULL : busy_note;
}

static bool ask(struct tool_ranker *ranker, struct tool_search *search) {
	struct tool_embeddings *embeddings = embeddings_of(ranker);
	struct slice query = slice_trim(search->question.query);
	const struct slice parts[] = {SLICE(QUESTION_MARK), query};
	uint8_t digest[SECRET_HASH_SIZE];
	if (query.length == 0 || !secret_hash_parts(parts, COUNT_OF(parts), digest)) return false;
	struct embedding *known = embedding_cache_find(&embeddings->vectors.cache, digest);
	if (known) {
		answer_by_vector(embeddings, search, known->vector);
		embedding_cache_drop(&embeddings->vectors.cache, known);
		return true;
	}
	search->note = hindrance(embeddings);
	if (search->note) return false;
	if (start(embeddings, search, query, digest)) return true;
	search->note = failed_note;
	return false;
}

static void cancel(struct tool_ranker *ranker, struct tool_search *search) {
	(void)ranker;
	if (search->later) (void)asked_free(search->later);
}

/* ---- Its life ---- */

static void put(struct tool_ranker *ranker, struct slice server, struct slice name, struct slice definition) {
	tool_vectors_put(&embeddings_of(ranker)->vectors, server, name, definition);
}

static void removed(struct tool_ranker *ranker, struct slice server, struct slice name) {
	tool_vectors_remove(&embeddings_of(ranker)->vectors, server, name);
}

struct tool_embeddings *tool_embeddings_open(struct loop *loop, struct log *log, struct tool_index *index,
	const struct embeddings_settings *settings, struct fault *why) {
	struct tool_embeddings *embeddings = calloc(1, sizeof *embeddings);
	if (!embeddings) return fault_null(why, FAULT_NO_MEMORY, "no memory for embeddings of tools");
	embeddings->ranker = (struct tool_ranker){.ask = ask, .cancel = cancel, .put = put, .removed = removed};
	embeddings->loop = loop;
	embeddings->index = index;
	embeddings->timeout_ms = (uint64_t)settings->timeout_ms;
	list_init(&embeddings->asked);
	embeddings->provider = embedding_provider_open(loop, settings, why);
	if (!embeddings->provider) {
		free(embeddings);
		return NULL;
	}
	tool_vectors_init(&embeddings->vectors, loop, log, embeddings->provider, (size_t)settings->batch);
	tool_index_use(index, &embeddings->ranker);
	return embeddings;
}

void tool_embeddings_close(struct tool_embeddings *embeddings) {
	if (!embeddings) return;
	tool_index_use(embeddings->index, NULL);
	while (!list_is_empty(&embeddings->asked))
		answer_by_words(embeddings, asked_free(asked_of(embeddings->asked.next)), changed_note);
	tool_vectors_finish(&embeddings->vectors);
	embedding_provider_close(embeddings->provider);
	free(embeddings);
}
