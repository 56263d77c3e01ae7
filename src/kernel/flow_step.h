/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow step: an answer taken, whether its session is kept or lives in a token: judged, and what is asked next. Stores
 * and tells nothing. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_FLOW_STEP_H
#define HUSTINGS_KERNEL_FLOW_STEP_H

#include "kernel/flow_asked.h"
#include "kernel/flow_course.h"

struct flow_place { /* where a session's tool is; good until the return to the loop */
	struct hosted *hosted;
	const struct tool *tool;
	bool waits; /* the ask goes on later */
};

/* The session's tool, which this asker may still use; waits for a list where `go_on` is not NULL. False: it waits,
 * or *refusal, and nothing of the session has changed. */
bool flow_step_find(struct mgp_ask *ask, const struct flow_session *session, struct flow_place *place,
	void (*go_on)(struct mgp_ask *ask), struct flow_refusal *refusal) MUST_USE;
/* True: the answer was judged (*verdict), and an accepted one has led to the next prompt, or to processing. False:
 * *refusal; the session is as it was, or in error. `place` may be NULL for a session that does not wait for an
 * answer. */
bool flow_step_take(struct flow_session *session, const struct flow_response *response, const struct flow_place *place,
	struct prompt_verdict *verdict, struct flow_refusal *refusal) MUST_USE;

#endif
