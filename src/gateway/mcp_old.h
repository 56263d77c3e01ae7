/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_old: HTTP with SSE as of MCP 2024-11-05. A GET opens a stream, whose first event `endpoint`
 * names where its client posts its messages. Every POST is answered with 202; what there is to say
 * to it, and everything else, leaves by the stream. Stream and session begin and end together.
 *
 * A session of this kind is one of mcp_session.h, and its stream one of mcp_stream.h with many users:
 * every request that is under way, and who listens for changes. Loop 0. Frees itself.
 */
#ifndef HUSTINGS_GATEWAY_MCP_OLD_H
#define HUSTINGS_GATEWAY_MCP_OLD_H

#include "gateway/mcp_dispatch.h"

#define MCP_OLD_REQUESTS 256 /* of one session under way at once */
#define MCP_OLD_BEAT_MS 15000

/* Whether this GET of a face is an old client's: it wants events and names no session, which those of
 * Streamable HTTP have from their first POST on (MCP 2025-03-26, backwards compatibility). */
bool mcp_old_is_meant(const struct exchange *exchange);
/* The GET; `behind` its path stands the endpoint's: "/sse", or "" when it is that already. Answered. */
void mcp_old_open(const struct mcp_visit *visit, const char *behind);
/* A message for the session that the query names; its principal has to be the same. Answered. */
void mcp_old_post(struct mcp_visit *visit);
void mcp_old_end_all(struct mcp_face *face);

#endif
