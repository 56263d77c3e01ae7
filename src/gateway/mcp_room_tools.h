/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_room_tools: what the other participants of a room offer, a shelf each. Nobody is asked before
 * somebody wants to know; from then on whoever comes is asked, and what changes is told to those who
 * listen (tools/list_changed). A restricted participant may ask nobody: it is shown the shelves of the
 * gateway's own guest in that room (mcp_room_survey()).
 *
 * Asked are also those who do not say that they are MCP servers, since all should be (MCPx v0 7), but
 * a list waits for these only MCP_ROOM_GRACE_MS, and the next one not at all.
 */
#ifndef HUSTINGS_GATEWAY_MCP_ROOM_TOOLS_H
#define HUSTINGS_GATEWAY_MCP_ROOM_TOOLS_H

#include "gateway/mcp_room_parts.h"

#define MCP_ROOM_GRACE_MS 1000
#define MCP_ROOM_LIST_MS 5000                      /* for all of them */
#define MCP_ROOM_ASK_MS 30000                      /* for one; what comes later than the list is a change */
#define MCP_ROOM_AGAIN_MS (10 * 60 * 1000)         /* before one that did not answer is asked again */
#define MCP_ROOM_SHELVES 1000                      /* in one room; whoever has none is called by plain names */
#define MCP_ROOM_LIST_OCTETS ((size_t)2 << 20)     /* of one; a longer list is none, its tools are called by plain names */
#define MCP_ROOM_SHELVES_OCTETS ((size_t)16 << 20) /* of all */
#define MCP_ROOM_UNSAID 64                         /* asked though they do not say that they are servers */

/* Somebody who waits for the shelves; in its owner's struct. */
struct mcp_room_listing {
	struct link link;
	struct mcp_room *room;
	struct deadline deadline;
	bool is_past_grace;
	void (*listed)(struct mcp_room_listing *listing); /* once, unless left; not from inside */
};

void mcp_room_tools_arrived(struct mcp_room *room, const struct roster_entry *entry);
void mcp_room_tools_left(struct mcp_room *room, struct slice id);
void mcp_room_tools_changed(struct mcp_room *room, struct slice id);
/* It was away: what is known may be old. */
void mcp_room_tools_again(struct mcp_room *room);
/* It became restricted, or is no longer: other shelves are shown to it. */
void mcp_room_tools_other(struct mcp_room *room);
/* Open errands are given up or gone with their guest; listings hear that it is as it is. */
void mcp_room_tools_finish(struct mcp_room *room);

/* False: everything that can be known is known. */
bool mcp_room_tools_await(struct mcp_room *room, struct mcp_room_listing *listing) MUST_USE;
void mcp_room_tools_leave(struct mcp_room_listing *listing);

/* Each tool with its name on this face, a comma before each; `self` offers none to itself. */
void mcp_room_tools_write(struct mcp_room *room, struct slice self, struct text *to);
/* A hashed name among the shelves. The slices are valid until the return to the loop. */
bool mcp_room_tools_find(struct mcp_room *room, struct slice name, struct slice *participant,
	struct slice *tool);
/* NULL: it is not known. */
const struct mcp_tool *mcp_room_tools_known(const struct mcp_room *room, struct slice participant,
	struct slice tool);

#endif
