/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow asked: what the methods of guided sessions have in common: which tool is meant and whether this asker may use
 * it, waiting until its server has said what tools it has, and how a refusal is answered. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_FLOW_ASKED_H
#define HUSTINGS_KERNEL_FLOW_ASKED_H

#include "flow/flow_message.h"
#include "kernel/mgp_ask.h"

/* Each answers. `id`: the session's, which goes into the error's data where it is one; length 0: none. */
void flow_asked_refuse(struct mgp_ask *ask, const struct flow_refusal *refusal, struct slice id);

/* Which server and tool of it a name at this face stands for. False: *refusal, -32602, alike for what is unknown
 * and what this asker may not use. */
bool flow_asked_find(struct mgp_ask *ask, struct slice name, struct hosted **hosted, struct slice *tool,
	struct flow_refusal *refusal) MUST_USE;
/* Whether this asker may have it called. False: *refusal. */
bool flow_asked_may(struct mgp_ask *ask, struct hosted *hosted, struct slice tool, struct flow_refusal *refusal) MUST_USE;
/* As it is known; good until the return to the loop. NULL: *refusal: -32602 for none that may be called, -32007
 * where its server takes no part, -32603 where it does not say what it has. */
const struct tool *flow_asked_tool(struct mgp_ask *ask, struct hosted *hosted, struct slice tool,
	struct flow_refusal *refusal);

/* True: the ask goes on in `go_on` when the server's list is there, or cannot be had; what it was lent is kept that
 * long. False: the list is there, or there is nothing to wait for. */
bool flow_asked_waits(struct mgp_ask *ask, struct hosted *hosted, void (*go_on)(struct mgp_ask *ask)) MUST_USE;
/* The same until its server has said whether it leads sessions by itself (flow_speech.h). False: it cannot be asked. */
bool flow_asked_hears(struct mgp_ask *ask, struct hosted *hosted, void (*go_on)(struct mgp_ask *ask)) MUST_USE;

#endif
