/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call answer: what its asker gets to read, in the words that it knows (docs/protocol.md): codes of MGP
 * with `_mgp` for who has agreed on MGP; for a plain client -32602 for what is wrong with its request, a
 * result with isError for every other refusal of a tool, and no word of MGP. For kernel/ alone, but for call_answer_strip().
 */
#ifndef HUSTINGS_KERNEL_CALL_ANSWER_H
#define HUSTINGS_KERNEL_CALL_ANSWER_H

#include "kernel/call_run.h"

/* The code of MGP 14.3 that such a fault of a server is; 0: it is none. */
int64_t call_answer_code(const struct call *call, const struct fault *why);
/* The same of an answer that is no server's own, but tells of the way to it; 0: it is a server's. */
int64_t call_answer_upstream(const struct call *call, const struct hosted_answer *answer);
/* call->refusal becomes an answer; its texts lie in *words and *data, the caller's. */
void call_answer_refusal(const struct call *call, struct text *words, struct text *data,
	struct hosted_answer *answer);
/* A decision is asked for: the early error of ADR-001; its data lies in *data, the caller's. */
void call_answer_early(const struct decision *decision, struct text *data, struct hosted_answer *answer);
/* What is missing in the `_mgp` of a result that was streamed (MGP 12.5); in *to, the caller's. */
void call_answer_outcome(const struct call *call, struct text *to, struct hosted_answer *answer);
/* What a server answered, as the asker may see it: `answer` is changed where a plain client would see
 * MGP, and where an MGP client would read nonsense about repeating. */
void call_answer_plain(const struct call *call, struct text *words, struct text *data,
	struct hosted_answer *answer);
/* What somebody else who speaks MGP answered to a tools/call, for who does not. */
void call_answer_strip(struct text *words, struct text *data, struct hosted_answer *answer);

#endif
