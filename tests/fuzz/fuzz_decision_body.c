/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: what a client says of a decision, and what a policy hook answers: one text, both readers. */
#include "gateway/decision_body.h"

#include "decide/policy_answer.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static void read_body(struct slice text) {
	struct decision_body body;
	struct arena arena;
	struct fault why = {.code = FAULT_NONE};
	arena_init(&arena, NULL, 0, 0);
	if (decision_body_read(text, &arena, &body, &why)) {
		require(body.has_decision && body.has_word);
		require(body.answer.only_count <= DECISION_NAMES && !body.answer.who.length && !body.answer.is_admin);
		require(body.answer.valid_until >= 0);
	} else {
		require(why.code == FAULT_BAD_INPUT && why.text[0]);
	}
	arena_finish(&arena);
}

static void read_answer(struct slice text) {
	struct policy_answer answer;
	struct arena arena;
	struct fault why = {.code = FAULT_NONE};
	arena_init(&arena, NULL, 0, 0);
	bool is_read = policy_answer_read(text, &arena, &answer, &why);
	require(is_read || (why.code == FAULT_BAD_INPUT && why.text[0] && answer.verdict == POLICY_ASK));
	require(answer.reason.length <= DECISION_REASON);
	arena_finish(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct slice text = slice_make(data, size);
	read_body(text);
	read_answer(text);
	return 0;
}
