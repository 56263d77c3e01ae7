/* SPDX-License-Identifier: Apache-2.0 */
/* Authorization outcome: a call keeps the question's id, and a deadline. */
#include "client/authorization_outcome.h"

#include "flow/authorization.h"

#include <stdlib.h>

#define GRACE_MS 30000 /* beyond the owner's own deadline */

/* So that it is not run any more, if it is approved still. */
static void tell_cancelled(const struct hustings_call *call, struct slice reason) {
	AUTO_TEXT struct text params = {0}, message = {0};
	struct fault why;
	struct slice to = slice_of(call->owner);
	text_init(&params, 0);
	text_init(&message, 0);
	text_printf(&params, "{\"requestId\":%lld,\"reason\":", (long long)call->asked_as);
	text_json(&params, reason);
	text_add_char(&params, '}');
	jsonrpc_write_notification(&message, SLICE("notifications/cancelled"), text_slice(&params));
	if (!text_failed(&params) && !text_failed(&message))
		(void)!membership_send(guest_membership(call->room->guest), ENVELOPE_MCP, &to, 1, SLICE_NONE, text_slice(&message), NULL, &why);
}

static void overdue(struct deadline *deadline) {
	struct hustings_call *call = CONTAINER_OF(deadline, struct hustings_call, waiting);
	struct fault why;
	fault_set(&why, FAULT_TIMEOUT, "the call was not authorized in time");
	tell_cancelled(call, SLICE("not authorized in time"));
	library_call_answered(call, NULL, &why);
}

static void cancel(struct hustings_call *call, struct slice reason) { tell_cancelled(call, reason); }

/* How long it waits: as the caller said, else as the owner does. */
static uint64_t patience(const struct hustings_call *call, int64_t expires_at) {
	uint64_t now = clock_monotonic_ms();
	int64_t left = expires_at - clock_wall_ms();
	if (call->ends_at == UINT64_MAX) return AUTHORIZATION_TIMEOUT_MOST;
	if (call->ends_at) return call->ends_at > now ? call->ends_at - now : 1;
	if (!expires_at || left > AUTHORIZATION_TIMEOUT_MOST) left = AUTHORIZATION_TIMEOUT_MS;
	return (left > 0 ? (uint64_t)left : 0) + GRACE_MS;
}

static bool read_question(const struct peer_reply *reply, struct arena *arena, struct authorization_request *request) {
	struct scan_value data, value;
	struct scan_fault fault;
	struct fault why;
	return !reply->result.bytes && reply->code == AUTHORIZATION_REQUIRED && reply->data.length &&
		scan_check(reply->data, SCAN_DEPTH, &data, &fault) && scan_find(&data, "authorizationRequest", &value) &&
		authorization_request_read(&value, arena, request, &why);
}

bool authorization_outcome_awaited(struct hustings_room *room, struct hustings_call *call,
	const struct peer_reply *reply, int64_t asked_as) {
	struct arena arena;
	struct authorization_request request;
	int64_t expires_at = 0;
	if (!call->owner) return false;
	arena_init(&arena, NULL, 0, 0);
	bool is_question = read_question(reply, &arena, &request);
	if (is_question) {
		if (request.expires_at.length && !clock_read(request.expires_at, &expires_at)) expires_at = 0;
		call->authorization = slice_copy(request.id);
		call->cancel = cancel;
		call->way = NULL;
		call->asked_as = asked_as;
	}
	arena_finish(&arena);
	if (!is_question || !call->authorization) return false;
	deadline_set(room->hustings->loop, &call->waiting, patience(call, expires_at), overdue);
	return true;
}

static struct hustings_call *find(const struct hustings_room *room, struct slice owner, struct slice id) {
	LIST_EACH(link, &room->calls) {
		struct hustings_call *call = CONTAINER_OF(link, struct hustings_call, link);
		if (call->authorization && slice_is(id, call->authorization) && slice_is(owner, call->owner)) return call;
	}
	return NULL;
}

static void tell(struct hustings_call *call, const struct scan_value *params, struct arena *arena) {
	struct peer_reply reply = {.code = JSONRPC_INTERNAL_ERROR, .message = SLICE("")};
	struct scan_value error, value;
	if (scan_find(params, "result", &value)) reply.result = value.text;
	else if (scan_find(params, "error", &error)) {
		if (!scan_find(&error, "code", &value) || !scan_integer(&value, &reply.code)) reply.code = JSONRPC_INTERNAL_ERROR;
		if (!scan_find(&error, "message", &value) || !scan_string(&value, arena, &reply.message)) reply.message = SLICE("");
		if (scan_find(&error, "data", &value)) reply.data = value.text;
	}
	library_call_answered(call, &reply, NULL);
}

void authorization_outcome_heard(struct hustings_room *room, struct slice from, const struct scan_value *params) {
	char lent[1024];
	struct arena arena;
	struct scan_value value;
	struct slice id;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_named = scan_find(params, "authorizationId", &value) && scan_string(&value, &arena, &id);
	struct hustings_call *call = is_named ? find(room, from, id) : NULL;
	if (call) tell(call, params, &arena);
	arena_finish(&arena);
}

/* An owner that holds to the text alone sends the outcome as a second answer of the request itself (ADR-001, message 4). */
static struct hustings_call *find_request(const struct hustings_room *room, struct slice owner, const struct scan_value *id) {
	int64_t number;
	if (id->type != SCAN_NUMBER || !scan_integer(id, &number)) return NULL;
	LIST_EACH(link, &room->calls) {
		struct hustings_call *call = CONTAINER_OF(link, struct hustings_call, link);
		if (call->authorization && call->asked_as == number && slice_is(owner, call->owner)) return call;
	}
	return NULL;
}

void authorization_outcome_answered(struct hustings_room *room, struct slice from, const struct jsonrpc *message) {
	struct hustings_call *call = find_request(room, from, &message->id);
	struct peer_reply reply = {.code = message->code, .message = message->message, .result = message->result.text};
	struct arena arena;
	struct authorization_request request;
	struct scan_value data;
	if (!call) return;
	if (message->kind == JSONRPC_ERROR && scan_find(&message->error, "data", &data)) reply.data = data.text;
	arena_init(&arena, NULL, 0, 0);
	bool is_asked_again = read_question(&reply, &arena, &request);
	arena_finish(&arena);
	if (!is_asked_again) library_call_answered(call, &reply, NULL);
}

bool authorization_outcome_waits(const struct hustings_room *room) {
	LIST_EACH(link, &room->calls)
		if (CONTAINER_OF(link, struct hustings_call, link)->authorization) return true;
	return false;
}

static void gone(struct deadline *deadline) {
	struct fault why;
	fault_set(&why, FAULT_CLOSED, "the tool's owner, or we ourselves, left before the call was authorized");
	library_call_answered(CONTAINER_OF(deadline, struct hustings_call, waiting), NULL, &why);
}

/* Told from the loop: whoever is told may leave the room. */
void authorization_outcome_end(struct hustings_room *room, struct slice owner) {
	LIST_EACH(link, &room->calls) {
		struct hustings_call *call = CONTAINER_OF(link, struct hustings_call, link);
		if (call->authorization && (!owner.bytes || slice_is(owner, call->owner)))
			deadline_set(room->hustings->loop, &call->waiting, 0, gone);
	}
}
