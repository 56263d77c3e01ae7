/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_asker: a principal at the MCP faces as the kernel sees it (kernel/call.h), what it has agreed on of MGP,
 * and what it may see of the hosted servers (MGP 5). Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_MCP_ASKER_H
#define HUSTINGS_GATEWAY_MCP_ASKER_H

#include "gateway/mcp_request.h"
#include "gateway/mcp_session.h"
#include "kernel/call.h"

/* Slices are the principal's. */
struct call_asker mcp_asker(const struct principal *principal, struct mgp_agreed mgp);
/* The same of one in a legacy session, whose id that is; length 0: of a modern client. */
struct call_asker mcp_asker_in(const struct principal *principal, struct slice session, struct mgp_agreed mgp);
/* Of a legacy session, or what a modern request says of itself; `arena` is the request's. */
struct mgp_agreed mcp_asker_mgp(const struct mcp_session *session, const struct mcp_request *request,
	struct arena *arena);
/* Whether a request says in its own _meta that whoever sends it knows ADR-001 (docs/protocol.md). */
bool mcp_asker_knows_authorization(const struct scan_value *params);
/* Anything of that server at all; that tool of it (the server's own name; length 0: it as a whole); it as a
 * whole, which its resources and prompts need; that tool, which is not quarantined either. */
bool mcp_asker_may_use(const struct call_asker *asker, struct hosted *hosted);
/* That it tried is written down (kernel/refusals.h). */
void mcp_asker_note_denied(const struct call_asker *asker, struct hosted *hosted);
bool mcp_asker_may_call(const struct call_asker *asker, struct hosted *hosted, struct slice tool);
bool mcp_asker_may_use_all(const struct call_asker *asker, struct hosted *hosted);
bool mcp_asker_may_see(const struct call_asker *asker, struct hosted *hosted, const struct tool *tool);

#endif
