/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Proposal desk: the proposals of all rooms (MCPx v0.1 4.2, 10.2) as decisions in the inbox, and what is decided there
 * carried back: an approval sends the proposed request in the approver's name, with the proposal's id as correlation_id;
 * a denial rejects it in the room's book. Whatever settles a proposal in the room closes its decision.
 *
 * Owned: opened on loop 0 after the inbox, closed before it. What the rooms tell comes by letters from their threads.
 */
#ifndef HUSTINGS_GATEWAY_PROPOSAL_DESK_H
#define HUSTINGS_GATEWAY_PROPOSAL_DESK_H

#include "gateway/gateway.h"

struct proposal_desk;

struct proposal_desk *proposal_desk_open(struct gateway *gateway, struct fault *why) MUST_USE;
void proposal_desk_close(struct proposal_desk *desk); /* NULL is fine */
/* What the rooms tell of their proposals: for gateway->proposals, as long as there is one. */
struct rooms_watch proposal_desk_watch(struct gateway *gateway);

#endif
