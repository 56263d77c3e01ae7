/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decision body: what a client says of a decision, as JSON:
 *
 *   {"decision":"approve"|"deny","reason":TEXT,"validUntil":TIME,"only":[PERMISSION],"answer":JSON}
 *
 * validUntil is RFC 3339, or a span from now ("1h"). What is not known is refused: a misspelt "only"
 * would approve everything.
 */
#ifndef HUSTINGS_GATEWAY_DECISION_BODY_H
#define HUSTINGS_GATEWAY_DECISION_BODY_H

#include "base/arena.h"
#include "decide/inbox.h"

struct decision_body {
	struct inbox_answer answer; /* without who it is */
	struct slice only[DECISION_NAMES];
	bool has_decision; /* the word was approve or deny */
	bool has_word;     /* some word was there */
};

/* Spans of the text and the arena. FAULT_BAD_INPUT (`body` is filled as far as it was read),
 * FAULT_NO_MEMORY. */
bool decision_body_read(struct slice text, struct arena *arena, struct decision_body *body,
	struct fault *why) MUST_USE;

#endif
