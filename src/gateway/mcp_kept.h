/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_kept: a request and its surroundings, kept until what it waits for is there: a copy, since one
 * that came by mcp_old.h outlives its exchange. A plain struct in its owner's. Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_MCP_KEPT_H
#define HUSTINGS_GATEWAY_MCP_KEPT_H

#include "gateway/mcp_dispatch.h"

struct mcp_kept {
	struct mcp_visit visit;
	struct mcp_request request;
	struct text text; /* the request's; its spans lie in here and in the arena */
	struct arena arena;
};

/* False: no memory; to be finished all the same. */
bool mcp_kept_init(struct mcp_kept *kept, const struct mcp_visit *visit,
	const struct mcp_request *request) MUST_USE;
void mcp_kept_finish(struct mcp_kept *kept);

#endif
