/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Question: something to be done on an island's thread for an exchange on loop 0, and back. On one
 * thread both steps happen at once.
 *
 * The struct is the asker's, allocated with malloc; it is the question's until `answered` was called
 * (exactly once, on loop 0), which frees it. An exchange that goes meanwhile sets exchange to NULL.
 */
#ifndef HUSTINGS_GATEWAY_QUESTION_H
#define HUSTINGS_GATEWAY_QUESTION_H

#include "gateway/gateway.h"

struct question;
typedef void question_fn(struct question *question);

struct question {
	struct letter letter;
	struct gateway *gateway;
	struct gateway_island *island;
	question_fn *ask;          /* on the island: must lead to question_answer(), now or later */
	question_fn *answered;     /* on loop 0 */
	struct exchange *exchange; /* loop 0 alone; NULL: gone */
};

/* `exchange` may be NULL. False: the island is too busy (FAULT_FULL); nothing was called. */
bool question_start(struct question *question, struct gateway *gateway,
	struct gateway_island *island, struct exchange *exchange, question_fn *ask,
	question_fn *answered, struct fault *why) MUST_USE;
void question_answer(struct question *question); /* on the island */

#endif
