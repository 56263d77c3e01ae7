/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_held: calls of modern clients that wait for answers (MCP 2026-07-28, MRTR). requestState is
 * "hus1.NUMBER.ROUND.EXPIRY.MAC": the MAC covers these and what the call is bound to.
 */
#include "gateway/mcp_call_parts.h"

#include "base/clock.h"
#include "gateway/mcp_result.h"

#include <stdio.h>
#include <stdlib.h>

#define STATE "hus1."
#define LATE_OCTETS (1024 * 1024)

/* An answer that came while nobody asked for it; its octets lie behind. */
struct mcp_late {
	struct hosted_answer answer;
	struct fault why; /* FAULT_NONE: the answer counts */
};

bool mcp_held_bind(struct mcp_call *call, const struct mcp_request *request) {
	AUTO_TEXT struct text bound = {0};
	text_init(&bound, 0);
	mcp_request_write_bound(&bound, request);
	return !text_failed(&bound) && secret_hash(text_slice(&bound), call->digest);
}

/* The MAC of `head` ("hus1.1.1.1"), as hexadecimal digits. */
static bool sign(const struct mcp_call *call, struct slice head, char hex[2 * SECRET_HASH_SIZE + 1]) {
	AUTO_TEXT struct text text = {0};
	char digest[2 * SECRET_HASH_SIZE + 1];
	uint8_t mac[SECRET_HASH_SIZE];
	text_init(&text, 0);
	secret_hex(call->digest, SECRET_HASH_SIZE, digest);
	text_add(&text, head);
	text_printf(&text, "\n%s\n", digest);
	text_json(&text, call->principal->id);
	text_json(&text, call->target);
	text_json(&text, call->method);
	if (text_failed(&text) ||
		!secret_sign(slice_make(call->face->key, SECRET_HASH_SIZE), text_slice(&text), mac))
		return false;
	secret_hex(mac, SECRET_HASH_SIZE, hex);
	return true;
}

static void write_answer(struct mcp_call *call, struct text *to, const char *head, const char *mac) {
	text_printf(to, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{",
		call->id);
	const char *before = "";
	LIST_EACH(link, &call->questions) {
		const struct mcp_question *one = CONTAINER_OF(link, struct mcp_question, link);
		text_printf(to, "%s\"%s\":{\"method\":", before, one->key);
		text_json(to, one->method);
		text_add_cstr(to, ",\"params\":");
		text_add(to, one->params);
		text_add_char(to, '}');
		before = ",";
	}
	text_printf(to, "},\"requestState\":\"%s.%s\"", head, mac);
	struct slice server_info = mcp_call_server_info(call);
	if (server_info.length) {
		text_add_cstr(to, ",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":");
		text_add(to, server_info);
		text_add_char(to, '}');
	}
	text_add_cstr(to, "}}");
}

/* ---- Answered too early ---- */

static struct slice lay(char **at, struct slice from) {
	if (!from.bytes) return SLICE_NONE;
	struct slice laid = slice_make(*at, from.length);
	memcpy(*at, from.bytes, from.length);
	*at += from.length;
	return laid;
}

/* A server may lose patience with its question before the person does who answers it. */
bool mcp_held_keep(struct mcp_call *call, const struct hosted_answer *answer,
	const struct fault *why) {
	const struct hosted_answer none = {.code = 0};
	const struct hosted_answer *from = answer ? answer : &none;
	size_t octets = from->result.length + from->message.length + from->data.length;
	struct mcp_late *late = octets > LATE_OCTETS ? NULL : calloc(1, sizeof *late + octets);
	if (!late) return false;
	char *at = (char *)(late + 1);
	late->answer = *from;
	late->answer.result = lay(&at, from->result);
	late->answer.message = lay(&at, from->message);
	late->answer.data = lay(&at, from->data);
	if (why) late->why = *why;
	call->late = late;
	mcp_question_free_all(call);
	return true;
}

/* ---- Held ---- */

static void expired(struct deadline *deadline) {
	struct mcp_call *call = CONTAINER_OF(deadline, struct mcp_call, expiry);
	if (!call->late) call->answerer->cancel(call, &call->ask, "nobody answered the question");
	mcp_call_free(call);
}

/* So that held calls leave a conversation for the next request, the oldest gives way. */
static void make_place(const struct mcp_call *newest) {
	struct mcp_call *oldest = NULL;
	size_t count = 0;
	LIST_EACH(link, &newest->face->calls) {
		struct mcp_call *call = CONTAINER_OF(link, struct mcp_call, link);
		if (call->state != MCP_CALL_HELD || call->who != newest->who ||
			!slice_equal(call->principal->id, newest->principal->id))
			continue;
		if (!oldest) oldest = call;
		count++;
	}
	if (count < MCP_HELD) return;
	if (!oldest->late) oldest->answerer->cancel(oldest, &oldest->ask, "a newer question has taken its place");
	mcp_call_free(oldest);
}

void mcp_held_park(struct mcp_call *call) {
	AUTO_TEXT struct text message = {0};
	char head[80], mac[2 * SECRET_HASH_SIZE + 1];
	text_init(&message, 0);
	make_place(call);
	snprintf(head, sizeof head, STATE "%llu.%u.%lld", (unsigned long long)call->number, ++call->round,
		(long long)(clock_wall_ms() + MCP_HELD_MS));
	bool is_signed = sign(call, slice_of(head), mac);
	if (is_signed) write_answer(call, &message, head, mac);
	if (!is_signed || text_failed(&message)) {
		call->answerer->cancel(call, &call->ask, "no memory for the question");
		mcp_call_refuse(call, JSONRPC_INTERNAL_ERROR, SLICE("no memory for the question: try again"),
			JSONRPC_PLAIN);
		return;
	}
	call->state = MCP_CALL_HELD;
	free(call->responses);
	call->responses = NULL;
	/* It may ask for the next round of answers only as long as the state says. */
	call->answerer->extend(call, &call->ask, MCP_HELD_MS + 1000);
	deadline_set(call->face->gateway->loop, &call->expiry, MCP_HELD_MS, expired);
	/* To the end of the held calls, so that the oldest is the one that waits longest. */
	list_remove(&call->link);
	list_append(&call->face->calls, &call->link);
	mcp_call_keep_up(call);
	mcp_stream_finish(&call->user, 200, text_slice(&message));
}

static struct mcp_call *find(const struct mcp_wish *wish, uint64_t number) {
	LIST_EACH(link, &wish->face->calls) {
		struct mcp_call *call = CONTAINER_OF(link, struct mcp_call, link);
		if (call->number == number && call->state == MCP_CALL_HELD) return call;
	}
	return NULL;
}

/* "hus1.NUMBER.ROUND.EXPIRY.MAC" taken apart; *head is all but the MAC. */
static bool read_state(struct slice state, uint64_t numbers[3], struct slice *head, struct slice *mac) {
	struct slice part, rest = slice_make(state.bytes + strlen(STATE), state.length - strlen(STATE));
	for (int i = 0; i < 3; i++)
		if (!slice_split(&rest, '.', &part) || !slice_number(part, INT64_MAX, &numbers[i])) return false;
	*mac = rest;
	if (!rest.bytes || rest.length != 2 * (size_t)SECRET_HASH_SIZE) return false;
	*head = slice_make(state.bytes, state.length - rest.length - 1);
	return true;
}

/* The call for which this state was given out, to this principal, for these params. */
static struct mcp_call *call_of(const struct mcp_wish *wish) {
	struct slice state = wish->request->request_state, head, mac;
	uint64_t numbers[3];
	char wanted[2 * SECRET_HASH_SIZE + 1];
	if (!slice_starts_with(state, STATE) || !read_state(state, numbers, &head, &mac)) return NULL;
	struct mcp_call *call = find(wish, numbers[0]);
	if (!call || numbers[1] != call->round || (int64_t)numbers[2] < clock_wall_ms()) return NULL;
	/* What this request is bound to has to give the same MAC. */
	struct mcp_call asked = {.face = wish->face, .principal = wish->principal, .target = wish->target, .method = wish->request->message.method};
	if (!mcp_held_bind(&asked, wish->request) || !sign(&asked, head, wanted)) return NULL;
	return secret_equal(wanted, mac.bytes, mac.length) ? call : NULL;
}

bool mcp_held_is_known(const struct mcp_wish *wish) { return call_of(wish) != NULL; }

static void refuse(const struct mcp_wish *wish) {
	struct mcp_stream_user user = {0};
	AUTO_TEXT struct text message = {0};
	text_init(&message, 0);
	jsonrpc_write_error(&message, wish->request->message.id.text, JSONRPC_INVALID_PARAMS,
		SLICE("requestState is not one that was given out for this request, or it has expired: "
		      "call again without it"),
		SLICE("{\"type\":\"bad_request_state\"}"));
	mcp_stream_join(wish->stream, &user, NULL);
	mcp_stream_finish(&user, 200, text_slice(&message));
}

static void gone(struct mcp_stream_user *user) {
	struct mcp_call *call = CONTAINER_OF(user, struct mcp_call, user);
	call->answerer->cancel(call, &call->ask, "the client closed the stream");
	mcp_call_free(call);
}

void mcp_held_resume(const struct mcp_wish *wish) {
	const struct mcp_request *request = wish->request;
	struct mcp_call *call = call_of(wish);
	char *id = call ? slice_copy(request->message.id.text) : NULL;
	if (!call || !id) {
		refuse(wish);
		return;
	}
	free(call->id);
	call->id = id;
	call->state = MCP_CALL_RUNNING;
	deadline_clear(&call->expiry);
	mcp_stream_join(wish->stream, &call->user, gone);
	if (request->input_responses.type == SCAN_OBJECT)
		call->responses = slice_copy(request->input_responses.text);
	free(call->token); /* of a request that is over */
	call->token = request->progress_token.type ? slice_copy(request->progress_token.text) : NULL;
	if (call->late) {
		bool is_fault = call->late->why.code != FAULT_NONE;
		mcp_call_answer(call, is_fault ? NULL : &call->late->answer, is_fault ? &call->late->why : NULL);
		return;
	}
	call->answerer->extend(call, &call->ask, 0);
	if (mcp_question_settle(call)) mcp_held_park(call);
}
