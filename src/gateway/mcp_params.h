/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_params: arguments that a tool's input schema marks with `x-mcp-header`, beside the headers
 * Mcp-Param-* in which a modern client repeats them (MCP 2026-07-28 transports). Any thread.
 */
#ifndef HUSTINGS_GATEWAY_MCP_PARAMS_H
#define HUSTINGS_GATEWAY_MCP_PARAMS_H

#include "base/arena.h"
#include "wire/http1.h"
#include "wire/scan.h"

/* `definition`: of the tool, `params`: of tools/call; JSON objects that were checked before. False: a
 * header is missing, is not what the argument says, or stands for an argument that is not there. */
bool mcp_params_match(struct slice definition, struct slice params, const struct http1_head *head,
	struct arena *arena, struct fault *why) MUST_USE;

#endif
