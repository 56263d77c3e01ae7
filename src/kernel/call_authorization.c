/* SPDX-License-Identifier: Apache-2.0 */
/* Call authorization: what is wanted, and of whom. */
#include "kernel/call_authorization.h"

#include "flow/authorization.h"
#include "kernel/call_decision.h"

static enum call_verdict no_memory(struct call *call) {
	return call_refuse(call, MGP_RESOURCE_EXHAUSTED, "no memory for the request: try again");
}

static enum call_verdict deny(struct call *call) {
	(void)call_refuse(call, MGP_PERMISSION_DENIED, "the rules of server %.*s authorize no such call",
		SLICE_ARGS(hosted_id(call->hosted)));
	call->refusal.type = CALL_AUTHORIZATION_DENIED;
	return CALL_REFUSE;
}

/* At most DECISION_NAMES of them; 0: administrators, and the room. */
static size_t list_deciders(const struct call *call, struct slice delegate, struct slice names[DECISION_NAMES]) {
	const char *const *configured = call->governed->policy.authorization_deciders;
	size_t count = 0;
	if (delegate.length) names[count++] = delegate;
	else
		for (; configured && configured[count] && count < DECISION_NAMES; count++) names[count] = slice_of(configured[count]);
	return count;
}

static enum call_verdict ask(struct call *call, const struct tool *tool, const struct authorization_verdict *verdict) {
	const struct authorization_settings *settings = &call->governed->policy.authorization;
	bool is_dangerous = call_decision_wants_approval(call, tool);
	bool is_chosen = settings->delegate || !is_dangerous;
	struct slice names[DECISION_NAMES];
	AUTO_TEXT struct text message = {0};
	text_init(&message, 0);
	if (verdict->message.length) text_add(&message, slice_make(verdict->message.bytes, slice_cut(verdict->message, 2048)));
	else
		text_printf(&message, "%.*s wants to call %.*s of server %.*s (%s)", SLICE_ARGS(call->asker.principal),
			SLICE_ARGS(call->name), SLICE_ARGS(hosted_id(call->hosted)), call->risk ? call->risk : "risk unknown");
	if (text_failed(&message)) return no_memory(call);
	const struct decision_wish wish = {
		.kind = DECISION_AUTHORIZATION,
		.message = text_slice(&message),
		.topic = is_dangerous && settings->mode == AUTHORIZATION_UNSAID ? SLICE_NONE : call->asker.topic,
		.deciders = names,
		.decider_count = list_deciders(call, is_chosen ? verdict->delegate : SLICE_NONE, names),
		.ttl_ms = (int64_t)verdict->timeout_ms,
	};
	return call_decision_ask(call, &wish);
}

enum call_verdict call_authorization_gate(struct call *call) {
	enum hosted_era era = hosted_era_for(call->hosted, call->inner.era);
	const struct tool *tool = tools_find(call->governed->tools[era], call->name, NULL);
	struct authorization_metadata metadata;
	enum call_verdict verdict = CALL_PASS;
	char lent[1024];
	struct arena arena;
	if (!tool || !tool->security) return call_refuse(call, MGP_TOOL_NOT_FOUND, CALL_NO_SUCH_TOOL);
	if (call->was_approved) return CALL_PASS;
	const struct scan_value definition = {.text = tool->definition, .type = SCAN_OBJECT};
	arena_init(&arena, lent, sizeof lent, 0);
	if (authorization_metadata_read(&definition, &arena, &metadata)) {
		const struct authorization_verdict found =
			authorization_judge(&call->governed->policy.authorization, &metadata, call->name, call->asker.principal,
				&call->arguments);
		if (found.action == AUTHORIZATION_DENY) verdict = deny(call);
		else if (found.action == AUTHORIZATION_ASK) verdict = ask(call, tool, &found);
	} else verdict = no_memory(call);
	arena_finish(&arena);
	return verdict;
}
