/* SPDX-License-Identifier: Apache-2.0 */
/* Policy answer: one line of JSON that a policy hook answered with. */
#ifndef HUSTINGS_DECIDE_POLICY_ANSWER_H
#define HUSTINGS_DECIDE_POLICY_ANSWER_H

#include "base/arena.h"
#include "decide/decision_wish.h"

enum policy_verdict {
	POLICY_ASK,
	POLICY_ALLOW,
	POLICY_DENY
};

struct policy_answer {
	enum policy_verdict verdict;
	struct slice id;     /* empty: none */
	struct slice reason; /* at most DECISION_REASON octets; empty: none */
};

/* Spans of the text or of the arena. FAULT_BAD_INPUT: no object, a key twice, or no known word: then
 * the id is filled in where it could be read. FAULT_NO_MEMORY. */
bool policy_answer_read(struct slice text, struct arena *arena, struct policy_answer *answer,
	struct fault *why) MUST_USE;

#endif
