/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_room_said: what was said in a room lately, as lines of text: the last MCP_ROOM_SAID messages, in
 * at most MCP_ROOM_SAID_OCTETS. A plain struct in its owner's; mcp_room_said_init() and _finish(). One
 * thread.
 */
#ifndef HUSTINGS_GATEWAY_MCP_ROOM_SAID_H
#define HUSTINGS_GATEWAY_MCP_ROOM_SAID_H

#include "client/guest_options.h"

#define MCP_ROOM_SAID 100
#define MCP_ROOM_SAID_OCTETS (256 * 1024)
#define MCP_ROOM_SAID_LINE (16 * 1024) /* octets of one message; history has all of it */

struct mcp_room_said {
	struct link lines; /* the oldest first */
	size_t count;
	size_t octets;
};

void mcp_room_said_init(struct mcp_room_said *said);
void mcp_room_said_finish(struct mcp_room_said *said);
/* One that there is no memory for is left out. */
void mcp_room_said_add(struct mcp_room_said *said, const struct guest_chat *chat);
/* "2026-01-31T12:00:00.000Z alice: Hello" each, further lines of a message behind a tab. */
void mcp_room_said_write(const struct mcp_room_said *said, struct text *to);

#endif
