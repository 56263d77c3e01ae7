/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decision standing: what a principal is to a decision beyond its names: full privilege in the room where it was asked
 * for (decision_is_of_room()). And an authorization that was answered elsewhere, said in that room as its decider's own
 * word. Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_DECISION_STANDING_H
#define HUSTINGS_GATEWAY_DECISION_STANDING_H

#include "decide/inbox.h"
#include "gateway/gateway.h"

/* The decision's topic, where that one has full privilege there; else empty. */
struct slice decision_standing(struct gateway *gateway, const struct principal *principal, const struct decision *decision);
/* Whether it may see it. */
bool decision_is_shown(struct gateway *gateway, const struct principal *principal, const struct decision *decision);
/* authorization/respond, or authorization/revoke, from `who` to the server; nothing for other decisions. */
void decision_say(struct gateway *gateway, const struct decision *decision, struct slice who);

#endif
