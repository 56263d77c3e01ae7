/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_bridge: between an MCP host that speaks lines and a gateway that speaks Streamable HTTP, in
 * both eras: what a host says goes out in its order, requests side by side; what comes back is said
 * as it came. The session of a legacy host is the bridge's alone: one that ended is begun again,
 * with the host's own initialize, unseen by it; so are a gateway that went and a token that is
 * refused, as far as `find` knows another.
 *
 * Owned: mcp_bridge_open(), mcp_bridge_close(); not within its callbacks. One thread.
 */
#ifndef HUSTINGS_CLI_MCP_BRIDGE_H
#define HUSTINGS_CLI_MCP_BRIDGE_H

#include "cli/mcp_bridge_options.h"

struct mcp_bridge;

struct mcp_bridge *mcp_bridge_open(const struct mcp_bridge_options *options, struct fault *why) MUST_USE;
void mcp_bridge_close(struct mcp_bridge *bridge); /* NULL is fine */
/* Of the host; without its line end. */
void mcp_bridge_take(struct mcp_bridge *bridge, struct slice line);
/* How many lines wait or are under way, streams that only listen left out. */
size_t mcp_bridge_busy(const struct mcp_bridge *bridge);
/* Ends the session; `rested` is called when that is done. False: there is none. */
bool mcp_bridge_leave(struct mcp_bridge *bridge) MUST_USE;

#endif
