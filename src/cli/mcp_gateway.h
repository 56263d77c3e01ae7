/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_gateway: which gateway an MCP host's lines go to, at which face, with which token.
 *
 * --url and $HUSTINGS_URL name one, whose token is --token or $HUSTINGS_TOKEN. Otherwise it is the one
 * that runs on the data folder, started when none does; its token is kept in DATA/mcp.token (0600),
 * made in the local user's name and without administration, and anew when it is refused.
 * A plain struct; mcp_gateway_finish() wipes it.
 */
#ifndef HUSTINGS_CLI_MCP_GATEWAY_H
#define HUSTINGS_CLI_MCP_GATEWAY_H

#include "cli/mcp_bridge.h"

#define MCP_TOKEN_MS (90LL * 24 * 3600 * 1000)

struct mcp_gateway {
	const struct command_line *line;
	struct log *log;
	struct reach reach;
	char path[512];          /* of the face */
	char config[PLACE_PATH]; /* "": none named */
	pid_t started;
};

/* Reads the words of `line`: --topic, --server, --config, and those of reach.h. */
bool mcp_gateway_init(struct mcp_gateway *gateway, const struct command_line *line, struct log *log,
	struct fault *why) MUST_USE;
void mcp_gateway_finish(struct mcp_gateway *gateway);
/* For struct mcp_bridge_options; the context is a struct mcp_gateway. Waits while one is started. */
bool mcp_gateway_find(void *context, bool is_refused, struct mcp_address *address,
	struct fault *why) MUST_USE;

#endif
