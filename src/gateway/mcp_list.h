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

struct mcp_list_wish {
	struct mcp_face *face;
	struct principal *principal;
	struct slice session;  /* the id of a legacy one; length 0: there is none */
	struct mgp_agreed mgp; /* with this client */
	struct hosted *hosted; /* NULL: of all servers */
	const struct mcp_request *request;
	bool is_modern;
	bool searches; /* mcp_find.h: tools are those that stand in the client's context, and two that find others */
};

/* The stream is answered, now or later. */
void mcp_list(const struct mcp_list_wish *wish, struct mcp_stream *stream);

#endif
