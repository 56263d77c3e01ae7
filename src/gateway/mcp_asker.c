/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_asker: from the token's facts, and nothing that a message says. */
#include "gateway/mcp_asker.h"

#include "kernel/call_events.h"
#include "kernel/refusals.h"

struct call_asker mcp_asker(const struct principal *principal, struct mgp_agreed mgp) {
	return (struct call_asker){
		.principal = principal->id,
		.kind = slice_of(principal_kind_text(principal->kind)),
		.is_admin = principal->is_admin,
		.is_local = principal->is_local,
		.has_authorization = mgp.has_authorization,
		.mgp = mgp,
	};
}

struct call_asker mcp_asker_in(const struct principal *principal, struct slice session, struct mgp_agreed mgp) {
	struct call_asker asker = mcp_asker(principal, mgp);
	asker.session = session;
	return asker;
}

struct mgp_agreed mcp_asker_mgp(const struct mcp_session *session, const struct mcp_request *request,
	struct arena *arena) {
	struct mgp_said said;
	if (session) return session->mgp;
	if (!mgp_read(request->capabilities, true, arena, &said)) return (struct mgp_agreed){0};
	return mgp_agree(&said, MGP_SPOKEN);
}

bool mcp_asker_knows_authorization(const struct scan_value *params) {
	struct scan_value value;
	return scan_path(params, &value, "_meta", MGP_AUTHORIZATION, NULL) && value.type != SCAN_NULL;
}

bool mcp_asker_may_use(const struct call_asker *asker, struct hosted *hosted) {
	const struct governed *governed = governed_of(hosted);
	if (!governed) return !hosted_is_governed(hosted);
	if (asker->is_admin || asker->is_local) return true;
	return access_has_any(governed->means->access, asker->principal, hosted_id(hosted), governed->policy.access);
}

bool mcp_asker_may_call(const struct call_asker *asker, struct hosted *hosted, struct slice tool) {
	const struct governed *governed = governed_of(hosted);
	return governed ? call_asker_may(asker, governed, tool) : !hosted_is_governed(hosted);
}

bool mcp_asker_may_use_all(const struct call_asker *asker, struct hosted *hosted) {
	return mcp_asker_may_call(asker, hosted, SLICE_NONE);
}

bool mcp_asker_may_see(const struct call_asker *asker, struct hosted *hosted, const struct tool *tool) {
	return !(governed_of(hosted) && tool->is_quarantined) && mcp_asker_may_call(asker, hosted, tool->name);
}

void mcp_asker_note_denied(const struct call_asker *asker, struct hosted *hosted) {
	const struct governed *governed = governed_of(hosted);
	unsigned count;
	if (!governed || !refusals_count(governed->means->refusals, asker->principal, hosted_id(hosted), "access", &count))
		return;
	const struct audit_record record = {
		.event = SLICE("TOOL_BLOCKED"),
		.actor = asker->principal,
		.actor_type = asker->kind.length ? asker->kind : SLICE("agent"),
		.server_id = hosted_id(hosted),
		.gate = SLICE("access"),
		.result = AUDIT_BLOCKED,
		.count = count,
	};
	kernel_audit(governed->means, &record);
	events_denied(governed->means->events, hosted, asker->principal);
}
