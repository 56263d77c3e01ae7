/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_hello: `initialize` and `server/discover`: what a face says of itself. A face of one server
 * says what that server says, and waits for it when it has not said anything yet; one that searches
 * (mcp_find.h) says how to ask as well. Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_MCP_HELLO_H
#define HUSTINGS_GATEWAY_MCP_HELLO_H

#include "gateway/mcp_request.h"
#include "gateway/mcp_session.h"

#define MCP_HELLO_MS 30000 /* a client waits so long for a server that starts */

/* hosted NULL: the face of all servers. The stream is answered, now or later. A legacy client gets a
 * session, unless it has one (HTTP with SSE): then session is not NULL. */
void mcp_hello(struct mcp_face *face, struct mcp_stream *stream, struct principal *principal,
	struct hosted *hosted, struct mcp_session *session, const struct mcp_request *request,
	bool is_modern, bool searches);
/* The same of a face whose facts are known: a room's. */
void mcp_hello_known(struct mcp_face *face, struct mcp_stream *stream, struct principal *principal,
	struct slice target, struct mcp_session *session, const struct mcp_request *request,
	bool is_modern, const struct hosted_facts *facts);

#endif
