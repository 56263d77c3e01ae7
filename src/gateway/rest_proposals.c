/* SPDX-License-Identifier: Apache-2.0 */
/* Rest proposals: the room's book over HTTP. */
#include "gateway/rest_proposals.h"

#include "gateway/rest_topics.h"
#include "gateway/visit.h"
#include "room/proposal_record.h"
#include "room/proposals.h"

static bool list(struct visit *visit, struct room *room) {
	char status[16];
	size_t length = visit->text.length < sizeof status ? visit->text.length : 0;
	memcpy(status, visit->text.bytes ? visit->text.bytes : "", length);
	status[length] = '\0';
	text_add_cstr(&visit->body, "{\"topic\":");
	text_json(&visit->body, visit->topic);
	text_add_cstr(&visit->body, ",\"proposals\":");
	proposals_write(room, length ? status : NULL, &visit->body);
	text_add_char(&visit->body, '}');
	return true;
}

static bool is_status(struct slice word) {
	for (int status = 0; status < PROPOSAL_STATUSES; status++)
		if (slice_is(word, proposal_status_text((enum proposal_status)status))) return true;
	return false;
}

void rest_proposals(struct exchange *exchange) {
	static const struct visit_steps steps = {.ask = list};
	struct slice topic, status;
	if (!rest_topic(exchange, &topic) || !exchange_query(exchange, "status", &status)) return;
	if (status.bytes && !is_status(status)) {
		exchange_error(exchange, 400, "bad_input",
			"query status must be pending, fulfilled, rejected, withdrawn or expired");
		return;
	}
	(void)!visit_start(exchange, topic, ROOMS_KNOWN, status, SLICE_NONE, &steps, NULL);
}

static bool settle(struct visit *visit, struct room *room, enum proposals_verb verb) {
	visit->failed = !proposals_settle(room, visit->text, verb, visit->principal, visit->privilege,
		visit->other, &visit->body, &visit->fault);
	return true;
}

static bool withdraw(struct visit *visit, struct room *room) {
	return settle(visit, room, PROPOSALS_WITHDRAW);
}

static bool reject(struct visit *visit, struct room *room) {
	return settle(visit, room, PROPOSALS_REJECT);
}

static bool read_reason(struct exchange *exchange, struct slice *reason) {
	struct scan_value root, value;
	struct scan_fault fault;
	*reason = SLICE_NONE;
	if (exchange->body.length == 0) return true;
	bool is_object = scan_check(exchange->body, SCAN_DEPTH, &root, &fault) && root.type == SCAN_OBJECT;
	if (is_object && !scan_find(&root, "reason", &value)) return true;
	if (is_object && scan_string(&value, &exchange->arena, reason) && reason->length <= 1000) return true;
	exchange_error(exchange, 400, "bad_input",
		"the body must be {\"reason\":\"...\"} with at most 1000 octets, or empty");
	return false;
}

static void settle_proposal(struct exchange *exchange, const struct visit_steps *steps) {
	struct slice topic, reason;
	if (!rest_topic(exchange, &topic) || !read_reason(exchange, &reason)) return;
	(void)!visit_start(exchange, topic, ROOMS_KNOWN, exchange->segments[4], reason, steps, NULL);
}

void rest_proposal_withdraw(struct exchange *exchange) {
	static const struct visit_steps steps = {.ask = withdraw};
	settle_proposal(exchange, &steps);
}

void rest_proposal_reject(struct exchange *exchange) {
	static const struct visit_steps steps = {.ask = reject};
	settle_proposal(exchange, &steps);
}
