/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_room_answerer: a room as one that answers calls (gateway/mcp_call.h): a tool of the room itself,
 * or PARTICIPANT__TOOL of somebody there, by an errand or, for who is restricted, by a proposal.
 */
#ifndef HUSTINGS_GATEWAY_MCP_ROOM_ANSWERER_H
#define HUSTINGS_GATEWAY_MCP_ROOM_ANSWERER_H

#include "gateway/mcp_room_parts.h"

extern const struct mcp_answerer mcp_room_answerer; /* `who` is a struct mcp_room */

#define MCP_ROOM_INFO \
	"{\"name\":\"hustings\",\"title\":\"A room of Hustings\",\"version\":\"" HUSTINGS_VERSION "\"}"

/* Whose tool that name is. The slices are valid until the return to the loop. False: nobody's that is
 * known. */
bool mcp_room_find_tool(struct mcp_room *room, struct slice name, struct slice *participant,
	struct slice *tool);

#endif
