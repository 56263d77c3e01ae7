/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_room_island: what a room itself is asked, on its loop: who is in it, where the welcome listed
 * only a part, and to take back a proposal.
 */
#ifndef HUSTINGS_GATEWAY_MCP_ROOM_ISLAND_H
#define HUSTINGS_GATEWAY_MCP_ROOM_ISLAND_H

#include "gateway/mcp_room_parts.h"

/* The guest meets those that it does not know yet. */
void mcp_room_meet(struct mcp_room *room);
void mcp_room_meet_no_more(struct mcp_room *room);
/* A proposal of the room's principal, sent before; one that cannot be withdrawn expires. */
void mcp_room_withdraw(const struct mcp_room *room, struct slice proposal, const char *reason);

#endif
