/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_dispatch: what becomes of one MCP message: answered here, or passed on to a hosted server.
 * Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_MCP_DISPATCH_H
#define HUSTINGS_GATEWAY_MCP_DISPATCH_H

#include "gateway/mcp_request.h"
#include "gateway/mcp_session.h"

/* A request's surroundings; on the stack. */
struct mcp_visit {
	struct mcp_face *face;
	struct exchange *exchange;
	struct principal *principal;
	struct hosted *hosted;       /* NULL: the face of all servers */
	struct slice target;         /* its id; "" */
	struct mcp_session *session; /* NULL: modern, or there is none yet */
	bool is_modern;
};

/* The stream is answered, now or later. */
void mcp_dispatch_request(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request);
/* A notification, or a legacy client's answer to a question. */
void mcp_dispatch_notice(const struct mcp_visit *visit, const struct jsonrpc *message);
/* One of a batch; a notice gets no answer. */
void mcp_dispatch_element(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct scan_value *message);
void mcp_dispatch_end_session(struct mcp_face *face, struct mcp_session *session);

#endif
