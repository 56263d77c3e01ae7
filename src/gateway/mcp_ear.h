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
 * first. `last`: the id of the last event that it has seen (Last-Event-ID), what was kept of those behind it is
 * told again; bytes NULL: not said. Answered. */
void mcp_ear_open_session(struct mcp_face *face, struct mcp_stream *stream,
	struct principal *principal, struct mcp_session *session, struct slice last);
/* subscriptions/listen: what its filter names, as far as what is behind the face offers it; `target`
 * and `searches` as in struct mcp_session. Answered. */
void mcp_ear_listen(struct mcp_face *face, struct mcp_stream *stream, struct principal *principal,
	struct slice target, const struct mcp_request *request, bool searches);
/* A notification to the session's ear alone; params NULL: none. `event`: its number among events, 0: it is none.
 * False: no ear is open, or it is too far behind. */
bool mcp_ear_tell_session(struct mcp_face *face, const struct mcp_session *session, const char *method,
	const struct scan_value *params, uint64_t event);
/* Whoever asked for something: its session, or, of a modern client, its principal and the face's target. */
struct mcp_listener {
	const struct mcp_session *session; /* NULL: modern */
	struct slice principal, target;
};
/* Whether it would hear what becomes of its authorization (docs/protocol.md): a session's ear does, and those of the
 * principal's modern clients there. */
bool mcp_ear_hears_authorizations(const struct mcp_face *face, const struct mcp_listener *of);
void mcp_ear_tell_authorization(struct mcp_face *face, const struct mcp_listener *of, const struct scan_value *params);
/* That the list of tools has changed, to every ear of a modern client of this principal and target. */
void mcp_ear_tell_tools_changed(struct mcp_face *face, struct slice principal, struct slice target);
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
