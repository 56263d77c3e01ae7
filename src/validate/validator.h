/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validator: looks at the arguments of a call before the server sees them (MGP 4.5).
 *
 *   sandbox             no shell metacharacters, no commands that destroy, escape or reach out
 *   readonly            nothing that writes: SQL, operations, methods, commands
 *   network_restricted  no address of this machine, its networks or its provider
 *   code_safety         MGP 7 (validate/code_safety.h)
 *
 * Every string counts, nested ones and keys too, with its escapes read. What is found becomes sentences that
 * name the argument and what it may not hold, never its value. Nothing is allocated where nothing is found
 * and no argument is longer than a few thousand octets with escapes in it. validator_check() may run on
 * any thread; the rest on the loop's.
 */
#ifndef HUSTINGS_VALIDATE_VALIDATOR_H
#define HUSTINGS_VALIDATE_VALIDATOR_H

#include "validate/tool_security.h"
#include "validate/validator_report.h"
#include "net/loop.h"

#define VALIDATOR_NAMES 16         /* host names in one call */
#define VALIDATOR_DEADLINE_MS 5000 /* for all of them, where the caller names none */

enum validator_verdict {
	VALIDATOR_PASSES,
	VALIDATOR_REFUSES, /* the report says why */
	VALIDATOR_WAITS,   /* names have to be resolved first */
};

/* `arguments`: the text of an object that was checked, or length 0. The report is an initialised one.
 * VALIDATOR_WAITS: nothing is wrong so far, but host names need validator_start(). */
enum validator_verdict validator_check(const struct tool_security *security, struct slice arguments,
	struct validator_report *report) MUST_USE;

/* The same, with names resolved once and their addresses judged; no answer refuses. Answers at once where
 * nothing is to be resolved, and then *wait is NULL and `done` is never called. Else VALIDATOR_WAITS, and
 * `done` is called exactly once, never before the return, unless validator_cancel() came first; *wait
 * is gone when it is called. Borrows nothing but report, which must live until then. */
struct validator_wait;
typedef void validator_done(void *context, enum validator_verdict verdict);
enum validator_verdict validator_start(struct loop *loop, const struct tool_security *security,
	struct slice arguments, uint64_t deadline_ms, struct validator_report *report, validator_done *done,
	void *context, struct validator_wait **wait) MUST_USE;
void validator_cancel(struct validator_wait *wait); /* NULL is fine */

#endif
