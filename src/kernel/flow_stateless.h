/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow stateless: guided sessions that live in the tokens of their clients (MCP Flow, appendix B). Nothing is kept of
 * one that waits for an answer, but which tokens were used up, until they expire: each is good for one step, also
 * after a restart. While its tool runs, and for a while behind that, a session stands in the book, unstored: there its
 * result is had by the last token. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_FLOW_STATELESS_H
#define HUSTINGS_KERNEL_FLOW_STATELESS_H

#include "kernel/flow_step.h"

/* Takes the session, which was asked something or is processing. Answers. */
void flow_stateless_start(struct mgp_ask *ask, struct flow_session *session, struct hosted *hosted);
/* Answers, or waits where `go_on` is not NULL. */
void flow_stateless_respond(struct mgp_ask *ask, struct slice token, const struct flow_response *response,
	void (*go_on)(struct mgp_ask *ask));
void flow_stateless_cancel(struct mgp_ask *ask, struct slice token);
void flow_stateless_get_state(struct mgp_ask *ask, struct slice token);
/* The session of that token, where it runs or has run. NULL: *refusal. */
struct flow_entry *flow_stateless_find(struct mgp_ask *ask, struct slice token, struct flow_refusal *refusal);

#endif
