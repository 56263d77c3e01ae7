/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Authorization room: the messages of MCPx ADR-001 as they come and go in a room: decisions about calls of our
 * tools, questions about other participants' tools, and what became of our own calls. For client/library*.c alone.
 */
#ifndef HUSTINGS_CLIENT_AUTHORIZATION_ROOM_H
#define HUSTINGS_CLIENT_AUTHORIZATION_ROOM_H

#include "client/library.h"
#include "mcp/peer.h"

/* authorization/respond and authorization/revoke as requests: true: the question was taken. */
bool authorization_room_asked(struct hustings_room *room, struct slice from, struct peer_question *question,
	const struct jsonrpc *request) MUST_USE;
/* Every envelope of the room. */
void authorization_room_heard(struct hustings_room *room, const struct envelope *envelope, enum guest_moment moment);

#endif
