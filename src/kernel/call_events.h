/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call events: what a call is to those who have subscribed to the kernel's own channels: tool.started,
 * tool.completed, tool.failed, security.access_denied, security.validation_failed (docs/protocol.md). Never its
 * arguments. For kernel/ alone; but events_denied() is for who refuses before there is a call.
 */
#ifndef HUSTINGS_KERNEL_CALL_EVENTS_H
#define HUSTINGS_KERNEL_CALL_EVENTS_H

#include "kernel/events.h"

/* It is sent to its server for the first time. */
void call_events_started(struct call *call);
/* It ended as AUDIT_SUCCESS, AUDIT_FAILED or AUDIT_CANCELLED; code 0: none. */
void call_events_ended(const struct call *call, struct slice result, int64_t code);
/* A guided session that its server leads is over, whose start was told of as of a call: `data` is the text of an object
 * with what the events of calls have. */
void call_events_session(struct events *events, const struct hosted *hosted, struct slice tool, struct slice result,
	struct slice data);
/* It was refused at the gate where it stands; is_first: as far as that is written down (kernel/refusals.h). */
void call_events_refused(const struct call *call, bool is_first);
/* Somebody may not even know of that server. */
void events_denied(struct events *events, const struct hosted *hosted, struct slice agent);

#endif
