/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_privilege: by the identity's own rules, for all topics. */
#include "gateway/mcp_privilege.h"

#include "kernel/refusals.h"
#include "store/audit.h"

#include <stdio.h>
#include <stdlib.h>

#define KNOWN 64
#define IDENTITY_MOST 128 /* octets; of a longer id the database is asked every time */

/* An answer of the database; `at` loop ms, 0: none. */
struct known {
	char id[IDENTITY_MOST + 1];
	enum privilege token;     /* that the principal brought along */
	enum privilege privilege; /* that it has */
	uint64_t at;
};

struct mcp_privileges {
	struct gateway *gateway;
	struct refusals *refusals; /* by principal */
	struct known known[KNOWN]; /* by a hash of the id; a later one takes the place */
};

static void record(const struct mcp_privileges *privileges, struct slice id, struct slice target,
	unsigned count) {
	struct gateway *gateway = privileges->gateway;
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

static void refused_often(void *context, struct slice id, struct slice server, const char *gate, unsigned count) {
	(void)server, (void)gate;
	record(context, id, SLICE_NONE, count);
}

struct mcp_privileges *mcp_privileges_open(struct gateway *gateway, struct fault *why) {
	struct mcp_privileges *privileges = calloc(1, sizeof *privileges);
	if (!privileges) return fault_null(why, FAULT_NO_MEMORY, "no memory for the MCP face");
	privileges->gateway = gateway;
	privileges->refusals = refusals_open(gateway->loop, refused_often, privileges, why);
	if (privileges->refusals) return privileges;
	free(privileges);
	return NULL;
}

void mcp_privileges_close(struct mcp_privileges *privileges) {
	if (!privileges) return;
	refusals_close(privileges->refusals);
	free(privileges);
}

static bool find_privilege(struct mcp_privileges *privileges, const struct principal *principal,
	enum privilege *privilege, struct fault *why) {
	const struct gateway *gateway = privileges->gateway;
	uint64_t now = loop_now(gateway->loop);
	struct known *known = &privileges->known[map_digest(0, principal->id) % KNOWN];
	if (known->at && now - known->at < MCP_PRIVILEGE_MS && known->token == principal->privilege &&
		slice_is(principal->id, known->id)) {
		*privilege = known->privilege;
		return true;
	}
	if (!identity_privilege(gateway->identity, principal, SLICE(""), privilege, NULL, why)) return false;
	if (principal->id.length > IDENTITY_MOST) return true;
	snprintf(known->id, sizeof known->id, "%.*s", SLICE_ARGS(principal->id));
	known->token = principal->privilege;
	known->privilege = *privilege;
	known->at = now;
	return true;
}

bool mcp_privilege_allows(struct mcp_privileges *privileges, const struct principal *principal,
	struct slice target, struct fault *why) {
	enum privilege privilege;
	unsigned count;
	if (principal->is_admin) return true;
	if (!find_privilege(privileges, principal, &privilege, why)) return false;
	if (privilege == PRIVILEGE_FULL) return true;
	if (refusals_count(privileges->refusals, principal->id, SLICE_NONE, "privilege", &count))
		record(privileges, principal->id, target, count);
	return fault_set(why, FAULT_REFUSED,
		"restricted: this principal may not call tools directly. In a room, at /mcp/rooms/TOPIC, such a call "
		"becomes a proposal; or ask an administrator to promote it");
}
