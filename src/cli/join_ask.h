/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Join ask: what a room's member asks of others: calls, lists of tools, and the gateway's word on
 * proposals. Each answer is printed when it comes; for cli/join_room.c.
 */
#ifndef HUSTINGS_CLI_JOIN_ASK_H
#define HUSTINGS_CLI_JOIN_ASK_H

#include "cli/join_room.h"

bool join_ask_call(struct join_room *room, struct slice participant, struct slice tool,
	struct slice arguments, struct fault *why) MUST_USE;
bool join_ask_tools(struct join_room *room, struct slice participant, struct fault *why) MUST_USE;
/* Makes the proposed request in our name (MCPx v0.1 4.2.1). */
bool join_ask_fulfil(struct join_room *room, const struct join_proposal *proposal,
	struct fault *why) MUST_USE;
/* verb: "reject" or "withdraw". */
bool join_ask_settle(struct join_room *room, const struct join_proposal *proposal, const char *verb,
	struct slice reason, struct fault *why) MUST_USE;
/* The proposals that wait, those from before we came too. */
bool join_ask_waiting(struct join_room *room, bool is_shown, struct fault *why) MUST_USE;
void join_ask_finish(struct join_room *room); /* gives all of it up */

#endif
