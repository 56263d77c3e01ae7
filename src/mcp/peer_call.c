/* SPDX-License-Identifier: Apache-2.0 */
/* Peer call: what we ask. Answer, deadline and close race; call_end() lets the first through. */
#include "mcp/peer_call.h"
#include "mcp/peer_parts.h"
#include "mcp/peer_send.h"

#include <stdio.h>
#include <stdlib.h>

struct peer_call {
	struct link link;
	struct peer *peer;
	struct deadline deadline;
	int64_t id;
	peer_answered *answered;
	peer_progressed *progressed;
	peer_streamed *streamed;
	void *context;
	bool may_cancel; /* `initialize` must not be (MCP lifecycle) */
	char sent[PEER_TAG];
};

static void call_free(struct peer_call *call) {
	deadline_clear(&call->deadline);
	list_remove(&call->link);
	call->peer->call_count--;
	free(call);
}

static void call_end(struct peer_call *call, const struct peer_reply *reply,
	const struct fault *why) {
	peer_answered *answered = call->answered;
	void *context = call->context;
	call_free(call);
	answered(context, reply, why);
}

static void tell_cancelled(const struct peer_call *call, struct slice reason) {
	AUTO_TEXT struct text params = {0};
	struct peer *peer = call->peer;
	bool is_recalled = call->sent[0] && peer->events->recalled &&
		peer->events->recalled(peer->context, slice_of(call->sent));
	if (is_recalled || !call->may_cancel) return;
	text_init(&params, 0);
	text_printf(&params, "{\"requestId\":%lld,\"reason\":", (long long)call->id);
	text_json(&params, reason);
	text_add_char(&params, '}');
	if (text_failed(&params)) return;
	/* The other side may be out of reach; the call is over for us all the same. */
	(void)!peer_tell(peer, SLICE("notifications/cancelled"), text_slice(&params), NULL);
}

static void call_overdue(struct deadline *deadline) {
	struct peer_call *call = CONTAINER_OF(deadline, struct peer_call, deadline);
	struct fault why;
	fault_set(&why, FAULT_TIMEOUT, "no answer in time");
	tell_cancelled(call, SLICE("no answer in time"));
	call_end(call, NULL, &why);
}

void peer_cancel(struct peer_call *call, struct slice reason) {
	tell_cancelled(call, reason);
	call_free(call);
}

void peer_extend(struct peer_call *call, uint64_t deadline_ms) {
	deadline_set(call->peer->loop, &call->deadline, deadline_ms, call_overdue);
}

void peer_leave(struct peer_call *call, uint64_t deadline_ms, peer_answered *answered, void *context) {
	call->answered = answered;
	call->progressed = NULL;
	call->streamed = NULL;
	call->context = context;
	deadline_set(call->peer->loop, &call->deadline, deadline_ms, call_overdue);
}

/* ---- Leaving ---- */

/* The members of that object but the named one, each behind a comma. */
static void add_members(struct text *to, const struct scan_value *object, const char *but) {
	struct scan_walk walk;
	struct scan_member member;
	if (object->type != SCAN_OBJECT) return;
	for (scan_open(&walk, object); scan_next(&walk, &member);) {
		if (scan_key_is(&member, but)) continue;
		text_printf(to, ",\"%.*s\":", SLICE_ARGS(member.key));
		text_add(to, member.value.text);
	}
}

/* `params` again, with the token as _meta.progressToken; other members of _meta stay. */
static void add_token(struct text *to, struct slice params, int64_t id) {
	struct scan_value root = {.text = params, .type = params.bytes ? SCAN_OBJECT : SCAN_NONE};
	struct scan_value meta = {.type = SCAN_NONE};
	(void)scan_find(&root, "_meta", &meta);
	text_printf(to, "{\"_meta\":{\"progressToken\":%lld", (long long)id);
	add_members(to, &meta, "progressToken");
	text_add_char(to, '}');
	add_members(to, &root, "_meta");
	text_add_char(to, '}');
}

static bool send_call(struct peer_call *call, const struct peer_request *request,
	struct fault *why) {
	char id[24];
	AUTO_TEXT struct text message = {0}, with_token = {0};
	struct slice params = request->params;
	text_init(&message, 0);
	text_init(&with_token, 0);
	int length = snprintf(id, sizeof id, "%lld", (long long)call->id);
	if (request->progressed) {
		add_token(&with_token, params, call->id);
		params = text_slice(&with_token);
	}
	if (text_failed(&with_token)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	jsonrpc_write_request(&message, slice_make(id, (size_t)length), request->method,
		params.length ? params : SLICE_NONE);
	return peer_send(call->peer, &message, request->about, call->sent, why);
}

struct peer_call *peer_ask(struct peer *peer, const struct peer_request *request,
	struct fault *why) {
	if (peer->call_count >= PEER_CALLS)
		return fault_null(why, FAULT_FULL, "%d calls are open already", PEER_CALLS);
	struct peer_call *call = calloc(1, sizeof *call);
	if (!call) return fault_null(why, FAULT_NO_MEMORY, "no memory for another call");

	call->peer = peer;
	call->id = peer->next_id++;
	call->answered = request->answered;
	call->progressed = request->progressed;
	call->streamed = request->streamed;
	call->context = request->context;
	call->may_cancel = !slice_is(request->method, "initialize");
	list_append(&peer->calls, &call->link);
	peer->call_count++;
	if (!send_call(call, request, why)) {
		call_free(call);
		return NULL;
	}
	uint64_t patience = request->deadline_ms ? request->deadline_ms : PEER_PATIENCE;
	if (patience != UINT64_MAX) deadline_set(peer->loop, &call->deadline, patience, call_overdue);
	return call;
}

struct slice peer_call_tag(const struct peer_call *call) {
	return slice_of(call->sent);
}

int64_t peer_call_id(const struct peer_call *call) { return call->id; }

size_t peer_calls(const struct peer *peer) { return peer->call_count; }

/* ---- Coming back ---- */

static struct peer_call *find_by_id(const struct peer *peer, const struct scan_value *id) {
	int64_t number;
	if (id->type != SCAN_NUMBER || !scan_integer(id, &number)) return NULL;
	LIST_EACH(link, &peer->calls) {
		struct peer_call *call = CONTAINER_OF(link, struct peer_call, link);
		if (call->id == number) return call;
	}
	return NULL;
}

void *peer_call_context(const struct peer *peer, const struct scan_value *id, peer_answered *answered) {
	const struct peer_call *call = find_by_id(peer, id);
	return call && call->answered == answered ? call->context : NULL;
}

/* An answer names the request it answers, where the transport has such names (MCPx v0 4.1). */
static bool is_about(const struct peer_call *call, struct slice about) {
	return !about.bytes || !call->sent[0] || slice_is(about, call->sent);
}

void peer_call_answered(struct peer *peer, const struct jsonrpc *message, struct slice about) {
	struct peer_call *call = find_by_id(peer, &message->id);
	struct peer_reply reply = {.code = 0};
	struct scan_value data;
	if (!call || !is_about(call, about)) return;
	if (message->kind == JSONRPC_RESULT) reply.result = message->result.text;
	else {
		reply.code = message->code;
		reply.message = message->message;
		if (scan_find(&message->error, "data", &data)) reply.data = data.text;
	}
	call_end(call, &reply, NULL);
}

static struct peer_call *find_by_tag(const struct peer *peer, struct slice sent) {
	LIST_EACH(link, &peer->calls) {
		struct peer_call *call = CONTAINER_OF(link, struct peer_call, link);
		if (call->sent[0] && slice_is(sent, call->sent)) return call;
	}
	return NULL;
}

bool peer_waits_for(const struct peer *peer, struct slice sent) {
	return find_by_tag(peer, sent) != NULL;
}

bool peer_fail(struct peer *peer, struct slice sent, const struct peer_reply *reply,
	const struct fault *why) {
	struct peer_call *call = find_by_tag(peer, sent);
	if (call) call_end(call, reply, why);
	return call != NULL;
}

void peer_call_progressed(struct peer *peer, const struct scan_value *params) {
	struct scan_value token;
	if (!scan_find(params, "progressToken", &token)) return;
	struct peer_call *call = find_by_id(peer, &token);
	if (call && call->progressed) call->progressed(call->context, params);
}

bool peer_call_streamed(struct peer *peer, const struct jsonrpc *notification) {
	struct scan_value id;
	if (!slice_starts_with(notification->method, "notifications/mgp.") ||
		notification->params.type != SCAN_OBJECT || !scan_find(&notification->params, "request_id", &id))
		return false;
	struct peer_call *call = find_by_id(peer, &id);
	if (!call || !call->streamed) return false;
	call->streamed(call->context, notification->method, &notification->params);
	return true;
}

void peer_calls_end(struct peer *peer, const struct fault *why) {
	while (!list_is_empty(&peer->calls))
		call_end(CONTAINER_OF(peer->calls.next, struct peer_call, link), NULL, why);
}
