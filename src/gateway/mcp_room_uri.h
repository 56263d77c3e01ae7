/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_room_uri: the resources of a room's MCP face: what was said lately, and who is there, as
 * hustings://rooms/TOPIC/chat and hustings://rooms/TOPIC/presence, a slash in the topic as %2F. Any
 * thread.
 */
#ifndef HUSTINGS_GATEWAY_MCP_ROOM_URI_H
#define HUSTINGS_GATEWAY_MCP_ROOM_URI_H

#include "base/text.h"

#define MCP_ROOM_URI 512 /* octets of the longest, and NUL */

enum mcp_room_resource {
	MCP_ROOM_CHAT,
	MCP_ROOM_PRESENCE,
	MCP_ROOM_RESOURCES,
	MCP_ROOM_NOTHING = MCP_ROOM_RESOURCES,
};

void mcp_room_uri_write(char uri[MCP_ROOM_URI], struct slice topic, enum mcp_room_resource resource);
/* Which of that topic's it is, as it is written; MCP_ROOM_NOTHING: none. */
enum mcp_room_resource mcp_room_uri_read(struct slice uri, struct slice topic);

#endif
