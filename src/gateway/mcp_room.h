/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_room: an MCP client's principal in a room. It comes in with its first request there, beside what
 * connections it has already, and stays as long as a session, a stream or a call of its is there, and
 * MCP_ROOM_LINGER_MS more. One for all sessions and requests of a token in a topic: another token of
 * the same principal may have another privilege, and be revoked alone. Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_MCP_ROOM_H
#define HUSTINGS_GATEWAY_MCP_ROOM_H

#include "gateway/mcp_dispatch.h"

#define MCP_ROOMS 1024       /* in all; the least recently used that nobody needs gives way */
#define MCP_ROOMS_OF_ONE 64  /* of one principal */
#define MCP_ROOM_WAITERS 256 /* requests of one that wait until it is in the room */
#define MCP_ROOM_ENTER_MS 30000
#define MCP_ROOM_LINGER_MS (3 * 60 * 1000)
#define MCP_ROOM_LOOK_MS (60 * 1000)     /* how often it is looked whether it is needed */
#define MCP_ROOM_SURVEY "hustings-tools" /* the gateway's own participant, see mcp_room_survey() */

struct mcp_room;

/* In the room; the room is borrowed until the return. Answers the stream, now or later. */
typedef void mcp_room_then(struct mcp_room *room, const struct mcp_visit *visit,
	struct mcp_stream *stream, const struct mcp_request *request);
/* `then` is called when the visit's principal is in its room, now or later; else the stream is
 * answered with why. */
void mcp_room_enter(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request, mcp_room_then *then);
/* Whose shelves this one is shown: its own, or, where it may ask nobody, those of a guest of the
 * gateway's own in that room. NULL: none could be had. */
struct mcp_room *mcp_room_survey(struct mcp_room *room, struct fault *why) MUST_USE;
void mcp_rooms_close(struct mcp_face *face);

#endif
