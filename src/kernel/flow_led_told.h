/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow led told: what a server says by itself of the sessions that it leads (MCP Flow 0.1.0: interaction.prompt,
 * continue, complete). It is taken from the conversation alone in which a session began. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_FLOW_LED_TOLD_H
#define HUSTINGS_KERNEL_FLOW_LED_TOLD_H

#include "kernel/flow_led_parts.h"
#include "mcp/peer_question.h"

#define FLOW_LED_MESSAGES 1000 /* of a server's about one session that are no prompts */

/* Takes the question (NULL: a notification), and answers it. */
void flow_led_told(const struct kernel_means *means, struct hosted_child *child, struct peer_question *question,
	struct slice method, const struct scan_value *params);
/* The answer to a start that was given up. */
void flow_led_answered_late(struct hosted_child *child, const struct scan_value *result);
/* The session's id at its server is known now: what came for it before is taken. */
void flow_led_take_early(struct flow_led *led);

#endif
