/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_aggregate: which hosted server a request at /mcp is for, and the params as that server knows
 * them: tools and prompts by their name "server__tool", resources by a uri that a server lists or
 * that one of its templates may stand for, completions by what they refer to. A server that the asker
 * may not use as a whole has no prompts and no resources here; its tools are the kernel's matter
 * (kernel/call_gates.h). Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_MCP_AGGREGATE_H
#define HUSTINGS_GATEWAY_MCP_AGGREGATE_H

#include "gateway/mcp_asker.h"
#include "gateway/mcp_face.h"

/* *params lies in the arena, or is the request's own. NULL: FAULT_NOT_FOUND, FAULT_BAD_INPUT, and
 * FAULT_UNSUPPORTED for a method that names no server. */
struct hosted *mcp_aggregate_find(struct mcp_face *face, const struct call_asker *asker,
	const struct mcp_request *request, bool is_modern, struct arena *arena, struct slice *params, struct fault *why) MUST_USE;
/* Which server a tool's name on this face is of, as far as is known; *tool lies in the name, or in a list. NULL: none. */
struct hosted *mcp_aggregate_tool(struct mcp_face *face, const struct call_asker *asker, struct slice name,
	bool is_modern, struct slice *tool);
/* Which server has that resource, as far as is known; NULL: none. */
struct hosted *mcp_aggregate_resource(struct mcp_face *face, const struct call_asker *asker,
	struct slice uri, bool is_modern);

#endif
