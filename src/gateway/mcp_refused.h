/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_refused: who knocks at an MCP face without a token that is good, and says that it speaks MGP, hears so in
 * MGP's words: 401 with 1002 or 1003 (MGP 14.3). Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_MCP_REFUSED_H
#define HUSTINGS_GATEWAY_MCP_REFUSED_H

#include "gateway/exchange.h"

/* False: it is another's, or speaks plain MCP; nothing was answered. */
bool mcp_refused(struct exchange *exchange, bool is_expired, const char *words);

#endif
