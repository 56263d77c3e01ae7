/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_call: one request of an MCP client that a hosted server answers, on its way there and back:
 * progress, log messages and the server's questions come to this client alone, in its own era.
 *
 * A legacy client gets a question as a request on the answer's event stream, and answers it by a
 * POST. A modern client gets `input_required`: the call is held meanwhile (MCP_HELD_MS), and its
 * requestState, signed and bound to principal, face, method and params, brings the answers to it.
 * A modern client that goes has cancelled; a legacy one has not. Loop 0. A call frees itself.
 */
#ifndef HUSTINGS_GATEWAY_MCP_CALL_H
#define HUSTINGS_GATEWAY_MCP_CALL_H

#include "gateway/mcp_request.h"
#include "gateway/mcp_session.h"

struct mcp_wish {
	struct mcp_face *face;
	struct mcp_stream *stream;
	struct principal *principal;
	struct mcp_session *session; /* NULL: modern */
	struct slice target;         /* of the face: a server's id, "" for all of them */
	struct hosted *hosted;       /* who is to answer */
	const struct mcp_request *request;
	struct slice params; /* as that server knows them; bytes NULL: the request's own */
};

/* The stream is answered, now or later. */
void mcp_call_start(const struct mcp_wish *wish);
/* notifications/cancelled of a legacy client; requestId as JSON text. */
void mcp_call_cancel(struct mcp_face *face, const struct mcp_session *session, struct slice id);
/* A legacy client's answer to a question. False: no such question is open. */
bool mcp_call_answered(struct mcp_face *face, const struct mcp_session *session,
	const struct jsonrpc *message);
/* Every call of the session is given up. */
void mcp_call_end_session(struct mcp_face *face, const struct mcp_session *session);
void mcp_call_end_all(struct mcp_face *face);

#endif
