/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_room_stop: mgp/stream/cancel (MGP 12.7) at the face of a room: a call of a participant's tool by this client
 * ends with what was done so far. A participant that streams is asked for that, and answers the call itself; with
 * any other the call is given up, and has done nothing that could be told.
 */
#ifndef HUSTINGS_GATEWAY_MCP_ROOM_STOP_H
#define HUSTINGS_GATEWAY_MCP_ROOM_STOP_H

#include "gateway/mcp_room.h"

#define MCP_ROOM_STOP_MS (HOSTED_STOP_MS * 2) /* for the participant to say what it has done */

/* mcp_room_then. */
void mcp_room_stop(struct mcp_room *room, const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request);

#endif
