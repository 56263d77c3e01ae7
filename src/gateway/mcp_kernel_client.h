/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_kernel_client: the clients of the faces of hosted servers as the kernel knows them (kernel/mgp_client.h).
 * A legacy client is its session, which is told on its GET stream; a modern one is a request of its own, which
 * is told on that request's stream as long as it is held open. Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_MCP_KERNEL_CLIENT_H
#define HUSTINGS_GATEWAY_MCP_KERNEL_CLIENT_H

#include "gateway/mcp_session.h"

/* The session's; it ends with the session. */
struct mgp_client *mcp_kernel_client(struct mcp_session *session);

/* For faces: how a tool is called at the face of one server (`target` its id), or of all (""). */
void mcp_kernel_client_write_name(struct text *to, struct slice target, struct slice server, struct slice tool);
/* For faces: which tool a name stands for there; as find_tool() of struct mgp_client_face. */
bool mcp_kernel_client_find_tool(struct mcp_face *face, struct principal *principal, struct slice target,
	bool is_modern, struct slice name, struct hosted **hosted, struct slice *tool);

#endif
