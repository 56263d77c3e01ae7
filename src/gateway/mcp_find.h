/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_find: the search face of hosted servers, for any MCP client (MGP 16.3, docs/finding-tools.md): /mcp and
 * each server's face with ?tools=search, and /mcp without it where [kernel] tools says so. Its list holds what
 * stands in the client's context (kernel/tool_sessions.h) and the two tools that find all others,
 * mgp_tools_discover and mgp_tools_request; what is not listed may be called all the same. A legacy session
 * stays what it was at `initialize`; a modern client says so with every request. Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_MCP_FIND_H
#define HUSTINGS_GATEWAY_MCP_FIND_H

#include "gateway/exchange.h"
#include "gateway/mcp_asker.h"

struct mgp_method;

/* What the query says, or the configuration. False: answered with 400. */
bool mcp_find_read(struct exchange *exchange, bool is_of_all, bool *searches) MUST_USE;
/* A call of one of the two: at a search face the kernel's, whether the client speaks MGP or not. */
bool mcp_find_is_meant(const struct mcp_request *request);

/* Its result: text alone, which is what stands in a model's context; a refusal too, so that the model reads
 * what to do about it. */
void mcp_find_write_result(struct text *to, const struct hosted_answer *answer);

/* Whether a tool stands in that client's context. */
bool mcp_find_is_listed(const struct call_asker *asker, struct hosted *hosted, const struct tool *tool);
/* The two, as they stand in a list. *before: what separates them from what is before; then ",". */
void mcp_find_write_tools(struct text *to, const char **before);
/* Whether it is one of the two. */
bool mcp_find_is_tool(const struct mgp_method *method);

/* The capabilities of what is behind the face (a JSON object, or bytes NULL), with tools that change. */
void mcp_find_write_capabilities(struct text *to, struct slice capabilities);
/* A JSON string: what the server behind the face says (bytes NULL: nothing), and how to work here. hosted
 * NULL: the face of all, whose servers are named as far as the asker may use them. */
void mcp_find_write_instructions(struct text *to, struct slice instructions, struct mcp_face *face,
	const struct hosted *hosted, const struct call_asker *asker);

#endif
