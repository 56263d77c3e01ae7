/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_kernel: what an MGP client asks of the kernel itself at the faces of hosted servers: methods "mgp/...",
 * at /mcp also as tools (kernel/mgp_method.h). Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_MCP_KERNEL_H
#define HUSTINGS_GATEWAY_MCP_KERNEL_H

#include "gateway/mcp_dispatch.h"

/* False: it is not for the kernel. Else the stream is answered, now or later. */
bool mcp_kernel_ask(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request);

#endif
