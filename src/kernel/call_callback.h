/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call callback: what a server asks during a call, brought to whoever may answer it (MGP 13.4): its asker by a
 * callback, where that speaks `bidirectional`; by a form, where it takes such; else a person, by the inbox.
 * And the form of a plain server, for an asker that knows callbacks alone. Each is audited as asked and as
 * answered, without the words of an input. Loop 0.
 *
 * An asker is given (hosted/hosted.h) MGP_CALLBACK as a question, whose params hold our callback_id and no
 * request_id, or elicitation/create; it answers by the two functions here. A callback is answered by
 * mgp/callback/respond as well, and withdrawn() follows.
 */
#ifndef HUSTINGS_KERNEL_CALL_CALLBACK_H
#define HUSTINGS_KERNEL_CALL_CALLBACK_H

#include "kernel/call_run.h"

/* ---- For who brings questions to an asker, instead of hosted_question_answer() and ..._refuse() ---- */

void call_question_answer(struct hosted_question *question, struct slice result);
/* -32601: the question cannot be brought to the asker. */
void call_question_refuse(struct hosted_question *question, int64_t code, struct slice message,
	struct slice data);

/* ---- For kernel/call.c ---- */

/* What is asked of the server on behalf of its asker, once the call is made. */
void call_callbacks_begin(struct call *call);
/* What the server was asked has ended, and its questions with it. The server hears it from hosted/. */
void call_callbacks_end(struct call *call);
/* False: the question is for the asker as it is. */
bool call_callback_asked(struct call *call, struct hosted_question *question, struct slice method,
	const struct scan_value *params);
/* False: the asker has not heard of that question. */
bool call_callback_withdrawn(struct call *call, struct hosted_question *question);
/* That deadline, or a later one: a call waits as long as its callbacks. */
uint64_t call_callbacks_patience(const struct call *call, uint64_t deadline_ms);
/* One that wants no answer. */
void call_callback_told(struct call *call, const struct scan_value *params);

#endif
