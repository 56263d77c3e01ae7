/* SPDX-License-Identifier: Apache-2.0 */
/* History: one question from its asker's loop to the store's thread and back. */
#include "store/history.h"

#include "store/history_answer.h"
#include "store/history_rows.h"
#include "store/proposal_rows.h"
#include "store/store_parts.h"

#include <stdlib.h>

static void deliver(struct letter *letter) {
	struct history *history = CONTAINER_OF(letter, struct history, letter);
	history->answered(history);
}

static size_t limit_of(const struct history *history) {
	if (history->limit == 0 || history->limit > HISTORY_COUNT) return HISTORY_COUNT;
	return history->limit;
}

/* ---- Pages ---- */

struct paging {
	struct history_answer *answer;
	uint64_t bound; /* NEWEST: below it; OLDEST: above it */
	uint64_t upto;  /* OLDEST: not above; 0: no bound */
	bool by_time;
	int64_t before_time;
};

static bool take_newest(void *context, const struct history_batch *batch, bool *go_on,
	struct fault *why) {
	struct paging *paging = context;
	struct slice texts;
	if (paging->by_time && batch->first_moment >= paging->before_time) return true;
	if (!history_batch_texts(batch, &texts, why)) return false;
	size_t end = texts.length;
	for (size_t i = batch->kept; i > 0; i--) {
		struct history_span span = history_batch_span(batch, i - 1);
		end -= span.length;
		if (span.sequence >= paging->bound) continue;
		if (paging->by_time && span.moment >= paging->before_time) continue;
		*go_on = history_answer_add(paging->answer, span.sequence, span.moment,
			slice_make(texts.bytes + end, span.length));
		if (!*go_on) break;
	}
	return true;
}

static bool take_oldest(void *context, const struct history_batch *batch, bool *go_on,
	struct fault *why) {
	struct paging *paging = context;
	struct slice texts;
	if (batch->last_sequence <= paging->bound) return true;
	if (!history_batch_texts(batch, &texts, why)) return false;
	size_t at = 0;
	for (size_t i = 0; i < batch->kept; i++) {
		struct history_span span = history_batch_span(batch, i);
		struct slice text = slice_make(texts.bytes + at, span.length);
		at += span.length;
		if (span.sequence <= paging->bound) continue;
		*go_on = !(paging->upto && span.sequence > paging->upto) &&
			history_answer_add(paging->answer, span.sequence, span.moment, text);
		if (!*go_on) break;
	}
	return true;
}

static bool answer_page(struct archive *archive, const struct history_topic *topic,
	struct history_answer *answer, struct fault *why) {
	struct history *history = answer->history;
	struct paging paging = {.answer = answer, .bound = UINT64_MAX};
	if (history->before_is_time) {
		paging.by_time = true;
		paging.before_time = history->before_time;
	} else if (history->before.length) {
		if (!history_answer_locate(archive, topic->topic_id, history->before, &paging.bound, why))
			return false;
		if (paging.bound == 0) return true;
	}
	history->found = true;
	return history_rows_walk(archive, topic->topic_id, HISTORY_NEWEST, paging.bound, take_newest, &paging,
		why);
}

static bool answer_tail(struct archive *archive, const struct history_topic *topic,
	struct history_answer *answer, struct fault *why) {
	struct history *history = answer->history;
	struct paging paging = {.answer = answer, .bound = UINT64_MAX};
	if (history->upto) paging.bound = history->upto + 1;
	history->found = true;
	if (!history_rows_walk(archive, topic->topic_id, HISTORY_NEWEST, paging.bound, take_newest, &paging,
		    why))
		return false;
	history_answer_turn(answer);
	return true;
}

static bool answer_since(struct archive *archive, const struct history_topic *topic,
	struct history_answer *answer, struct fault *why) {
	struct history *history = answer->history;
	struct paging paging = {.answer = answer, .bound = history->from, .upto = history->upto};
	if (history->after.length) {
		if (!history_answer_locate(archive, topic->topic_id, history->after, &paging.bound, why))
			return false;
		if (paging.bound == 0) return true;
	}
	history->found = true;
	return history_rows_walk(archive, topic->topic_id, HISTORY_OLDEST, paging.bound, take_oldest, &paging,
		why);
}

/* ---- Rooms and topics ---- */

static bool take_hashes(void *context, const struct history_batch *batch, bool *go_on,
	struct fault *why) {
	(void)why;
	struct history_answer *answer = context;
	for (size_t i = batch->seen; *go_on && i > 0; i--) {
		struct history_recent recent;
		history_batch_hashes(batch, i - 1, &recent.id_hash, &recent.text_hash);
		*go_on = history_answer_recent(answer, &recent);
	}
	return true;
}

static bool take_proposal(void *context, struct slice record, struct fault *why) {
	return history_answer_record(context, 0, 0, record) ||
		fault_set(why, FAULT_NO_MEMORY, "no memory for the topic's proposals");
}

static bool answer_room(struct archive *archive, const struct history_topic *topic,
	struct history_answer *answer, struct fault *why) {
	answer->history->found = topic->topic_id != 0;
	if (!proposals_open_walk(archive, answer->history->topic, take_proposal, answer, why)) return false;
	answer->recent_limit = answer->history->limit;
	if (answer->recent_limit == 0) return true;
	if (!history_rows_walk(archive, topic->topic_id, HISTORY_ALL, UINT64_MAX, take_hashes, answer, why))
		return false;
	history_answer_turn_recent(answer);
	return true;
}

static bool take_topic(void *context, struct slice name, const struct history_topic *topic,
	struct fault *why) {
	(void)why;
	if (topic->last_sequence == 0) return true;
	return history_answer_add(context, topic->last_sequence, 0, name);
}

static bool answer_topics(struct archive *archive, struct history_answer *answer, struct fault *why) {
	answer->history->found = true;
	return history_topics_walk(archive, answer->history->after, take_topic, answer, why);
}

/* ---- The question ---- */

static bool answer_kind(struct archive *archive, struct history_answer *answer, struct fault *why) {
	struct history *history = answer->history;
	struct history_topic topic;
	if (history->kind == HISTORY_TOPICS) return answer_topics(archive, answer, why);
	if (!history_topic_find(archive, history->topic, &topic, why)) return false;
	history->last_sequence = topic.last_sequence;
	switch (history->kind) {
	case HISTORY_PAGE: return answer_page(archive, &topic, answer, why);
	case HISTORY_TAIL: return answer_tail(archive, &topic, answer, why);
	case HISTORY_SINCE: return answer_since(archive, &topic, answer, why);
	case HISTORY_ROOM: return answer_room(archive, &topic, answer, why);
	default: return fault_set(why, FAULT_BAD_INPUT, "no such question: %d", (int)history->kind);
	}
}

void history_answer(struct archive *archive, struct history *history, const struct fault *failed) {
	struct history_answer answer;
	history_answer_init(&answer, history, limit_of(history));
	history->failed = failed != NULL;
	if (failed)
		history->why = *failed;
	else
		history->failed = !answer_kind(archive, &answer, &history->why) ||
			!history_answer_give(&answer, &history->why);
	if (history->failed) history_answer_drop(&answer);
}

static void run(struct archive *archive, struct letter *letter, const struct fault *failed) {
	struct history *history = CONTAINER_OF(letter, struct history, letter);
	history_answer(archive, history, failed);
	mailbox_answer(history->loop, &history->letter, deliver);
}

bool history_ask(struct store *store, struct history *history, struct fault *why) {
	struct store_question question = {
		.letter = &history->letter,
		.run = run,
		.need = history->kind == HISTORY_TOPICS ? STORE_NEEDS_ALL : STORE_NEEDS_TOPIC,
		.topic = history->topic,
	};
	return store_ask_for(store, &question, why);
}

void history_finish(struct history *history) {
	free(history->memory);
	history->memory = NULL;
	history->records = NULL;
	history->recent = NULL;
	history->count = history->recent_count = 0;
}
