/* SPDX-License-Identifier: Apache-2.0 */
/* Flow step: first where, then what. */
#include "kernel/flow_step.h"

#include "base/clock.h"

bool flow_step_find(struct mgp_ask *ask, const struct flow_session *session, struct flow_place *place,
	void (*go_on)(struct mgp_ask *ask), struct flow_refusal *refusal) {
	struct slice tool = slice_of(session->tool);
	*place = (struct flow_place){.hosted = session->server ? hosted_find(ask->means->servers, slice_of(session->server)) : NULL};
	if (!place->hosted)
		return flow_refuse(refusal, FLOW_INVALID_PARAMS, "unknown_tool", "the session's tool is not there any more: cancel it");
	if (!flow_asked_may(ask, place->hosted, tool, refusal)) return false;
	if (go_on && flow_asked_waits(ask, place->hosted, go_on)) {
		place->waits = true;
		return false;
	}
	return (place->tool = flow_asked_tool(ask, place->hosted, tool, refusal)) != NULL;
}

bool flow_step_take(struct flow_session *session, const struct flow_response *response, const struct flow_place *place,
	struct prompt_verdict *verdict, struct flow_refusal *refusal) {
	int64_t now = clock_wall_ms();
	*verdict = (struct prompt_verdict){0};
	if (!flow_session_respond(session, response, now, verdict, refusal)) return false;
	return !verdict->is_valid || !place || flow_course_next(session, place->tool, now, refusal);
}
