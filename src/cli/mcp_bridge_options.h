/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_bridge options: where the gateway is, and what a bridge asks of who opens it (mcp_bridge.h). */
#ifndef HUSTINGS_CLI_MCP_BRIDGE_OPTIONS_H
#define HUSTINGS_CLI_MCP_BRIDGE_OPTIONS_H

#include "base/log.h"
#include "cli/place.h"
#include "cli/reach.h"
#include "net/loop.h"

struct mcp_address {
	char url[PLACE_URL + 512]; /* of the face */
	char token[REACH_TOKEN];
	const char *ca;
};

struct mcp_bridge_options {
	struct loop *loop;
	/* Where the gateway is now, started where that is allowed. `is_refused`: the token was. */
	bool (*find)(void *context, bool is_refused, struct mcp_address *address, struct fault *why);
	void (*say)(void *context, struct slice line); /* a message for the host */
	void (*rested)(void *context);                 /* everything that was asked has been answered */
	void *context;
	struct log *log;
};

#endif
