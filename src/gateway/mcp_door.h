/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_door: MCP over HTTP at /mcp (all hosted servers), /mcp/servers/ID (one of them, by its own
 * names) and /mcp/rooms/TOPIC (a room), for clients of both eras: legacy ones (sessions, up to 2025-11-25) and modern ones
 * (2026-07-28). The path with /sse behind is for those of 2024-11-05 (mcp_old.h). Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_MCP_DOOR_H
#define HUSTINGS_GATEWAY_MCP_DOOR_H

#include "gateway/exchange.h"

void mcp_door_post(struct exchange *exchange);
void mcp_door_get(struct exchange *exchange);    /* a legacy session's event stream */
void mcp_door_delete(struct exchange *exchange); /* the end of a legacy session */
void mcp_door_get_old(struct exchange *exchange);
void mcp_door_post_old(struct exchange *exchange);

#endif
