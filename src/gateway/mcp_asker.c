/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_asker: from the token's facts, and nothing that a message says. */
#include "gateway/mcp_asker.h"

struct call_asker mcp_asker(const struct principal *principal, struct mgp_agreed mgp) {
	return (struct call_asker){
		.principal = principal->id,
		.kind = slice_of(principal_kind_text(principal->kind)),
		.is_admin = principal->is_admin,
		.is_local = principal->is_local,
		.mgp = mgp,
	};
}

struct mgp_agreed mcp_asker_mgp(const struct mcp_session *session, const struct mcp_request *request,
	struct arena *arena) {
	struct mgp_said said;
	if (session) return session->mgp;
	if (!mgp_read(request->capabilities, true, arena, &said)) return (struct mgp_agreed){0};
	return mgp_agree(&said, MGP_SPOKEN);
}

bool mcp_asker_may_use(const struct call_asker *asker, struct hosted *hosted) {
	const struct governed *governed = governed_of(hosted);
	if (!governed) return !hosted_is_governed(hosted);
	if (asker->is_admin || asker->is_local) return true;
	return access_has_any(governed->means->access, asker->principal, hosted_id(hosted), governed->policy.access);
}

bool mcp_asker_may_see(const struct call_asker *asker, struct hosted *hosted, const struct tool *tool) {
	const struct governed *governed = governed_of(hosted);
	if (!governed) return !hosted_is_governed(hosted);
	if (tool->is_quarantined) return false;
	if (asker->is_admin || asker->is_local) return true;
	return access_ask(governed->means->access, asker->principal, hosted_id(hosted), tool->name,
		governed->policy.access).is_allowed;
}
