/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_lookup: a request at /mcp whose name or uri is not among what is known yet waits until every
 * server has said what it has (MCP_LIST_MS each), then is looked up once more. Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_MCP_LOOKUP_H
#define HUSTINGS_GATEWAY_MCP_LOOKUP_H

#include "gateway/mcp_dispatch.h"

/* Every server has answered, or has let its time pass; the stream is open. */
typedef void mcp_looked_up(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request);

/* Visit and request are copied, with what the request points to. False: there is nothing to wait for
 * (no server, no memory, another method). */
bool mcp_lookup(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request, mcp_looked_up *looked_up) MUST_USE;

#endif
