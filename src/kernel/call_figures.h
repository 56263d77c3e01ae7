/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call figures: calls of hosted tools counted by how they ended, refusals by gate, how long calls took. Plain
 * numbers, written as calls begin and end, and rendered by the gateway (/metrics). Zeroed is none. They lie in the
 * kernel, and are good as long as it is open. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_CALL_FIGURES_H
#define HUSTINGS_KERNEL_CALL_FIGURES_H

#include "kernel/call_run.h"

enum call_outcome {
	CALL_OUTCOME_OK,
	CALL_OUTCOME_ERROR,   /* an error, a result that says it is one, or the server was lost */
	CALL_OUTCOME_REFUSED, /* at a gate */
	CALL_OUTCOME_CANCELLED,
	CALL_OUTCOME_TIMEOUT,
	CALL_OUTCOMES
};

#define CALL_FIGURES_GATES 16 /* rows of call_gates, at most */
#define CALL_FIGURES_BOUNDS 19

struct call_figures {
	uint64_t outcomes[CALL_OUTCOMES];
	uint64_t refused[CALL_FIGURES_GATES];     /* by the gate's place in call_gates */
	uint64_t within[CALL_FIGURES_BOUNDS + 1]; /* each by the first bound that it kept; the last: none */
	uint64_t sum_us;
	uint64_t open; /* begun, and not ended */
};

extern const unsigned call_figures_bounds_us[CALL_FIGURES_BOUNDS];

const char *call_outcome_word(enum call_outcome outcome); /* "timeout" */

/* Each call of a tool once, and each guided session that its server leads: as its start where that leads to none,
 * else at its end. What is no tool's is not counted. */
void call_figures_begin(struct call *call);
void call_figures_leave(const struct call *call);
/* As call_audit_end() has it. Calls that were sent are timed, without what they waited for a person; those that were
 * cancelled are not, nor what begins a guided session, which lasts as long as a person does. */
void call_figures_end(const struct call *call, struct slice result, int64_t code);
/* The end of a session that had begun. It is not among the open ones: hustings_flow_sessions has those. */
void call_figures_session(struct call_figures *figures, struct slice result);
/* At the gate where it stands. */
void call_figures_refused(const struct call *call);

#endif
