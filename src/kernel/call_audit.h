/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call audit: what is written down of a call (MGP 6): who called which tool of which server, what became
 * of it and why, under the call's trace id. Refusals of one principal at one gate are written at once the
 * first time, then counted by the minute (hard rules). For kernel/ alone.
 */
#ifndef HUSTINGS_KERNEL_CALL_AUDIT_H
#define HUSTINGS_KERNEL_CALL_AUDIT_H

#include "kernel/call_run.h"

/* It was answered: TOOL_EXECUTED, with AUDIT_SUCCESS, AUDIT_FAILED or AUDIT_CANCELLED. Nothing is written
 * of a request that is no tool's; one that has begun a guided session ends with that (flow_led_parts.h). code 0:
 * none. Events and figures are told of it too, as of a refusal. */
void call_audit_end(const struct call *call, struct slice result, int64_t code);
/* It was refused at the gate where it stands: TOOL_BLOCKED, and with it what that gate has of its own
 * (VALIDATION_FAILED, CODE_REJECTED). */
void call_audit_refusal(const struct call *call);
/* A person is asked about it, or has answered: dev.hustings.approval_asked, dev.hustings.approval_answered, so
 * that the call's trace holds the question, its answer and who gave it. `by` length 0: nobody, or time. */
void call_audit_question(const struct call *call);
void call_audit_answer(const struct call *call, struct slice result, struct slice by);
/* What the server asks meanwhile (MGP 13.4), and the end of that: dev.hustings.callback_asked,
 * dev.hustings.callback_answered. `more`: members of the details, each with a comma before it. */
void call_audit_callback(const struct call *call, bool is_answer, struct slice result, struct slice by,
	struct slice more);
/* Its asker is asked for parameters that are missing, or has answered: dev.hustings.parameters_asked,
 * dev.hustings.parameters_answered. `more` as above. */
void call_audit_parameters(const struct call *call, bool is_answer, struct slice result, struct slice more);
/* It will be asked once more (MGP 14.6). */
void call_audit_retry(const struct call *call, int64_t code, uint64_t pause_ms, struct slice fallback);
#endif
