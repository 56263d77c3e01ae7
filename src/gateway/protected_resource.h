/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Protected resource: the metadata in which an MCP client finds who gives out tokens for a face (RFC
 * 9728; MCP authorization since 2025-06-18). Nothing is there unless authorization servers are
 * configured.
 */
#ifndef HUSTINGS_GATEWAY_PROTECTED_RESOURCE_H
#define HUSTINGS_GATEWAY_PROTECTED_RESOURCE_H

#include "gateway/exchange.h"

/* GET /.well-known/oauth-protected-resource, and the same with a face's path behind it */
void protected_resource_show(struct exchange *exchange);

#endif
