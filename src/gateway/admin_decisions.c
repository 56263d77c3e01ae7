/* SPDX-License-Identifier: Apache-2.0 */
/* Admin decisions: who asks is found out here, what may be said is the inbox's to judge. */
#include "gateway/admin_decisions.h"

#include "decide/decision_record.h"
#include "gateway/admin.h"
#include "gateway/decision_body.h"
#include "gateway/decision_standing.h"
#include "gateway/decision_watch.h"

/* False: answered. */
static bool may_come(struct exchange *exchange) {
	if (!exchange->gateway->inbox) {
		exchange_error(exchange, 404, "not_found", "this gateway asks nobody");
		return false;
	}
	if (!exchange->principal->is_open) return true;
	exchange_error(exchange, 401, "token_required", "this needs a token: an administrator's, or a decider's");
	return false;
}

static bool wants_events(const struct exchange *exchange) {
	return http1_has_token(exchange->head, "Accept", "text/event-stream");
}

void admin_decisions_list(struct exchange *exchange) {
	struct decision_filter filter;
	uint64_t wait_s, after;
	if (!may_come(exchange) || !decision_filter_read(exchange, &filter) ||
		!exchange_query_number(exchange, "wait", 0, DECISION_WATCH_WAIT_S, 0, &wait_s) ||
		!exchange_query_number(exchange, "after", 0, INT64_MAX, 0, &after))
		return;
	bool is_get = slice_is(exchange->head->method, "GET");
	if (is_get && wants_events(exchange)) {
		decision_watch_stream(exchange, &filter);
		return;
	}
	if (is_get && wait_s) {
		decision_watch_poll(exchange, &filter, wait_s, after);
		return;
	}
	AUTO_TEXT struct text body = {0};
	text_init(&body, 0);
	decision_filter_write(&filter, exchange->principal, exchange->gateway->inbox, &body);
	exchange_text(exchange, 200, &body);
}

static void answer_with(struct exchange *exchange, const struct decision *decision, const struct fault *why) {
	AUTO_TEXT struct text body = {0};
	text_init(&body, 0);
	if (!decision) {
		exchange_fault(exchange, why);
		return;
	}
	decision_write(decision, &body);
	exchange_text(exchange, 200, &body);
}

void admin_decisions_show(struct exchange *exchange) {
	const struct principal *principal = exchange->principal;
	struct slice id = exchange->segments[2];
	struct fault why = {0};
	if (!may_come(exchange)) return;
	const struct decision *decision = inbox_find(exchange->gateway->inbox, id);
	if (!decision)
		fault_set(&why, FAULT_NOT_FOUND, "there is no decision %.*s: `hustings pending` shows those that are open",
			(int)slice_cut(id, 64), id.bytes);
	if (decision && !decision_is_shown(exchange->gateway, principal, decision)) {
		fault_set(&why, FAULT_REFUSED, "this needs an administrator, or a decider of this decision");
		decision = NULL;
	}
	answer_with(exchange, decision, &why);
}

/* As the principal, and as what it is in the room where it was asked. */
static void sign(struct exchange *exchange, struct slice id, struct inbox_answer *answer) {
	const struct decision *decision = inbox_find(exchange->gateway->inbox, id);
	answer->who = exchange->principal->id;
	answer->is_admin = exchange->principal->is_admin;
	if (decision) answer->topic = decision_standing(exchange->gateway, exchange->principal, decision);
}

static void answered(struct exchange *exchange, const struct decision *decision, const struct fault *why) {
	if (decision) decision_say(exchange->gateway, decision, exchange->principal->id);
	answer_with(exchange, decision, why);
}

void admin_decisions_answer(struct exchange *exchange) {
	struct inbox *inbox = exchange->gateway->inbox;
	struct slice id = exchange->segments[2];
	struct decision_body body;
	struct fault why;
	if (!may_come(exchange)) return;
	if (!decision_body_read(exchange->body, &exchange->arena, &body, &why)) {
		/* Somebody tried to say something that is neither yes nor no. */
		if (body.has_word && !body.has_decision && inbox_find(inbox, id))
			admin_record(exchange, "decision", id, SLICE_NONE, "unknown_word");
		exchange_fault(exchange, &why);
		return;
	}
	sign(exchange, id, &body.answer);
	answered(exchange, inbox_answer(inbox, id, &body.answer, &why), &why);
}

void admin_decisions_revoke(struct exchange *exchange) {
	struct inbox_answer answer = {0};
	struct fault why;
	if (!may_come(exchange)) return;
	sign(exchange, exchange->segments[2], &answer);
	answered(exchange, inbox_revoke(exchange->gateway->inbox, exchange->segments[2], &answer, &why), &why);
}
