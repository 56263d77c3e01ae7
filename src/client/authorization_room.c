/* SPDX-License-Identifier: Apache-2.0 */
/* Authorization room: read, checked for whom it is, and handed on. */
#include "client/authorization_room.h"

#include "client/authorization_book.h"
#include "client/authorization_outcome.h"

/* ---- Decisions about our tools ---- */

static bool take(struct hustings_room *room, struct slice from, bool revokes, const struct scan_value *params,
	struct fault *why) {
	char lent[1024];
	struct arena arena;
	struct authorization_response response;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_taken;
	if (revokes)
		is_taken = authorization_revoke_read(params, &arena, &response, why) &&
			authorization_book_revoke(room->hustings, room->guest, from, response.id, why);
	else
		is_taken = authorization_response_read(params, &arena, &response, why) &&
			authorization_book_decide(room->hustings, room->guest, from, &response, why);
	arena_finish(&arena);
	return is_taken;
}

static bool is_decision(struct slice method, bool *revokes) {
	*revokes = slice_is(method, "authorization/revoke");
	return *revokes || slice_is(method, "authorization/respond");
}

static void refuse(struct peer_question *question, const struct fault *why) {
	char data[AUTHORIZATION_DATA];
	int64_t code = authorization_refusal(why, data);
	peer_refuse(question, code, slice_of(why->text), slice_of(data));
}

bool authorization_room_asked(struct hustings_room *room, struct slice from, struct peer_question *question,
	const struct jsonrpc *request) {
	struct fault why;
	bool revokes;
	if (!is_decision(request->method, &revokes)) return false;
	if (take(room, from, revokes, &request->params, &why)) peer_answer(question, SLICE("{}"));
	else refuse(question, &why);
	return true;
}

/* ---- Questions about others' tools ---- */

static void tell_asked(struct hustings_room *room, struct slice from, const struct scan_value *params) {
	struct arena arena;
	struct authorization_request request;
	struct fault why;
	bool failed = false;
	int64_t expires_at = 0;
	if (!room->events->authorization_asked) return;
	arena_init(&arena, NULL, 0, 0);
	if (authorization_request_read(params, &arena, &request, &why)) {
		if (request.expires_at.length && !clock_read(request.expires_at, &expires_at)) expires_at = 0;
		const struct hustings_asked asked = {
			.id = library_string(&arena, request.id, &failed),
			.owner = library_string(&arena, from, &failed),
			.tool = library_string(&arena, request.tool, &failed),
			.requester = library_string(&arena, request.requester, &failed),
			.reason = library_string(&arena, request.reason.length ? request.reason : SLICE(""), &failed),
			.arguments = library_json(request.arguments.length ? request.arguments : SLICE("{}")),
			.expires_at = expires_at,
		};
		if (!failed) room->events->authorization_asked(room->context, room, &asked);
	}
	arena_finish(&arena);
}

/* ---- What is heard ---- */

static bool is_for_us(const struct hustings_room *room, const struct envelope *envelope, struct arena *arena) {
	struct slice name, self = membership_id(guest_membership(room->guest));
	for (size_t at = 0; envelope_recipient(envelope, &at, arena, &name);)
		if (slice_equal(name, self)) return true;
	return !envelope->recipients;
}

static void hear(struct hustings_room *room, const struct envelope *envelope, const struct jsonrpc *message, bool is_live) {
	struct fault why;
	bool revokes;
	/* One that may not decide, and one that comes too late, is passed over. */
	if (is_live && is_decision(message->method, &revokes))
		(void)take(room, envelope->from, revokes, &message->params, &why);
	else if (is_live && slice_is(message->method, "notifications/authorization/request"))
		tell_asked(room, envelope->from, &message->params);
	else if (slice_is(message->method, "notifications/authorization/resolved"))
		authorization_outcome_heard(room, envelope->from, &message->params);
}

void authorization_room_heard(struct hustings_room *room, const struct envelope *envelope, enum guest_moment moment) {
	char lent[1024];
	struct arena arena;
	struct jsonrpc message;
	int64_t code;
	struct slice payload = envelope->payload.text;
	bool may_be = moment != GUEST_OWN && envelope->kind == ENVELOPE_MCP &&
		!slice_starts_with(envelope->from, "system:") &&
		(authorization_outcome_waits(room) ||
			memmem(payload.bytes, payload.length, "authorization", sizeof "authorization" - 1));
	if (!may_be) return;
	arena_init(&arena, lent, sizeof lent, 0);
	if (is_for_us(room, envelope, &arena) && jsonrpc_read_value(&message, &envelope->payload, &arena, &code, NULL)) {
		if (message.kind == JSONRPC_NOTIFICATION) hear(room, envelope, &message, moment == GUEST_LIVE);
		else if (message.kind != JSONRPC_REQUEST) authorization_outcome_answered(room, envelope->from, &message);
	}
	arena_finish(&arena);
}

/* ---- What we say ---- */

static bool tell(struct hustings_room *room, const char *owner, struct slice method, const struct text *params,
	struct hustings_error *error) {
	AUTO_TEXT struct text message = {0};
	struct fault why;
	struct slice to = slice_of(owner);
	text_init(&message, 0);
	jsonrpc_write_notification(&message, method, text_slice(params));
	if (text_failed(params) || text_failed(&message)) fault_set(&why, FAULT_NO_MEMORY, "no memory for a message");
	else if (!to.length) fault_set(&why, FAULT_BAD_INPUT, "owner: whose tool it is has to be named");
	else if (membership_send(guest_membership(room->guest), ENVELOPE_MCP, &to, 1, SLICE_NONE, text_slice(&message), NULL, &why))
		return true;
	return library_error(error, &why);
}

bool hustings_decide(struct hustings_room *room, const char *owner, const char *id, bool approves,
	const char *reason, int64_t valid_until, struct hustings_error *error) {
	AUTO_TEXT struct text params = {0};
	const struct authorization_response response = {
		.id = slice_of(id), .approves = approves, .reason = slice_of(reason), .valid_until = valid_until};
	text_init(&params, 0);
	authorization_write_response(&params, &response);
	return tell(room, owner, SLICE("authorization/respond"), &params, error);
}

bool hustings_revoke(struct hustings_room *room, const char *owner, const char *id,
	const char *reason, struct hustings_error *error) {
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	text_add_cstr(&params, "{\"authorizationId\":");
	text_json(&params, slice_of(id));
	if (reason) {
		text_add_cstr(&params, ",\"reason\":");
		text_json(&params, slice_of(reason));
	}
	text_add_char(&params, '}');
	return tell(room, owner, SLICE("authorization/revoke"), &params, error);
}
