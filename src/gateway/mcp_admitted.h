/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_admitted: whether who came in some time ago, and is still being served, may be: its token has
 * neither expired nor been revoked. Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_MCP_ADMITTED_H
#define HUSTINGS_GATEWAY_MCP_ADMITTED_H

#include "gateway/gateway.h"

#define MCP_ADMITTED_MS 200 /* so long one answer counts */

/* `*at`: loop ms of the last time that it was so; the caller keeps it, 0 at first. */
bool mcp_is_admitted(const struct gateway *gateway, const struct principal *principal, uint64_t *at);

#endif
