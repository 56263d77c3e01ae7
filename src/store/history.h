/* SPDX-License-Identifier: Apache-2.0 */
/*
 * History: questions about what a topic keeps, answered by the store's thread.
 *
 * A question is posted with its letter; the answer is the same struct, delivered on the asker's
 * loop, with records in memory of its own: history_finish() when done. What was committed to a
 * spool before the question was posted is in the answer.
 */
#ifndef HUSTINGS_STORE_HISTORY_H
#define HUSTINGS_STORE_HISTORY_H

#include "store/history_question.h"
#include "store/store.h"

/* False: the store is busy beyond its bound (FAULT_FULL) or ending. */
bool history_ask(struct store *store, struct history *history, struct fault *why) MUST_USE;
void history_finish(struct history *history);

struct archive;
/* Answers a question from the archive: what history_ask() does on the store's thread, all but the
 * letter. */
void history_answer(struct archive *archive, struct history *history, const struct fault *failed);

#endif
