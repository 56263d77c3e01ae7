/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_room_proposal: a call of a participant's tool by somebody who may not call it (MCPx v0.1 4.2).
 * It becomes a proposal and waits for what becomes of that. A participant with full privilege
 * fulfils it by a request of its own, and the target's answer to that is the call's; rejected,
 * withdrawn or expired it is a result that is an error and says who and why. Whoever cancels the call
 * withdraws the proposal.
 */
#ifndef HUSTINGS_GATEWAY_MCP_ROOM_PROPOSAL_H
#define HUSTINGS_GATEWAY_MCP_ROOM_PROPOSAL_H

#include "gateway/mcp_room_parts.h"

#define MCP_ROOM_PROPOSAL_BEAT_MS 15000     /* between words of progress while it waits */
#define MCP_ROOM_PROPOSAL_GRACE_MS 60000    /* beyond its life, for word of how it ended */
#define MCP_ROOM_FULFIL_MS (10 * 60 * 1000) /* from the fulfilment to the answer */

/* `params` as the participant knows them, `tool` its name there. */
bool mcp_room_proposal_start(struct mcp_room *room, struct mcp_call *call, struct slice to,
	struct slice tool, struct slice params, struct fault *why) MUST_USE;

#endif
