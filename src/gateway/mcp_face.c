/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_face: opened empty, told of changes, closed with all that is left. */
#include "gateway/mcp_face.h"

#include "gateway/mcp_call.h"
#include "gateway/mcp_ear.h"
#include "gateway/mcp_news.h"
#include "gateway/mcp_old.h"
#include "gateway/mcp_privilege.h"
#include "gateway/mcp_room.h"
#include "store/audit.h"

#include <stdlib.h>

static struct mcp_face *face_of(struct hosted_listener *listener) {
	return CONTAINER_OF(listener, struct mcp_face, listener);
}

static void moved(struct hosted_listener *listener, struct hosted *hosted, enum hosted_state from) {
	mcp_news_moved(face_of(listener)->news, hosted, from);
}

static void changed(struct hosted_listener *listener, struct hosted *hosted, enum hosted_kind kind) {
	mcp_ear_changed(face_of(listener), hosted, kind);
}

static void updated(struct hosted_listener *listener, struct hosted *hosted, struct slice principal,
	struct slice uri, const struct scan_value *params) {
	mcp_ear_updated(face_of(listener), hosted, principal, uri, params);
}

static void logged(struct hosted_listener *listener, struct hosted *hosted, struct slice principal,
	const struct scan_value *params) {
	mcp_ear_logged(face_of(listener), hosted, principal, params);
}

static void declined(struct hosted_listener *listener, struct hosted *hosted, struct slice method,
	unsigned count) {
	struct gateway *gateway = face_of(listener)->gateway;
	const struct audit_record record = {
		.event = SLICE("question"),
		.actor = hosted_id(hosted),
		.gate = SLICE("question"),
		.result = SLICE("declined"),
		.detail = method,
		.count = count,
	};
	struct fault why;
	if (!audit_add(store_spool(gateway->store, 0), &record, &why))
		log_write(gateway->log, LOG_WARNING, "audit: a record was not written: %s", why.text);
}

struct mcp_face *mcp_face_open(struct gateway *gateway, struct hosted_servers *servers,
	const uint8_t key[SECRET_HASH_SIZE], struct fault *why) {
	struct mcp_face *face = calloc(1, sizeof *face);
	if (!face) return fault_null(why, FAULT_NO_MEMORY, "no memory for the MCP face");
	face->privileges = mcp_privileges_open(gateway, why);
	if (!face->privileges) {
		free(face);
		return NULL;
	}
	face->gateway = gateway;
	face->news = mcp_news_open(face, why);
	if (!face->news) {
		mcp_privileges_close(face->privileges);
		free(face);
		return NULL;
	}
	face->servers = servers;
	memcpy(face->key, key, SECRET_HASH_SIZE);
	map_init(&face->sessions);
	list_init(&face->session_order);
	list_init(&face->calls);
	list_init(&face->ears);
	list_init(&face->olds);
	list_init(&face->rooms);
	face->listener = (struct hosted_listener){.moved = moved, .changed = changed, .updated = updated, .logged = logged, .declined = declined};
	hosted_listen(servers, &face->listener);
	return face;
}

void mcp_face_close(struct mcp_face *face) {
	if (!face) return;
	hosted_unlisten(&face->listener);
	mcp_news_close(TAKE(face->news));
	mcp_old_end_all(face);
	mcp_call_end_all(face);
	mcp_rooms_close(face);
	mcp_ear_end_all(face);
	while (!list_is_empty(&face->session_order))
		mcp_session_close(CONTAINER_OF(face->session_order.next, struct mcp_session, in_order));
	map_finish(&face->sessions);
	mcp_privileges_close(face->privileges);
	secret_wipe(face->key, sizeof face->key);
	free(face);
}
