/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Join ask: what a room's member asks of others: calls, lists of tools, and the gateway's word on
 * proposals. Each answer is printed when it comes.
 *
 * struct join_asks lies in cli/join_room.h's; all it points to is borrowed until join_ask_finish().
 */
#ifndef HUSTINGS_CLI_JOIN_ASK_H
#define HUSTINGS_CLI_JOIN_ASK_H

#include "cli/join_proposals.h"
#include "client/guest.h"
#include "net/fetch_desk.h"

struct join_asks {
	struct loop *loop;
	struct guest *guest;
	struct fetch_desk *desk;          /* opened with the first question over HTTP */
	struct join_proposals *proposals; /* what the gateway's book adds to */
	struct link open;                 /* what waits for an answer */
	void (*print)(struct join_asks *asks, const struct text *text);
	void (*complain)(struct join_asks *asks, const struct fault *why);
};

bool join_ask_call(struct join_asks *asks, struct slice participant, struct slice tool,
	struct slice arguments, struct fault *why) MUST_USE;
bool join_ask_tools(struct join_asks *asks, struct slice participant, struct fault *why) MUST_USE;
/* Makes the proposed request in our name (MCPx v0.1 4.2.1). */
bool join_ask_fulfil(struct join_asks *asks, const struct join_proposal *proposal,
	struct fault *why) MUST_USE;
/* verb: "reject" or "withdraw". */
bool join_ask_settle(struct join_asks *asks, const struct join_proposal *proposal, const char *verb,
	struct slice reason, struct fault *why) MUST_USE;
/* The proposals that wait, those from before we came too. */
bool join_ask_waiting(struct join_asks *asks, bool is_shown, struct fault *why) MUST_USE;
void join_ask_finish(struct join_asks *asks); /* gives all of it up; before the guest is closed */

#endif
