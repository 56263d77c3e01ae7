/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted seat errand: what all requests of participants have in common: one answer, one end. */
#include "gateway/hosted_seat_parts.h"

#include "client/outbox.h"
#include "gateway/hosted_seat_authorization.h"

#include <stdio.h>

/* Of what may wait to be taken by the room, results take half: refusals are small, and have the rest. */
#define WAITING (OUTBOX_ENVELOPES / 2)
#define WAITING_OCTETS (OUTBOX_OCTETS / 2)
#define ALONE_OCTETS (OUTBOX_OCTETS / 4 * 3) /* of one when nothing else waits */

void seat_errand_begin(struct seat_errand *errand, struct hosted_seat *seat,
	struct peer_question *question) {
	errand->seat = seat;
	errand->question = question;
	list_append(&seat->errands, &errand->link);
	peer_question_set(question, errand);
}

void seat_errand_forget(struct seat_errand *errand) {
	list_remove(&errand->link);
	errand->question = NULL;
}

static bool is_about_question(const struct fault *why) {
	return why->code == FAULT_BAD_INPUT || why->code == FAULT_NOT_FOUND;
}

void seat_question_refuse(struct peer_question *question, const struct fault *why) {
	char data[64];
	int length = snprintf(data, sizeof data, "{\"type\":\"%s\"}", fault_word(why->code));
	peer_refuse(question, is_about_question(why) ? JSONRPC_INVALID_PARAMS : JSONRPC_INTERNAL_ERROR,
		slice_of(why->text), slice_make(data, (size_t)length));
}

/* One request has one answer: who has heard of an authorization hears the outcome of that. */
static void end_with_error(struct seat_errand *errand, int64_t code, struct slice message, struct slice data) {
	AUTO_TEXT struct text error = {0};
	if (errand->authorization[0]) {
		text_init(&error, 0);
		text_printf(&error, "{\"code\":%lld,\"message\":", (long long)code);
		text_json(&error, message);
		if (data.length) {
			text_add_cstr(&error, ",\"data\":");
			text_add(&error, data);
		}
		text_add_char(&error, '}');
		seat_authorization_resolved(errand, "error",
			text_failed(&error) ? SLICE("{\"code\":-32603,\"message\":\"no memory\"}") : text_slice(&error));
	} else
		peer_refuse(errand->question, code, message, data);
	seat_errand_forget(errand);
}

void seat_errand_refuse(struct seat_errand *errand, const struct fault *why) {
	char data[64];
	int length = snprintf(data, sizeof data, "{\"type\":\"%s\"}", fault_word(why->code));
	end_with_error(errand, is_about_question(why) ? JSONRPC_INVALID_PARAMS : JSONRPC_INTERNAL_ERROR,
		slice_of(why->text), slice_make(data, (size_t)length));
}

static bool has_room(const struct seat_errand *errand, size_t length, struct fault *why) {
	struct guest *guest = errand->seat->guest;
	if (!guest) return true; /* nobody waits */
	size_t octets = membership_waiting_octets(guest_membership(guest));
	if (length > ALONE_OCTETS)
		return fault_set(why, FAULT_TOO_LARGE, "the answer has %zu octets, more than a room takes", length);
	bool is_free = octets == 0 || octets + length < WAITING_OCTETS;
	return (is_free && membership_waiting(guest_membership(guest)) < WAITING) ||
		fault_set(why, FAULT_FULL, "more answers wait for the room than it takes: try again later");
}

void seat_errand_answer(struct seat_errand *errand, struct slice result) {
	struct fault why;
	if (!has_room(errand, result.length, &why)) {
		seat_errand_refuse(errand, &why);
		return;
	}
	if (errand->authorization[0]) seat_authorization_resolved(errand, "result", result);
	else peer_answer(errand->question, result);
	seat_errand_forget(errand);
}

void seat_errand_fail(struct seat_errand *errand, int64_t code, struct slice message, struct slice data) {
	struct fault why;
	if (!has_room(errand, message.length + data.length, &why)) {
		seat_errand_refuse(errand, &why);
		return;
	}
	end_with_error(errand, code, message, data);
}

static void end(struct seat_errand *errand, const struct fault *why) {
	seat_errand_refuse(errand, why);
	errand->give_up(errand, why->text);
}

/* Nobody waits: what it is refused with goes nowhere. */
void seat_question_cancelled(struct peer_question *question) {
	struct seat_errand *errand = peer_question_context(question);
	struct fault why;
	if (!errand) return;
	(void)fault_set(&why, FAULT_CLOSED, "the participant cancelled");
	end(errand, &why);
}

void seat_errands_end(struct hosted_seat *seat, const struct fault *why) {
	while (!list_is_empty(&seat->errands))
		end(CONTAINER_OF(seat->errands.next, struct seat_errand, link), why);
}
