/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow led: a guided session that its tool's server leads by itself (MCP Flow): it is passed through. The client knows
 * it by an id of ours, its server by the server's own, which goes nowhere else. In the book it stands like any, for its
 * owner, its limits and its time; what was asked and answered is the server's to know, and nothing of it is stored: it
 * ends with the process that leads it, and with the gateway.
 *
 * Who may begin one is call_guided.h's to say, at the start and again with every answer. What the server sends is
 * taken for sessions of the conversation it comes from alone. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_FLOW_LED_H
#define HUSTINGS_KERNEL_FLOW_LED_H

#include "kernel/flow_asked.h"
#include "kernel/flows.h"

#define FLOW_LED_REQUESTS 16 /* of one session under way at its server */

/* Each answers, now or later. */
void flow_led_start(struct mgp_ask *ask, const struct flow_start *start, struct hosted *hosted, struct slice tool);
void flow_led_respond(struct mgp_ask *ask, struct flow_entry *entry);
/* False: it is no such session, or its server is gone: what the book knows of it is all there is. */
bool flow_led_cancel(struct mgp_ask *ask, struct flow_entry *entry) MUST_USE;
bool flow_led_get_state(struct mgp_ask *ask, struct flow_entry *entry) MUST_USE;

#endif
