/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Store queue: the questions that wait for the store's thread, in order and at most STORE_QUESTIONS.
 * A plain ring: whoever uses it holds the store's lock.
 */
#ifndef HUSTINGS_STORE_STORE_QUEUE_H
#define HUSTINGS_STORE_STORE_QUEUE_H

#include "base/slice.h"
#include "net/mailbox.h"

#define STORE_QUESTIONS 1024

struct archive;
/* Answers one question; `failed` (or NULL) is why the newest records are not in the archive. */
typedef void store_work(struct archive *archive, struct letter *letter, const struct fault *failed);

/* What must be in the archive before a question can be answered. All but envelopes is there anyway. */
enum store_need {
	STORE_NEEDS_NOTHING,
	STORE_NEEDS_TOPIC, /* the envelopes of one topic */
	STORE_NEEDS_ALL
};

struct store_question {
	struct letter *letter;
	store_work *run;
	enum store_need need;
	struct slice topic; /* borrowed until the answer */
};

struct store_queue {
	struct store_question ring[STORE_QUESTIONS];
	size_t first;
	size_t count;
};

/* False: FAULT_FULL. */
bool store_queue_put(struct store_queue *queue, const struct store_question *question,
	struct fault *why) MUST_USE;
bool store_queue_take(struct store_queue *queue, struct store_question *question) MUST_USE;

#endif
