/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call rounds: a call of which a modern server wants more input (MCP 2026-07-28, input_required) comes again, with
 * what its asker was asked for. What was approved once is approved for all of its rounds: the one that comes with
 * the requestState which the last one was answered with, from the same principal, with the same tool and
 * arguments. For CALL_ROUND_MS, and once. Bounded: CALL_ROUNDS, the oldest gives way. Loop 0. The kernel's.
 */
#ifndef HUSTINGS_KERNEL_CALL_ROUNDS_H
#define HUSTINGS_KERNEL_CALL_ROUNDS_H

#include "kernel/call_run.h"

#define CALL_ROUNDS 4096
#define CALL_ROUND_MS 600000

struct call_rounds;

struct call_rounds *call_rounds_open(struct fault *why) MUST_USE;
void call_rounds_close(struct call_rounds *rounds); /* NULL is fine */

/* It was approved: what was, is kept in call->approved. */
void call_rounds_mark(struct call *call);
/* It was approved, and that is its server's answer: nothing happens when that wants no more. */
void call_rounds_note(struct call_rounds *rounds, const struct call *call, struct slice result);
/* Whether it is the next round of one that was approved; it is that once. */
bool call_rounds_take(struct call_rounds *rounds, const struct call *call);

#endif
