/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_privilege: whether a principal may call tools of hosted servers directly: a restricted one may
 * not (MCPx v0.1 3.1), as in rooms, where it may propose; administrators may. What was refused is
 * audited: the first of a principal at once, the others by the minute. Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_MCP_PRIVILEGE_H
#define HUSTINGS_GATEWAY_MCP_PRIVILEGE_H

#include "gateway/gateway.h"

#define MCP_PRIVILEGE_MS 200 /* so long one answer of the database counts */

struct mcp_privileges;

struct mcp_privileges *mcp_privileges_open(struct gateway *gateway, struct fault *why) MUST_USE;
void mcp_privileges_close(struct mcp_privileges *privileges); /* NULL is fine; writes what was counted */

/* `target` is the server's id. FAULT_REFUSED with the next step; else the database failed. */
bool mcp_privilege_allows(struct mcp_privileges *privileges, const struct principal *principal,
	struct slice target, struct fault *why) MUST_USE;

#endif
