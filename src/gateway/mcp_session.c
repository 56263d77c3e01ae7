/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_session: opened, found, idle, gone. */
#include "gateway/mcp_session.h"

#include "kernel/kernel.h"
#include "kernel/tool_sessions.h"

#include <stdio.h>
#include <stdlib.h>

#define URIS 1000 /* subscriptions of one session */

static void release(struct mcp_session *session) {
	principal_drop(session->principal);
	free(session);
}

/* ---- Watched resources ---- */

static void unwatch(struct mcp_face *face, struct mcp_session_uri *one, struct slice principal) {
	struct hosted *hosted = hosted_find(face->servers, slice_of(one->server));
	list_remove(&one->link);
	if (hosted) hosted_unsubscribe(hosted, principal, one->uri);
	free(one);
}

void mcp_session_unwatch(struct mcp_face *face, struct link *uris, struct slice principal) {
	while (!list_is_empty(uris))
		unwatch(face, CONTAINER_OF(uris->next, struct mcp_session_uri, link), principal);
}

bool mcp_session_watch(struct link *uris, struct hosted *hosted, struct slice principal,
	struct slice uri, struct fault *why) {
	struct mcp_session_uri *one = calloc(1, sizeof *one + uri.length);
	if (!one) return fault_set(why, FAULT_NO_MEMORY, "no memory for a subscription");
	if (hosted && !hosted_subscribe(hosted, principal, uri, why)) {
		free(one);
		return false;
	}
	if (hosted) snprintf(one->server, sizeof one->server, "%.*s", SLICE_ARGS(hosted_id(hosted)));
	memcpy(one + 1, uri.bytes, uri.length);
	one->uri = slice_make(one + 1, uri.length);
	list_append(uris, &one->link);
	return true;
}

bool mcp_session_watches(const struct link *uris, const struct hosted *hosted, struct slice uri) {
	struct slice server = hosted ? hosted_id(hosted) : SLICE_NONE;
	LIST_EACH(link, uris) {
		const struct mcp_session_uri *one = CONTAINER_OF(link, struct mcp_session_uri, link);
		if (slice_is(server, one->server) && slice_equal(one->uri, uri)) return true;
	}
	return false;
}

/* ---- Its life ---- */

void mcp_session_close(struct mcp_session *session) {
	struct kernel *kernel = session->face->gateway->kernel;
	mgp_client_end(&session->client);
	if (kernel)
		tool_sessions_end(kernel_means(kernel)->tool_sessions, session->principal->id, slice_of(session->id));
	mcp_session_unwatch(session->face, &session->uris, session->principal->id);
	deadline_clear(&session->idle);
	list_remove(&session->in_order);
	map_remove(&session->face->sessions, slice_of(session->id));
	session->is_closed = true;
	if (session->uses == 0) release(session);
}

static void set_idle(struct mcp_session *session);

static void idle(struct deadline *deadline) {
	struct mcp_session *session = CONTAINER_OF(deadline, struct mcp_session, idle);
	if (session->uses) set_idle(session);
	else mcp_session_close(session);
}

static void set_idle(struct mcp_session *session) {
	deadline_set(session->face->gateway->loop, &session->idle, MCP_SESSION_IDLE_MS, idle);
}

static bool is_of(const struct mcp_session *session, const struct principal *principal) {
	return slice_equal(session->principal->id, principal->id);
}

/* The least recently used that nothing keeps gives way: one's own, when one has a quarter of all. */
static bool make_place(struct mcp_face *face, const struct principal *principal) {
	size_t own = 0;
	if (face->sessions.count < MCP_SESSIONS_OF_ONE) return true;
	LIST_EACH(link, &face->session_order)
		own += is_of(CONTAINER_OF(link, struct mcp_session, in_order), principal);
	if (own < MCP_SESSIONS_OF_ONE && face->sessions.count < MCP_SESSIONS) return true;
	LIST_EACH(link, &face->session_order) {
		struct mcp_session *session = CONTAINER_OF(link, struct mcp_session, in_order);
		if (session->uses || (own >= MCP_SESSIONS / 4 && !is_of(session, principal))) continue;
		mcp_session_close(session);
		return true;
	}
	return false;
}

struct mcp_session *mcp_session_open(struct mcp_face *face, struct principal *principal,
	struct slice target, struct fault *why) {
	if (!make_place(face, principal))
		return fault_null(why, FAULT_FULL, "too many MCP sessions are in use: try again later");
	struct mcp_session *session = calloc(1, sizeof *session);
	if (!session) return fault_null(why, FAULT_NO_MEMORY, "no memory for a session");
	session->face = face;
	ident_uuid(session->id);
	snprintf(session->target, sizeof session->target, "%.*s", SLICE_ARGS(target));
	snprintf(session->log_level, sizeof session->log_level, "info");
	list_init(&session->uris);
	if (!map_add(&face->sessions, slice_of(session->id), session, NULL)) {
		free(session);
		return fault_null(why, FAULT_NO_MEMORY, "no memory for a session");
	}
	session->principal = principal_keep(principal);
	list_append(&face->session_order, &session->in_order);
	set_idle(session);
	return session;
}

struct mcp_session *mcp_session_find(struct mcp_face *face, struct slice id,
	const struct principal *principal, struct slice target) {
	struct mcp_session *session = map_find(&face->sessions, id);
	if (!session || !slice_equal(session->principal->id, principal->id) ||
		!slice_is(target, session->target))
		return NULL;
	list_remove(&session->in_order);
	list_append(&face->session_order, &session->in_order);
	set_idle(session);
	return session;
}

void mcp_session_keep(struct mcp_session *session) { session->uses++; }

void mcp_session_drop(struct mcp_session *session) {
	if (!session) return;
	session->uses--;
	if (session->uses == 0 && session->is_closed) release(session);
}

static struct mcp_session_uri *find_uri(const struct mcp_session *session, struct slice uri,
	size_t *count) {
	*count = 0;
	LIST_EACH(link, &session->uris) {
		struct mcp_session_uri *one = CONTAINER_OF(link, struct mcp_session_uri, link);
		if (slice_equal(one->uri, uri)) return one;
		++*count;
	}
	return NULL;
}

bool mcp_session_subscribe(struct mcp_session *session, struct hosted *hosted, struct slice uri,
	struct fault *why) {
	size_t count;
	if (session->is_closed) return fault_set(why, FAULT_CLOSED, "the session has ended");
	if (find_uri(session, uri, &count)) return true;
	if (count == URIS)
		return fault_set(why, FAULT_FULL, "a session has at most %d subscriptions", URIS);
	return mcp_session_watch(&session->uris, hosted, session->principal->id, uri, why);
}

void mcp_session_unsubscribe(struct mcp_session *session, struct slice uri) {
	size_t count;
	struct mcp_session_uri *one = find_uri(session, uri, &count);
	if (one) unwatch(session->face, one, session->principal->id);
}
