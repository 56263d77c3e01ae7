/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_ear: somebody who listens for what happens outside of requests: the GET stream of a legacy
 * session, or `subscriptions/listen` of a modern client. Each is an event stream that stays open
 * until its client, its session or the gateway ends it. Loop 0. An ear frees itself.
 */
#ifndef HUSTINGS_GATEWAY_MCP_EAR_H
#define HUSTINGS_GATEWAY_MCP_EAR_H

#include "gateway/mcp_request.h"
#include "gateway/mcp_session.h"

#define MCP_EARS 8        /* of one principal on one face */
#define MCP_EAR_URIS 1000 /* resources that one listens to */

/* GET: everything the session is entitled to, as long as this principal, who may have another token by
 * now than when the session began, may be here. A second one of a session takes the place of the
 * first. Answered. */
void mcp_ear_open_session(struct mcp_face *face, struct mcp_stream *stream,
	struct principal *principal, struct mcp_session *session);
/* subscriptions/listen: what its filter names, as far as what is behind the face offers it; `target`
 * as in struct mcp_session. Answered. */
void mcp_ear_listen(struct mcp_face *face, struct mcp_stream *stream, struct principal *principal,
	struct slice target, const struct mcp_request *request);
void mcp_ear_end_session(struct mcp_face *face, const struct mcp_session *session);
void mcp_ear_end_all(struct mcp_face *face);

/* The face's listener calls these. */
void mcp_ear_changed(struct mcp_face *face, struct hosted *hosted, enum hosted_kind kind);
void mcp_ear_updated(struct mcp_face *face, struct hosted *hosted, struct slice principal,
	struct slice uri, const struct scan_value *params);
void mcp_ear_logged(struct mcp_face *face, struct hosted *hosted, struct slice principal,
	const struct scan_value *params);

/* A room calls these, for this principal's ears there. */
void mcp_ear_room_changed(struct mcp_face *face, struct slice target, struct slice principal);
void mcp_ear_room_updated(struct mcp_face *face, struct slice target, struct slice principal,
	struct slice uri);
bool mcp_ear_is_open(const struct mcp_face *face, struct slice target, struct slice principal);

#endif
