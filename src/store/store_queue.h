/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Store queue: the questions that wait for the store's thread, in order and at most STORE_QUESTIONS.
 * A plain ring: whoever uses it holds the store's lock.
 */
#ifndef HUSTINGS_STORE_STORE_QUEUE_H
#define HUSTINGS_STORE_STORE_QUEUE_H

#include "net/mailbox.h"

#define STORE_QUESTIONS 1024

struct archive;
/* Answers one question; `failed` (or NULL) is why the newest records are not in the archive. */
typedef void store_work(struct archive *archive, struct letter *letter, const struct fault *failed);

struct store_question {
	struct letter *letter;
	store_work *run;
};

struct store_queue {
	struct store_question ring[STORE_QUESTIONS];
	size_t first;
	size_t count;
};

/* False: FAULT_FULL. */
bool store_queue_put(struct store_queue *queue, struct letter *letter, store_work *run,
	struct fault *why) MUST_USE;
bool store_queue_take(struct store_queue *queue, struct store_question *question) MUST_USE;

#endif
