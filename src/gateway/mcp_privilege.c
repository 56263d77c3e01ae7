/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_privilege: by the identity's own rules, for all topics. */
#include "gateway/mcp_privilege.h"

#include "store/audit.h"

#include <stdlib.h>

#define COUNTED 1024 /* principals; of others the first refusal of a minute is not told apart */
#define MINUTE_MS 60000

struct refused {
	struct slice id; /* behind the struct */
	unsigned count;  /* since the record that was written */
};

struct mcp_refusals {
	struct gateway *gateway;
	struct map by_id; /* struct refused */
	struct deadline due;
};

static void record(const struct mcp_refusals *refusals, struct slice id, struct slice target,
	unsigned count) {
	struct gateway *gateway = refusals->gateway;
	const struct audit_record record = {
		.event = SLICE("refused"),
		.actor = id,
		.target = target,
		.gate = SLICE("privilege"),
		.result = SLICE("refused"),
		.detail = SLICE("tools/call of a hosted server"),
		.count = count,
	};
	struct fault why;
	if (!audit_add(store_spool(gateway->store, 0), &record, &why))
		log_write(gateway->log, LOG_WARNING, "audit: a record was not written: %s", why.text);
}

static void write_all(struct mcp_refusals *refusals) {
	void *each;
	for (size_t at = 0; map_each(&refusals->by_id, &at, &each);) {
		struct refused *one = each;
		if (one->count) record(refusals, one->id, SLICE_NONE, one->count);
		map_remove(&refusals->by_id, one->id);
		free(one);
	}
}

static void minute_over(struct deadline *deadline) {
	write_all(CONTAINER_OF(deadline, struct mcp_refusals, due));
}

static void count(struct mcp_refusals *refusals, struct slice id, struct slice target) {
	struct refused *one = map_find(&refusals->by_id, id);
	if (one) {
		one->count++;
		return;
	}
	if (refusals->by_id.count == COUNTED || !(one = calloc(1, sizeof *one + id.length))) return;
	memcpy(one + 1, id.bytes, id.length);
	one->id = slice_make(one + 1, id.length);
	record(refusals, id, target, 1);
	if (!map_add(&refusals->by_id, one->id, one, NULL)) free(one);
	else if (!refusals->due.at)
		deadline_set(refusals->gateway->loop, &refusals->due, MINUTE_MS, minute_over);
}

struct mcp_refusals *mcp_refusals_open(struct gateway *gateway, struct fault *why) {
	struct mcp_refusals *refusals = calloc(1, sizeof *refusals);
	if (!refusals) return fault_null(why, FAULT_NO_MEMORY, "no memory for the MCP face");
	refusals->gateway = gateway;
	map_init(&refusals->by_id);
	return refusals;
}

void mcp_refusals_close(struct mcp_refusals *refusals) {
	if (!refusals) return;
	deadline_clear(&refusals->due);
	write_all(refusals);
	map_finish(&refusals->by_id);
	free(refusals);
}

static bool find_privilege(const struct mcp_face *face, const struct principal *principal,
	struct mcp_session *session, enum privilege *privilege, struct fault *why) {
	const struct gateway *gateway = face->gateway;
	uint64_t now = loop_now(gateway->loop);
	if (session && session->privilege_at && now - session->privilege_at < MCP_PRIVILEGE_MS) {
		*privilege = session->privilege;
		return true;
	}
	if (!identity_privilege(gateway->identity, principal, SLICE(""), privilege, NULL, why)) return false;
	if (!session) return true;
	session->privilege = *privilege;
	session->privilege_at = now;
	return true;
}

bool mcp_privilege_allows(struct mcp_face *face, const struct principal *principal,
	struct mcp_session *session, struct slice target, struct fault *why) {
	enum privilege privilege;
	if (principal->is_admin) return true;
	if (!find_privilege(face, principal, session, &privilege, why)) return false;
	if (privilege == PRIVILEGE_FULL) return true;
	count(face->refusals, principal->id, target);
	return fault_set(why, FAULT_REFUSED,
		"restricted: this principal may not call tools directly. In a room, at /mcp/rooms/TOPIC, such a call "
		"becomes a proposal; or ask an administrator to promote it");
}
