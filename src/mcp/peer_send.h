/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Peer send: one message to the other side.
 */
#ifndef HUSTINGS_MCP_PEER_SEND_H
#define HUSTINGS_MCP_PEER_SEND_H

#include "base/text.h"
#include "mcp/peer_events.h"

bool peer_tell(struct peer *peer, struct slice method, struct slice params,
	struct fault *why) MUST_USE;
/* For mcp/peer*.c alone. `sent` may be NULL. */
bool peer_send(struct peer *peer, const struct text *message, struct slice about, char *sent,
	struct fault *why) MUST_USE;

#endif
