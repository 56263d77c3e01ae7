/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_session: what a legacy client (2025-03-26 to 2025-11-25) and the gateway know of each other
 * between two requests, under the Mcp-Session-Id that the answer to `initialize` brought.
 *
 * It belongs to the principal and the face (one server, all, or a room) that it began with: for everybody
 * else, and once it ended, it does not exist. It ends by DELETE, after MCP_SESSION_IDLE_MS without
 * a request, call or stream, or, when there are MCP_SESSIONS (or MCP_SESSIONS_OF_ONE of a principal),
 * as the least recently used, among their own for a principal that has a quarter of all. Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_MCP_SESSION_H
#define HUSTINGS_GATEWAY_MCP_SESSION_H

#include "base/ident.h"
#include "gateway/mcp_face.h"
#include "gateway/mcp_stream.h"
#include "kernel/mgp_client.h"
#include "mcp/mgp.h"
#include "mcp/era.h"

struct mcp_old; /* mcp_old.h */

/* What a face is for: "" (all servers), a server's id, or a room. */
#define MCP_TARGET_ROOM "rooms/"
#define MCP_TARGET (sizeof MCP_TARGET_ROOM + 128)

struct mcp_session {
	struct mcp_face *face;
	struct link in_order;
	char id[IDENT_UUID_SIZE];
	char target[MCP_TARGET];
	struct principal *principal; /* kept */
	enum era_version version;
	unsigned abilities; /* enum hosted_ability */
	struct mgp_agreed mgp;
	bool searches; /* mcp_find.h */
	char log_level[16];
	struct deadline idle;
	size_t uses;              /* calls and streams that keep it */
	bool is_closed;           /* freed with its last use */
	struct link uris;         /* subscribed resources */
	struct mgp_client client; /* mcp_kernel_client.h; zeroed: the kernel was not asked yet */
	struct mcp_old *old;      /* by whose stream it is answered; NULL: by every POST's own */
};

/* A resource that somebody watches: at the server that has it, or in a room. */
struct mcp_session_uri {
	struct link link;
	char server[HOSTED_ID + 1]; /* "": in a room */
	struct slice uri;           /* behind the struct */
};

struct mcp_session *mcp_session_open(struct mcp_face *face, struct principal *principal,
	struct slice target, struct fault *why) MUST_USE;
/* NULL: none of that id, principal and target. The idle time begins anew. */
struct mcp_session *mcp_session_find(struct mcp_face *face, struct slice id,
	const struct principal *principal, struct slice target);
void mcp_session_close(struct mcp_session *session);
/* A call or stream needs it; it is freed no sooner. */
void mcp_session_keep(struct mcp_session *session);
void mcp_session_drop(struct mcp_session *session); /* NULL is fine */

/* Appended to `uris`; hosted NULL: in a room. */
bool mcp_session_watch(struct link *uris, struct hosted *hosted, struct slice principal,
	struct slice uri, struct fault *why) MUST_USE;
/* Takes all of them. */
void mcp_session_unwatch(struct mcp_face *face, struct link *uris, struct slice principal);
bool mcp_session_watches(const struct link *uris, const struct hosted *hosted, struct slice uri);

/* Resources of that server, of a room with hosted NULL. */
bool mcp_session_subscribe(struct mcp_session *session, struct hosted *hosted, struct slice uri,
	struct fault *why) MUST_USE;
void mcp_session_unsubscribe(struct mcp_session *session, struct slice uri);

#endif
