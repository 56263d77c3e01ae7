/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_list: the answer to tools/list, prompts/list, resources/list and resources/templates/list, of
 * one server as it is, or of all of them in one list: what each says within MCP_LIST_MS, else what
 * is known of it; a server that cannot say anything is left out, and so is whatever the principal may
 * not use (MGP 5). One page. Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_MCP_LIST_H
#define HUSTINGS_GATEWAY_MCP_LIST_H

#include "gateway/mcp_request.h"
#include "gateway/mcp_session.h"

#define MCP_LIST_MS 5000 /* of one server among all */

bool mcp_list_kind(struct slice method, enum hosted_kind *kind); /* false: that is no list */
/* hosted NULL: of all servers. The stream is answered, now or later. */
void mcp_list(struct mcp_face *face, struct mcp_stream *stream, struct principal *principal,
	struct mgp_agreed mgp, struct hosted *hosted, const struct mcp_request *request, bool is_modern);

#endif
