/* SPDX-License-Identifier: Apache-2.0 */
/* Call gates: one function each, and the two tables. */
#include "kernel/call_gates.h"

#include "kernel/call_answer.h"
#include "kernel/call_authorization.h"
#include "kernel/call_decision.h"
#include "kernel/call_figures.h"
#include "kernel/call_guided.h"
#include "kernel/call_missing.h"
#include "kernel/call_params.h"

#define SOON_MS 5000 /* a plain client waits so long for a restart */
#define FINDINGS 8   /* about arguments, that an answer tells of */

/* The tool is looked up at each gate, and a call that has waited begins at the first one again: a list, a
 * grant or a permission may have changed meanwhile. What it has behind it for good stands in the call. */
static const struct tool *tool_of(const struct call *call, bool *is_known) {
	enum hosted_era era = hosted_era_for(call->hosted, call->inner.era);
	return tools_find(call->governed->tools[era], call->name, is_known);
}

static enum call_verdict no_tool(struct call *call) {
	return call_refuse(call, MGP_TOOL_NOT_FOUND, CALL_NO_SUCH_TOOL);
}

static void walk_again(struct call *call) {
	call->at = 0;
	call_resume(call);
}

/* ---- trace ---- */

static enum call_verdict gate_trace(struct call *call) {
	struct fault why;
	if (call->trace[0] || call_params_read(call, &why)) return CALL_PASS;
	return call_refuse(call, MGP_RESOURCE_EXHAUSTED, "%s", why.text);
}

/* ---- access: 1001 (MGP 5) ---- */

static enum call_verdict gate_access(struct call *call) {
	if (call_asker_may(&call->asker, call->governed, call->name)) return CALL_PASS;
	return call_refuse(call, MGP_ACCESS_DENIED, "%s", call->is_tool ? CALL_NO_SUCH_TOOL : CALL_NO_SUCH_THING);
}

/* ---- ready: 2000, 2001, 2002 (MGP 11.2) ---- */

static enum call_verdict not_ready(struct call *call, int64_t code) {
	AUTO_TEXT struct text details = {0};
	const char *decision = permissions_decision(call->governed->permissions);
	enum hosted_state state = hosted_state(call->hosted);
	text_init(&details, 1024);
	text_printf(&details, "{\"state\":\"%s\"", hosted_state_word(state));
	if (decision) text_printf(&details, ",\"decision\":\"%s\"", decision);
	text_add_char(&details, '}');
	(void)call_refuse(call, code, "server %.*s is %s%s%.150s", SLICE_ARGS(hosted_id(call->hosted)),
		hosted_state_word(state),
		decision ? ": its permissions wait for a decision" : hosted_reason(call->hosted)[0] ? ": "
												    : "",
		decision ? "" : hosted_reason(call->hosted));
	if (!text_failed(&details)) call_detail(call, text_slice(&details));
	if (code == MGP_SERVER_RESTARTING) {
		uint64_t pause = hosted_restart_in(call->hosted);
		if (pause) call->refusal.recovery.retry_after_ms = pause;
	}
	return CALL_REFUSE;
}

/* A plain client waits for a server that is back before long; a remote one is not there (MGP 14.3). */
static enum call_verdict gate_ready(struct call *call) {
	bool is_waiting = permissions_decision(call->governed->permissions) != NULL;
	bool is_mgp = call->asker.mgp.is_active, is_remote = hosted_settings(call->hosted)->url != NULL;
	switch (hosted_state(call->hosted)) {
	case HOSTED_CONNECTED: return CALL_PASS;
	case HOSTED_CONNECTING: return is_waiting ? not_ready(call, MGP_SERVER_NOT_READY) : CALL_PASS;
	case HOSTED_DRAINING: return is_mgp ? not_ready(call, MGP_SERVER_DRAINING) : CALL_PASS;
	case HOSTED_RESTARTING:
		if (!is_mgp && hosted_restart_in(call->hosted) <= SOON_MS) return CALL_PASS;
		return not_ready(call, is_remote ? MGP_UPSTREAM_UNAVAILABLE : MGP_SERVER_RESTARTING);
	default: return not_ready(call, is_remote ? MGP_UPSTREAM_UNAVAILABLE : MGP_SERVER_NOT_READY);
	}
}

/* ---- tool: 4001 ---- */

static void listed(void *context, struct hosted_items *items, const struct fault *why) {
	struct call *call = context;
	(void)items;
	call->list = NULL;
	call->has_listed = true;
	if (why) call->list_why = *why;
	walk_again(call);
}

/* What a tool may do is not known, so nothing of it is let through. */
static enum call_verdict no_list(struct call *call, const struct fault *why) {
	int64_t code = call_answer_code(call, why);
	return call_refuse(call, code ? code : MGP_SERVER_NOT_READY, "the list of tools cannot be had: %s", why->text);
}

static enum call_verdict gate_tool(struct call *call) {
	bool is_known;
	struct fault why;
	if (!call->name.bytes)
		return call_refuse(call, MGP_INVALID_TOOL_ARGS, "params.name: the name of a tool is due, as a string");
	bool is_current = hosted_state(call->hosted) == HOSTED_CONNECTED &&
		hosted_items_are_current(call->hosted, call->inner.era, HOSTED_TOOLS);
	/* A server that has started anew, or says that its tools changed, is asked what they are now. */
	if (tool_of(call, &is_known) && (is_current || call->has_listed)) return CALL_PASS;
	if (call->has_listed) return is_known ? no_tool(call) : no_list(call, &call->list_why);
	if (call_hold(call) == CALL_REFUSE) return CALL_REFUSE;
	call->list = hosted_items_ask(call->hosted, call->inner.era, HOSTED_TOOLS, call->deadline_ms, listed, call,
		&why);
	return call->list ? CALL_HOLD : no_list(call, &why);
}

/* ---- pinned, permission: 4002 ---- */

static enum call_verdict gate_pinned(struct call *call) {
	const struct tool *tool = tool_of(call, NULL);
	if (!tool) return no_tool(call);
	if (!tool->disabled) return CALL_PASS;
	(void)call_refuse(call, MGP_TOOL_DISABLED, "%s", tool->disabled);
	if (tool->is_quarantined) call->refusal.type = "tool_quarantined";
	return CALL_REFUSE;
}

static enum call_verdict gate_permission(struct call *call) {
	const struct tool *tool = tool_of(call, NULL);
	AUTO_TEXT struct text details = {0};
	for (size_t i = 0; tool && tool->security && i < tool->security->permission_count; i++) {
		struct slice name = tool->security->permissions[i];
		if (permissions_allow(call->governed->permissions, name)) continue;
		permissions_want(call->governed->permissions, name);
		const char *state = permission_state_word(permissions_state(call->governed->permissions, name));
		(void)call_refuse(call, MGP_TOOL_DISABLED, "this tool needs the permission %.*s, which is %s",
			SLICE_ARGS(name), state);
		text_init(&details, 1024);
		text_add_cstr(&details, "{\"permission\":");
		text_json(&details, name);
		text_printf(&details, ",\"state\":\"%s\"}", state);
		if (!text_failed(&details)) call_detail(call, text_slice(&details));
		return CALL_REFUSE;
	}
	return CALL_PASS;
}

/* ---- arguments: 4000 ---- */

static enum call_verdict unfit(struct call *call, const struct schema_findings *findings) {
	AUTO_TEXT struct text details = {0};
	AUTO_TEXT struct text words = {0};
	text_init(&details, 8192);
	text_init(&words, 8192);
	for (size_t i = 0; i < findings->count; i++) text_printf(&words, "%s%s", i ? "; " : "", findings->list[i].sentence);
	(void)call_refuse(call, MGP_INVALID_TOOL_ARGS, "%.*s", SLICE_ARGS(text_failed(&words) ? slice_of(findings->list[0].sentence) : text_slice(&words)));
	text_add_cstr(&details, "{\"errors\":[");
	for (size_t i = 0; i < findings->count; i++) {
		if (i) text_add_char(&details, ',');
		text_add_cstr(&details, "{\"path\":");
		text_json(&details, slice_of(findings->list[i].where));
		text_add_cstr(&details, ",\"message\":");
		text_json(&details, slice_of(findings->list[i].sentence));
		text_add_char(&details, '}');
	}
	text_add_cstr(&details, "]}");
	if (!text_failed(&details)) call_detail(call, text_slice(&details));
	return CALL_REFUSE;
}

static bool have_twins(const struct call *call, bool *has_twins) {
	char lent[2048];
	struct arena arena;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_known = scan_has_duplicates(call->arguments.text, &arena, has_twins);
	arena_finish(&arena);
	return is_known;
}

static enum call_verdict gate_arguments(struct call *call) {
	const struct tool *tool = tool_of(call, NULL);
	bool has_twins = false;
	if (call->arguments.type == SCAN_NONE)
		call->arguments = (struct scan_value){.text = SLICE("{}"), .type = SCAN_OBJECT};
	if (call->arguments.type != SCAN_OBJECT)
		return call_refuse(call, MGP_INVALID_TOOL_ARGS, "arguments: an object is due");
	if (!have_twins(call, &has_twins))
		return call_refuse(call, MGP_RESOURCE_EXHAUSTED, "no memory for the request: try again");
	if (has_twins)
		return call_refuse(call, MGP_INVALID_TOOL_ARGS,
			"arguments: a key stands twice in one object, so that two readers could differ");
	struct schema_finding list[FINDINGS];
	struct schema_findings findings = {.subject = "arguments", .list = list, .most = FINDINGS};
	if (!tool || !tool->schema || schema_check_value(tool->schema, &call->arguments, &findings)) return CALL_PASS;
	return unfit(call, &findings);
}

/* ---- validator: 1010, 1011 (MGP 4.5, 7) ---- */

static void validated(void *context, enum validator_verdict verdict) {
	struct call *call = context;
	call->names = NULL;
	call->is_validated = true;
	(void)verdict; /* what was found stands in the report */
	walk_again(call);
}

static enum call_verdict blocked(struct call *call) {
	AUTO_TEXT struct text details = {0};
	bool is_code = call->report.validator == VALIDATOR_CODE_SAFETY;
	text_init(&details, 64 * 1024);
	validator_report_write(&details, &call->report);
	(void)call_refuse(call, is_code ? MGP_CODE_SAFETY_VIOLATION : MGP_VALIDATION_BLOCKED, "blocked by %s: %s",
		validator_word(call->report.validator),
		call->report.first[0] ? call->report.first : "the code is not allowed");
	if (!text_failed(&details)) call_detail(call, text_slice(&details));
	return CALL_REFUSE;
}

static enum call_verdict gate_validator(struct call *call) {
	const struct tool *tool = tool_of(call, NULL);
	enum validator_verdict verdict;
	if (!tool || !tool->security) return no_tool(call);
	call->risk = risk_level_word(tool->security->risk);
	call->is_repeatable = tool->security->read_only == TOOL_YES || tool->security->idempotent == TOOL_YES;
	if (tool->security->validator == VALIDATOR_NONE) return CALL_PASS;
	call->validator = validator_word(tool->security->validator);
	if (call->is_validated) return call->report.count || call->report.whole.length ? blocked(call) : CALL_PASS;
	validator_report_finish(&call->report);
	validator_report_init(&call->report, tool->security->validator);
	verdict = validator_start(call->governed->means->loop, tool->security, call->arguments.text, 0, &call->report,
		validated, call, &call->names);
	if (verdict == VALIDATOR_WAITS) return call_hold(call);
	return verdict == VALIDATOR_REFUSES ? blocked(call) : CALL_PASS;
}

/* ---- approval: 1000 (MGP 4.4) ---- */

static enum call_verdict gate_approval(struct call *call) {
	const struct tool *tool = tool_of(call, NULL);
	const struct governed *governed = call->governed;
	AUTO_TEXT struct text message = {0};
	if (!tool || !tool->security) return no_tool(call);
	if (call->was_approved) return call_decision_approved(call);
	if (!call_decision_wants_approval(call, tool)) return CALL_PASS;
	text_init(&message, 2048);
	text_printf(&message, "%.*s wants to call %.*s of server %.*s (%s)", SLICE_ARGS(call->asker.principal),
		SLICE_ARGS(call->name), SLICE_ARGS(hosted_id(call->hosted)), call->risk ? call->risk : "risk unknown");
	const struct decision_wish wish = {
		.kind = DECISION_CALL,
		.message = text_slice(&message),
		.ttl_ms = governed->policy.decision_ttl_ms,
	};
	return call_decision_ask(call, &wish);
}

/* ---- quota: 3000, 3001, 3002 ---- */

static enum call_verdict gate_quota(struct call *call) {
	struct governed *governed = call->governed;
	AUTO_TEXT struct text details = {0};
	uint64_t pause = 0;
	if (call->is_counted) return CALL_PASS;
	int code = usage_enter(governed->usage, &governed->policy, call->asker.principal,
		loop_now(governed->means->loop), &pause, &details);
	if (!code) {
		call->is_counted = true;
		return CALL_PASS;
	}
	(void)call_refuse(call, code, code == MGP_QUOTA_EXCEEDED ? "the quota of calls of this server is used up" : code == MGP_RATE_LIMITED ? "too many calls of this server within a short time"
																	     : "too many calls of this server are under way");
	if (call->refusal.recovery.is_retryable && pause) call->refusal.recovery.retry_after_ms = pause;
	if (details.length && !text_failed(&details)) call_detail(call, text_slice(&details));
	return CALL_REFUSE;
}

/* ---- The tables ---- */

const struct call_gate call_gates[] = {
	{"trace", gate_trace},                      /* gives the call a trace id */
	{"access", gate_access},                    /* 1001, before anything that would tell what there is */
	{"ready", gate_ready},                      /* 2000, 2001, 2002 */
	{"tool", gate_tool},                        /* 4001 */
	{"pinned", gate_pinned},                    /* 4002: its definition has changed */
	{"permission", gate_permission},            /* 4002: its server may not do that */
	{"missing", call_missing_ask},              /* 4000, after its asker was asked for what it left out */
	{"arguments", gate_arguments},              /* 4000 */
	{"validator", gate_validator},              /* 1010, 1011 */
	{"quota", gate_quota},                      /* 3000, 3001, 3002 */
	{"authorization", call_authorization_gate}, /* -32002 or 1000: its owner's deciders (ADR-001) */
	{"approval", gate_approval},                /* 1000, after a person was asked; nobody is asked twice */
	{NULL, NULL},
};
_Static_assert(COUNT_OF(call_gates) <= CALL_FIGURES_GATES + 1, "call_figures.h counts each gate");

const struct call_gate guided_gates[] = {
	{"trace", gate_trace},
	{"access", gate_access},
	{"ready", gate_ready},
	{"tool", gate_tool},
	{"pinned", gate_pinned},
	{"permission", gate_permission},
	{"guided", call_guided_gate}, /* no gate of a call has anything to ask of its arguments */
	{"quota", gate_quota},
	{NULL, NULL},
};

const struct call_gate ask_gates[] = {
	{"trace", gate_trace},
	{"access", gate_access},
	{"ready", gate_ready},
	{NULL, NULL},
};
