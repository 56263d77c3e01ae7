/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow course: a guided session of any hosted tool: it asks for what the tool's input schema still needs, one thing
 * after the other (flow/prompt_schema.h), then the tool is called through the gates of every call (kernel/call.h),
 * where it may wait for a person's approval; its result ends the session. What the tool asks while it runs is the
 * session's next prompt (kernel/flow_aside.h), one after the other. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_FLOW_COURSE_H
#define HUSTINGS_KERNEL_FLOW_COURSE_H

#include "kernel/call.h"
#include "kernel/flows.h"

/* An active or processing session is asked the next thing; or is processing, where nothing is missing. False: it
 * is in error. */
bool flow_course_next(struct flow_session *session, const struct tool *tool, int64_t now, struct flow_refusal *refusal);
/* A session that was stored as processing: its tool is called, as this asker, and its end settled and told. */
void flow_course_run(struct flows *flows, struct flow_entry *entry, struct hosted *hosted, const struct call_asker *asker);

#endif
