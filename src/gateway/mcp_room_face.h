/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_room_face: a room as an MCP server, at /mcp/rooms/TOPIC. Tools are those of the room
 * (mcp_room_own.h) and PARTICIPANT__TOOL of everybody else there; resources are what was said lately
 * and who is there, which can be subscribed to. Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_MCP_ROOM_FACE_H
#define HUSTINGS_GATEWAY_MCP_ROOM_FACE_H

#include "gateway/mcp_dispatch.h"

/* The visit's target and what is behind it, by the path's topic. False: answered (400, 403, 503). */
bool mcp_room_face_visit(struct exchange *exchange, struct mcp_visit *visit) MUST_USE;

#endif
