/* SPDX-License-Identifier: Apache-2.0 */
/* Call decision: asked, told of while it waits, answered. */
#include "kernel/call_decision.h"

#include "kernel/call_answer.h"
#include "kernel/call_audit.h"
#include "kernel/call_rounds.h"

#define TELL_MS 10000 /* between two words to who waits for a person */

bool call_decision_wants_approval(const struct call *call, const struct tool *tool) {
	return call->governed->policy.approval != APPROVAL_AUTO_APPROVE &&
		tool_security_wants_confirmation(tool->security);
}

enum call_verdict call_decision_approved(struct call *call) {
	call->was_approved = true;
	call_rounds_mark(call);
	return CALL_PASS;
}

/* ---- The answer ---- */

static void walk_again(struct call *call) {
	call->at = 0;
	call_resume(call);
}

static const char *type_of(bool is_authorization, bool is_late) {
	if (is_authorization) return is_late ? CALL_AUTHORIZATION_TIMEOUT : CALL_AUTHORIZATION_DENIED;
	return is_late ? "approval_expired" : "approval_denied";
}

static void denied(struct call *call, const struct decision *decision) {
	bool is_late = decision->state == DECISION_EXPIRED;
	bool is_authorization = decision->kind == DECISION_AUTHORIZATION;
	struct slice reason = slice_make(decision->reason.bytes, slice_cut(decision->reason, 150));
	(void)call_refuse(call, MGP_PERMISSION_DENIED, "%s%s%.*s",
		is_late ? (is_authorization ? "nobody has authorized this call in time" : "nobody has approved of this call in time")
			: (is_authorization ? "this call was not authorized" : "this call was not approved"),
		reason.length ? ": " : "", SLICE_ARGS(reason));
	call->refusal.type = type_of(is_authorization, is_late);
	if (!arena_copy(&call->arena, decision->reason, &call->refusal.reason)) call->refusal.reason = SLICE_NONE;
	call->refused(call);
}

static void decided(struct decision_asker *asker, const struct decision *decision) {
	struct call *call = CONTAINER_OF(asker, struct call, waits);
	deadline_clear(&call->again);
	task_clear(&call->telling);
	call->waited_ms += loop_now(call->governed->means->loop) - call->asked_at;
	bool is_yes = decision_is_yes(decision);
	call_audit_answer(call, is_yes ? AUDIT_SUCCESS : AUDIT_BLOCKED, decision->decided_by);
	if (!is_yes) {
		denied(call, decision);
		return;
	}
	call->was_approved = true;
	call->has_listed = false; /* that was long ago */
	walk_again(call);
}

/* ---- While it waits ---- */

static bool hears_early(const struct call *call) {
	enum inbox_early early = inbox_early(call->governed->means->inbox);
	return call->waits.decision && call->waits.decision->kind == DECISION_AUTHORIZATION &&
		call->outer->events->authorizing && early != INBOX_EARLY_NEVER &&
		(early == INBOX_EARLY_ALWAYS || call->asker.has_authorization);
}

/* True: who asked knows at once, and needs no word of progress. False: it waits. */
static bool tell_early(struct call *call) {
	AUTO_TEXT struct text data = {0};
	struct hosted_answer answer;
	if (call->was_told_early || !hears_early(call)) return call->was_told_early;
	text_init(&data, 0);
	call_answer_early(call->waits.decision, &data, &answer);
	if (text_failed(&data)) return false;
	call->was_told_early = call->outer->events->authorizing(call->outer, &answer, slice_of(call->decision),
		inbox_early(call->governed->means->inbox) == INBOX_EARLY_ALWAYS);
	return call->was_told_early;
}

static void tell_again(struct deadline *deadline);

/* Whoever wants to hear of progress hears whom it waits for, again and again: clients whose patience begins
 * anew with it stay. */
static void tell_of_waiting(struct task *task) {
	struct call *call = CONTAINER_OF(task, struct call, telling);
	struct hosted_ask *outer = call->outer;
	AUTO_TEXT struct text params = {0};
	if (!call->decision || tell_early(call) || !outer->events->progressed) return;
	text_init(&params, 0);
	text_printf(&params, "{\"progress\":0.%03u,\"message\":\"waits for the approval of a person: decision %s\"}",
		call->told++ % 1000, call->decision);
	if (text_failed(&params)) return;
	deadline_set(call->governed->means->loop, &call->again, TELL_MS, tell_again);
	const struct scan_value value = {.text = text_slice(&params), .type = SCAN_OBJECT};
	outer->events->progressed(outer, &value);
}

static void tell_again(struct deadline *deadline) {
	struct call *call = CONTAINER_OF(deadline, struct call, again);
	tell_of_waiting(&call->telling);
}

/* ---- The question ---- */

static bool remember(struct call *call, const struct decision *decision) {
	struct slice id;
	if (!arena_copy(&call->arena, slice_of(decision->id), &id)) return false;
	call->decision = id.bytes;
	return true;
}

static struct decision_wish fill(const struct call *call, const struct decision_wish *wish) {
	struct decision_wish full = *wish;
	full.requester = call->asker.principal;
	full.server = hosted_id(call->hosted);
	full.tool = call->name;
	full.arguments = call->arguments.text;
	return full;
}

static enum call_verdict ask(struct call *call, const struct decision_wish *wish) {
	struct fault why;
	call->waits.decided = decided;
	call->asked_at = loop_now(call->governed->means->loop);
	if (call_hold(call) == CALL_REFUSE) return CALL_REFUSE;
	const struct decision_wish kept = fill(call, wish);
	const struct decision *decision = inbox_ask(call->governed->means->inbox, &kept, &call->waits, &why);
	if (decision && remember(call, decision)) {
		call_audit_question(call);
		loop_later(call->governed->means->loop, &call->telling, tell_of_waiting);
		return CALL_HOLD;
	}
	if (why.code == FAULT_BAD_INPUT || why.code == FAULT_TOO_LARGE)
		return call_refuse(call, MGP_INVALID_TOOL_ARGS, "%s", why.text);
	return call_refuse(call, MGP_RESOURCE_EXHAUSTED, "%s", decision ? "no memory for the request" : why.text);
}

enum call_verdict call_decision_ask(struct call *call, const struct decision_wish *wish) {
	const struct kernel_means *means = call->governed->means;
	const struct decision_wish full = fill(call, wish);
	if (call_rounds_take(means->call_rounds, call)) return call_decision_approved(call);
	const struct decision *standing = inbox_approval(means->inbox, &full);
	if (!standing) return ask(call, wish);
	(void)remember(call, standing);
	return call_decision_approved(call);
}
