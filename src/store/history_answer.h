/* SPDX-License-Identifier: Apache-2.0 */
/*
 * History answer: an answer as it grows on the store's thread, until it is given into one
 * allocation of the question's own.
 */
#ifndef HUSTINGS_STORE_HISTORY_ANSWER_H
#define HUSTINGS_STORE_HISTORY_ANSWER_H

#include "store/archive.h"
#include "store/history_question.h"

struct history_answer {
	struct history *history;
	size_t limit;
	size_t recent_limit;
	struct text records; /* each with the place of its text */
	struct text recent;  /* struct history_recent each */
	struct text texts;
	size_t count;
	size_t recent_count;
};

void history_answer_init(struct history_answer *answer, struct history *history, size_t limit);
/* False: a limit is reached, or no memory; `more` then says so. */
bool history_answer_add(struct history_answer *answer, uint64_t sequence, int64_t moment,
	struct slice text);
/* Without limits; false: no memory. */
bool history_answer_record(struct history_answer *answer, uint64_t sequence, int64_t moment,
	struct slice text);
bool history_answer_recent(struct history_answer *answer, const struct history_recent *recent);
void history_answer_turn(struct history_answer *answer); /* the last becomes the first */
void history_answer_turn_recent(struct history_answer *answer);
/* Into the question; the builder is gone afterwards. */
bool history_answer_give(struct history_answer *answer, struct fault *why) MUST_USE;
void history_answer_drop(struct history_answer *answer);

/* The sequence of the envelope with this id, the newest one; 0: not kept (any more). */
bool history_answer_locate(struct archive *archive, int64_t topic_id, struct slice id,
	uint64_t *sequence, struct fault *why) MUST_USE;

#endif
