/* SPDX-License-Identifier: Apache-2.0 */
/* Call guided: three questions, and each has to be answered with no. */
#include "kernel/call_guided.h"

/* Out of memory there is nothing that says so. */
static bool is_free(const struct governed *governed, const struct tool *tool, struct slice principal) {
	const struct scan_value definition = {.text = tool->definition, .type = SCAN_OBJECT};
	struct authorization_metadata metadata;
	char lent[1024];
	struct arena arena;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_allowed = authorization_metadata_read(&definition, &arena, &metadata) &&
		authorization_judge(&governed->policy.authorization, &metadata, tool->name, principal, NULL).action == AUTHORIZATION_ALLOW;
	arena_finish(&arena);
	return is_allowed;
}

bool call_guided_may(const struct governed *governed, const struct tool *tool, struct slice principal) {
	const struct tool_security *security = tool->security;
	if (!security || tool->disabled || tool->is_quarantined || security->validator != VALIDATOR_NONE) return false;
	bool is_approved = governed->policy.approval == APPROVAL_AUTO_APPROVE || !tool_security_wants_confirmation(security);
	return is_approved && is_free(governed, tool, principal);
}

enum call_verdict call_guided_gate(struct call *call) {
	enum hosted_era era = hosted_era_for(call->hosted, call->inner.era);
	const struct tool *tool = tools_find(call->governed->tools[era], call->name, NULL);
	if (tool && call_guided_may(call->governed, tool, call->asker.principal)) return CALL_PASS;
	(void)call_refuse(call, MGP_TOOL_DISABLED, "this tool is led by its server no more: begin the session again");
	call->refusal.type = "not_led";
	return CALL_REFUSE;
}
