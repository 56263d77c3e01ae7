/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_room_own: the tools of a room itself (MCPx v0 8.2): chat_say, presence_get and history. They are
 * listed under names without dots, which some models' interfaces refuse; chat.say and presence.get are
 * the same.
 */
#ifndef HUSTINGS_GATEWAY_MCP_ROOM_OWN_H
#define HUSTINGS_GATEWAY_MCP_ROOM_OWN_H

#include "gateway/mcp_room_parts.h"

#define MCP_ROOM_SAY_MS 30000 /* until what was said is stored */
#define MCP_ROOM_HISTORY 50   /* envelopes, when nobody says how many; at most HISTORY_COUNT */

bool mcp_room_own_has(struct slice name);
/* A JSON array's elements: their definitions. */
void mcp_room_own_write(struct text *to);
/* One of that name. `arguments` may be SCAN_NONE. */
bool mcp_room_own_start(struct mcp_room *room, struct mcp_call *call, struct slice name,
	const struct scan_value *arguments, struct fault *why) MUST_USE;

/* {"topic","you","privilege","participants":[...]}, as presence_get answers. */
void mcp_room_own_write_presence(const struct mcp_room *room, struct text *to);

#endif
