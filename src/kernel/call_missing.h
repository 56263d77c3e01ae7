/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call missing: required parameters that a call lacks, asked of whoever makes it (docs/internals/flow.md): by one
 * form of MCP's elicitation, where its client takes such and guided sessions are not turned off. What is answered
 * is held against the tool's schema, asked for again where it does not fit, and becomes part of the arguments
 * before any other gate looks at them. Each form is audited as asked and as answered, without values. For kernel/
 * alone. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_CALL_MISSING_H
#define HUSTINGS_KERNEL_CALL_MISSING_H

#include "kernel/call_run.h"

#define CALL_MISSING_ROUNDS 3           /* forms of one call */
#define CALL_MISSING_FIELDS 64          /* of one form; a call that lacks more is refused as it is */
#define CALL_MISSING_MS (5 * 60 * 1000) /* a form waits so long for its answer */

/* The gate: passes, where nothing is missing or nobody can be asked; holds; or refuses with
 * "parameters_missing". */
enum call_verdict call_missing_ask(struct call *call);
bool call_missing_waits(const struct call *call); /* for the answer to a form */
/* Nothing is waited for any more; the asker may still have the form. */
void call_missing_stop(struct call *call);
/* The call is freed: the asker has it no more. */
void call_missing_free(struct call *call);

#endif
