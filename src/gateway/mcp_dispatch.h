/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_dispatch: what becomes of one MCP message: answered here, or passed on to what is behind the
 * face: a hosted server, all of them, or a room. Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_MCP_DISPATCH_H
#define HUSTINGS_GATEWAY_MCP_DISPATCH_H

#include "gateway/mcp_request.h"
#include "gateway/mcp_session.h"

struct mcp_visit;

/* What is behind a face: the methods that are not the same everywhere. Each answers the stream, now
 * or later. */
typedef void mcp_behind_fn(const struct mcp_visit *visit, struct mcp_stream *stream,
	const struct mcp_request *request);
struct mcp_behind {
	mcp_behind_fn *hello; /* initialize, server/discover */
	mcp_behind_fn *list;
	mcp_behind_fn *listen; /* subscriptions/listen */
	mcp_behind_fn *ask;    /* whatever else */
	/* Where such a resource is subscribed to: *hosted, or NULL, in a room. */
	bool (*find_resource)(const struct mcp_visit *visit, struct slice uri, struct hosted **hosted,
		struct fault *why);
};

/* A request's surroundings; on the stack. */
struct mcp_visit {
	struct mcp_face *face;
	struct exchange *exchange;
	struct principal *principal;
	const struct mcp_behind *behind; /* NULL: hosted servers */
	struct hosted *hosted;           /* NULL: the face of all servers, or a room's */
	struct slice target;             /* its id; ""; of a room MCP_TARGET_ROOM and the topic */
	struct mcp_session *session;     /* NULL: modern, or there is none yet */
	bool is_modern;
	bool searches;       /* by its query; mcp_dispatch_searches() is what counts */
	struct arena *arena; /* of the request; lives until the visit's last function has returned */
};

/* Whether the face searches (mcp_find.h) for this client. */
bool mcp_dispatch_searches(const struct mcp_visit *visit);
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
