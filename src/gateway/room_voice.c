/* SPDX-License-Identifier: Apache-2.0 */
/* Room voice: there with an envelope, back with what became of it. */
#include "gateway/room_voice.h"

#include "base/ident.h"
#include "gateway/question.h"
#include "room/injection.h"
#include "room/proposals.h"

#include <stdlib.h>

struct voice {
	struct question question;
	struct visitor visitor;
	struct principal *principal;
	struct slice topic, proposal, reason; /* in this allocation; proposal empty: something is said */
	struct text envelope;
	bool is_refused;
	struct fault why;
};

static void end(struct voice *voice) {
	principal_drop(voice->principal);
	text_finish(&voice->envelope);
	free(voice);
}

static void log_failure(struct gateway *gateway, struct slice who, struct slice topic, const struct fault *why) {
	log_write(gateway->log, LOG_WARNING, "room %.*s: what %.*s has decided could not be said there: %s", SLICE_ARGS(topic),
		SLICE_ARGS(who), why->text);
}

static void answered(struct question *question) {
	struct voice *voice = CONTAINER_OF(question, struct voice, question);
	if (voice->is_refused) log_failure(question->gateway, voice->principal->id, voice->topic, &voice->why);
	end(voice);
}

static void inject(struct voice *voice, struct room *room) {
	struct injection injection = {
		.principal = voice->principal,
		.privilege = PRIVILEGE_FULL, /* the inbox found that it may */
		.text = text_slice(&voice->envelope),
	};
	text_init(&injection.payload, 0);
	if (!injection_run(room, &injection))
		voice->is_refused = !fault_set(&voice->why, FAULT_REFUSED, "%s: %.*s", injection.gate,
			(int)slice_cut(text_slice(&injection.payload), 300), injection.payload.bytes);
	text_finish(&injection.payload);
}

static void entered(struct visitor *visitor, struct room *room, const struct fault *why) {
	struct voice *voice = CONTAINER_OF(visitor, struct voice, visitor);
	if (!room) {
		voice->is_refused = true;
		voice->why = *why;
	} else if (!voice->proposal.length)
		inject(voice, room);
	else if (!proposals_settle(room, voice->proposal, PROPOSALS_REJECT, voice->principal, PRIVILEGE_FULL, voice->reason,
			 NULL, &voice->why))
		voice->is_refused = voice->why.code != FAULT_EXISTS && voice->why.code != FAULT_NOT_FOUND;
	question_answer(&voice->question);
}

static void ask(struct question *question) {
	struct voice *voice = CONTAINER_OF(question, struct voice, question);
	voice->visitor.ready = entered;
	rooms_enter(question->island->rooms, voice->topic, ROOMS_KNOWN, &voice->visitor);
}

static struct slice place(char **at, struct slice from) {
	struct slice copy = {*at, from.length};
	if (from.length) memcpy(*at, from.bytes, from.length);
	*at += from.length;
	return copy;
}

static struct voice *make(struct slice principal, struct slice topic, struct slice proposal, struct slice reason,
	struct fault *why) {
	const struct principal_facts facts = {.privilege = PRIVILEGE_FULL, .id = principal};
	struct voice *voice = calloc(1, sizeof *voice + topic.length + proposal.length + reason.length);
	if (!voice) return fault_null(why, FAULT_NO_MEMORY, "no memory for a message");
	char *at = (char *)(voice + 1);
	voice->topic = place(&at, topic);
	voice->proposal = place(&at, proposal);
	voice->reason = place(&at, reason);
	text_init(&voice->envelope, 0);
	voice->principal = principal_make(&facts, why);
	if (voice->principal) return voice;
	free(voice);
	return NULL;
}

static bool start(struct gateway *gateway, struct voice *voice, struct fault *why) {
	if (question_start(&voice->question, gateway, gateway_island(gateway, voice->topic), NULL, ask, answered, why))
		return true;
	end(voice);
	return false;
}

static bool write_envelope(struct voice *voice, struct slice to, struct slice correlation_id, struct slice payload,
	struct fault *why) {
	struct text *text = &voice->envelope;
	char id[IDENT_UUID_SIZE];
	ident_uuid(id);
	text_printf(text, "{\"protocol\":\"mcpx/v0.1\",\"id\":\"%s\",\"kind\":\"mcp\"", id);
	if (to.length) {
		text_add_cstr(text, ",\"to\":");
		text_add(text, to);
	}
	if (correlation_id.length) {
		text_add_cstr(text, ",\"correlation_id\":");
		text_json(text, correlation_id);
	}
	text_add_cstr(text, ",\"payload\":");
	text_add(text, payload);
	text_add_char(text, '}');
	return !text_failed(text) || fault_set(why, FAULT_NO_MEMORY, "no memory for a message");
}

void room_voice_say(struct gateway *gateway, struct slice principal, struct slice topic, struct slice to,
	struct slice correlation_id, struct slice payload) {
	struct fault why;
	struct voice *voice = make(principal, topic, SLICE_NONE, SLICE_NONE, &why);
	if (voice && !write_envelope(voice, to, correlation_id, payload, &why)) {
		end(voice);
		voice = NULL;
	}
	if (!voice || !start(gateway, voice, &why)) log_failure(gateway, principal, topic, &why);
}

void room_voice_reject(struct gateway *gateway, struct slice principal, struct slice topic, struct slice proposal,
	struct slice reason) {
	struct fault why;
	struct voice *voice = make(principal, topic, proposal, reason, &why);
	if (!voice || !start(gateway, voice, &why)) log_failure(gateway, principal, topic, &why);
}
