/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted seat authorization: requests to the room, answers from it. */
#include "gateway/hosted_seat_authorization.h"

#include "decide/inbox.h"
#include "flow/authorization.h"
#include "gateway/gateway.h"
#include "kernel/kernel.h"
#include "kernel/refusals.h"
#include "mcp/peer.h"

#include <stdio.h>

#define REQUEST "notifications/authorization/request"
#define RESPOND "authorization/respond"
#define REVOKE "authorization/revoke"
#define RESOLVED "notifications/authorization/resolved"

/* ---- To the room ---- */

static void write_request(const struct decision *decision, struct text *to) {
	AUTO_TEXT struct text params = {0};
	char until[CLOCK_TEXT_SIZE];
	text_init(&params, 0);
	clock_write(decision->expires_at, until);
	const struct authorization_request request = {
		.id = slice_of(decision->id),
		.tool = decision->tool,
		.requester = decision->requester,
		.reason = decision->message,
		.arguments = decision->arguments,
		.expires_at = slice_of(until),
	};
	authorization_write_request(&params, &request);
	if (text_failed(&params)) to->failed = true;
	else jsonrpc_write_notification(to, SLICE(REQUEST), text_slice(&params));
}

/* What there is no room for stands in the inbox all the same. */
static void tell_room(struct hosted_seat *seat, const struct decision *decision) {
	struct membership *membership = seat->guest ? guest_membership(seat->guest) : NULL;
	struct slice names[DECISION_NAMES], rest = decision->deciders;
	size_t count = 0;
	AUTO_TEXT struct text message = {0};
	if (!membership || !seat_may_say(seat, &seat->asked_until)) return;
	while (rest.length && count < DECISION_NAMES && slice_split(&rest, '\n', &names[count])) count++;
	text_init(&message, 0);
	write_request(decision, &message);
	if (!text_failed(&message))
		(void)!membership_send(membership, ENVELOPE_MCP, names, count, SLICE_NONE, text_slice(&message), NULL, NULL);
}

static void changed(struct inbox_listener *listener, const struct decision *decision) {
	struct hosted_seat *seat = CONTAINER_OF(listener, struct hosted_seat, decisions);
	if (decision->kind == DECISION_AUTHORIZATION && decision->state == DECISION_PENDING &&
		slice_is(decision->server, seat->id) && slice_is(decision->topic, seat->topic))
		tell_room(seat, decision);
}

void seat_authorizations_begin(struct hosted_seat *seat) {
	seat->decisions = (struct inbox_listener){.changed = changed};
	if (seat->gateway->inbox) inbox_listen(seat->gateway->inbox, &seat->decisions);
}

void seat_authorizations_end(struct hosted_seat *seat) { inbox_unlisten(&seat->decisions); }

/* ---- From the room ---- */

/* The same word once more, by the same decider: an answer of the inbox that is said in the room as well. */
static bool is_said_already(const struct decision *decision, const struct inbox_answer *answer, bool is_revoked) {
	if (!slice_equal(decision->decided_by, answer->who)) return false;
	if (is_revoked) return decision->state == DECISION_REVOKED;
	return answer->approves ? decision_is_yes(decision)
				: decision->state == DECISION_DENIED || decision->state == DECISION_REVOKED;
}

static bool decide(const struct hosted_seat *seat, struct slice from, bool is_revoked, const struct scan_value *params,
	struct fault *why) {
	struct inbox *inbox = seat->gateway->inbox;
	struct authorization_response response;
	char lent[2048];
	struct arena arena;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_fine = params->type == SCAN_OBJECT ||
		fault_set(why, FAULT_BAD_INPUT, "params: an object is due");
	is_fine = is_fine && (is_revoked ? authorization_revoke_read(params, &arena, &response, why) : authorization_response_read(params, &arena, &response, why));
	const struct decision *decision = is_fine && inbox ? inbox_find(inbox, response.id) : NULL;
	if (is_fine && (!decision || decision->kind != DECISION_AUTHORIZATION || !slice_is(decision->server, seat->id)))
		is_fine = fault_set(why, FAULT_NOT_FOUND, "params.authorizationId: %s has asked for no such authorization", seat->id);
	if (is_fine) {
		const struct inbox_answer answer = {
			.who = from,
			.topic = slice_of(seat->topic),
			.is_told = true,
			.approves = response.approves,
			.reason = response.reason,
			.valid_until = response.valid_until,
		};
		is_fine = is_said_already(decision, &answer, is_revoked) ||
			(is_revoked ? inbox_revoke(inbox, response.id, &answer, why) : inbox_answer(inbox, response.id, &answer, why));
	}
	arena_finish(&arena);
	return is_fine;
}

/* The first of a participant at once, those of the minute that follows together. */
static void audit_ignored(const struct hosted_seat *seat, struct slice from, const char *method, const struct fault *why) {
	const struct kernel_means *means = seat->gateway->kernel ? kernel_means(seat->gateway->kernel) : NULL;
	AUTO_TEXT struct text details = {0};
	unsigned count;
	if (!means || !refusals_count(means->refusals, from, slice_of(seat->id), "authorization", &count)) return;
	text_init(&details, 0);
	text_printf(&details, "{\"method\":\"%s\",\"topic\":", method);
	text_json(&details, slice_of(seat->topic));
	text_add_cstr(&details, ",\"reason\":");
	text_json(&details, slice_of(why->text));
	text_add_char(&details, '}');
	const struct audit_record record = {
		.event = SLICE("dev.hustings.authorization_ignored"),
		.actor = from,
		.actor_type = SLICE("agent"),
		.server_id = slice_of(seat->id),
		.gate = SLICE("authorization"),
		.result = AUDIT_BLOCKED,
		.count = count,
		.details = text_failed(&details) ? SLICE_NONE : text_slice(&details),
	};
	kernel_audit(means, &record);
}

static const char *method_of(struct slice method) {
	if (slice_is(method, RESPOND)) return RESPOND;
	return slice_is(method, REVOKE) ? REVOKE : NULL;
}

/* What was said to everybody and is about no question of the seat is another's affair. */
static bool take(const struct hosted_seat *seat, struct slice from, const char *method, bool is_to_all,
	const struct scan_value *params, struct fault *why) {
	if (decide(seat, from, strcmp(method, REVOKE) == 0, params, why)) return true;
	if (!is_to_all || why->code == FAULT_REFUSED || why->code == FAULT_EXISTS) audit_ignored(seat, from, method, why);
	return false;
}

static void refuse(struct peer_question *question, const struct fault *why) {
	char data[AUTHORIZATION_DATA];
	int64_t code = authorization_refusal(why, data);
	peer_refuse(question, code, slice_of(why->text), slice_of(data));
}

bool seat_authorization_asked(struct hosted_seat *seat, struct slice from, struct peer_question *question,
	const struct jsonrpc *request) {
	const char *method = method_of(request->method);
	struct fault why;
	if (!method) return false;
	if (take(seat, from, method, false, &request->params, &why)) peer_answer(question, SLICE("{}"));
	else refuse(question, &why);
	return true;
}

/* To the seat, or to everybody (`to` is advice). */
static bool is_to_seat(const struct hosted_seat *seat, const struct envelope *envelope, struct arena *arena) {
	struct slice name;
	if (!envelope->recipients) return true;
	for (size_t at = 0; envelope_recipient(envelope, &at, arena, &name);)
		if (slice_is(name, seat->id)) return true;
	return false;
}

void seat_authorization_heard(struct hosted_seat *seat, const struct envelope *envelope, enum guest_moment moment) {
	struct jsonrpc message;
	struct fault why;
	const char *method;
	int64_t code;
	char lent[1024];
	struct arena arena;
	if (moment != GUEST_LIVE || envelope->kind != ENVELOPE_MCP ||
		envelope->body.id.type != SCAN_NONE || envelope->body.method.type != SCAN_STRING ||
		!memmem(envelope->body.method.text.bytes, envelope->body.method.text.length, "authorization", 13) ||
		slice_starts_with(envelope->from, "system:"))
		return;
	arena_init(&arena, lent, sizeof lent, 0);
	if (is_to_seat(seat, envelope, &arena) && jsonrpc_read_value(&message, &envelope->payload, &arena, &code, NULL) &&
		message.kind == JSONRPC_NOTIFICATION && (method = method_of(message.method)))
		(void)take(seat, envelope->from, method, !envelope->recipients, &message.params, &why);
	arena_finish(&arena);
}

/* ---- To who asked ---- */

bool seat_authorizing(struct hosted_ask *hosted_ask, const struct hosted_answer *error, struct slice id, bool is_twice) {
	struct seat_ask *ask = CONTAINER_OF(hosted_ask, struct seat_ask, ask);
	struct seat_errand *errand = &ask->errand;
	if (!is_twice) snprintf(errand->authorization, sizeof errand->authorization, "%.*s", SLICE_ARGS(id));
	peer_question_warn(errand->question, error->code, error->message, error->data);
	return true;
}

void seat_authorization_resolved(struct seat_errand *errand, const char *member, struct slice outcome) {
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	authorization_write_resolved(&params, peer_question_id(errand->question), slice_of(errand->authorization), member, outcome);
	if (!text_failed(&params)) peer_question_tell(errand->question, SLICE(RESOLVED), text_slice(&params));
	peer_question_drop(errand->question);
}
