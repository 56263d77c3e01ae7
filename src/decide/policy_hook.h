/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Policy hook: a program or a place of the operator's that is asked before people are: it answers allow,
 * deny or ask within a deadline, and its silence, its faults and every other word are ask.
 *
 * A URL gets a POST with the decision's record and answers {"decision":WORD,"reason":TEXT?}. A command
 * runs for as long as it lives, gets a record on a line each and answers with a line each, which also
 * holds the record's "id"; it is started at the first question, and again when it has ended, at growing
 * distances. Owned: policy_hook_close(). Loop 0.
 */
#ifndef HUSTINGS_DECIDE_POLICY_HOOK_H
#define HUSTINGS_DECIDE_POLICY_HOOK_H

#include "base/log.h"
#include "decide/decision.h"
#include "decide/policy_answer.h"
#include "net/fetch_desk.h"

#define POLICY_HOOK_WAITING 256 /* questions at a time; beyond, people are asked */
#define POLICY_HOOK_LINE 16384  /* octets of an answer */

struct policy_hook;

struct policy_hook_options { /* borrowed until policy_hook_close() */
	struct loop *loop;
	struct fetch_desk *desk;
	struct log *log;          /* may be NULL */
	const char *const *words; /* a URL alone, or a command and its arguments; NULL ended */
	int64_t deadline_ms;      /* 0: 2 s */
	/* Once for each question that was taken, never inside policy_hook_ask(). */
	void (*answered)(void *context, struct slice id, enum policy_verdict verdict, struct slice reason);
	void *context;
};

/* The words are copied. NULL: FAULT_NO_MEMORY, FAULT_BAD_INPUT. Nothing is started yet. */
struct policy_hook *policy_hook_open(const struct policy_hook_options *options, struct fault *why) MUST_USE;
void policy_hook_close(struct policy_hook *hook); /* without answers; NULL is fine */
/* False: it cannot be asked now, and people are to be. */
bool policy_hook_ask(struct policy_hook *hook, const struct decision *decision, struct fault *why) MUST_USE;
/* Whether the hook still has that question. */
bool policy_hook_has(const struct policy_hook *hook, struct slice id);

#endif
