/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call: a request to a hosted server, governed: it passes the gates (kernel/call_gates.h), is sent on,
 * asked again where that is safe and was asked for (MGP 14.6), answered in the words that its asker knows
 * (docs/protocol.md), and audited. It has the form of struct hosted_ask (hosted/hosted.h), whose
 * promises it keeps: no callback from inside of call_start(), answered() once unless it is cancelled.
 *
 * A refusal is an answer: with a code of MGP for who has agreed on it, else an error or a result that a
 * plain client knows. Loop 0. A call frees itself.
 */
#ifndef HUSTINGS_KERNEL_CALL_H
#define HUSTINGS_KERNEL_CALL_H

#include "kernel/call_run.h"

#define CALLS_OPEN 16384 /* of one server; beyond: FAULT_FULL */

/* ask->call is the kernel's. False: no memory, or the server is being removed. */
bool call_start(struct hosted *hosted, const struct call_asker *asker, struct hosted_ask *ask,
	struct fault *why) MUST_USE;
/* As hosted_ask_cancel() and hosted_ask_extend(). */
void call_cancel(struct hosted_ask *ask, const char *reason);
void call_extend(struct hosted_ask *ask, uint64_t deadline_ms);
/* As hosted_ask_stop(); one that still waits at a gate has done nothing. `stopped` is called once in any case, also
 * when the call is cancelled meanwhile. */
bool call_stop(struct hosted_ask *ask, struct slice reason, hosted_stopped *stopped, void *context);
/* As hosted_ask_hold(). */
void call_hold_back(struct hosted_ask *ask, bool is_behind);
/* The gateway ends: whatever waits for a person at a gate, or whose server does, is answered, so that nobody's
 * patience holds that up; a decision that is open stays so. */
void calls_drain(struct governed *governed);
/* Whether one that names that decision is under way. */
bool calls_have(const struct governed *governed, struct slice decision);
/* Its server is removed: every call of it is answered. */
void calls_end(struct governed *governed);

#endif
