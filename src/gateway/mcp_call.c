/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_call: asked, told of, answered. */
#include "gateway/mcp_call_parts.h"

#include "gateway/mcp_admitted.h"
#include "gateway/mcp_result.h"
#include "mcp/mcp_reply.h"

#include <stdio.h>
#include <stdlib.h>

bool mcp_call_is_modern(const struct mcp_call *call) { return call->session == NULL; }

bool mcp_call_may_hear(struct mcp_call *call) {
	return mcp_is_admitted(call->face->gateway, call->principal, &call->admitted_at);
}

void mcp_call_free(struct mcp_call *call) {
	if (call->is_gone) *call->is_gone = true;
	mcp_question_free_all(call);
	deadline_clear(&call->settle);
	deadline_clear(&call->expiry);
	task_clear(&call->leaves);
	list_remove(&call->link);
	mcp_session_drop(call->session);
	principal_drop(call->principal);
	text_finish(&call->keys);
	free(call->responses);
	free(call->late);
	free(call->early);
	free(call->id);
	free(call->token);
	call->face->call_count--;
	free(call);
}

/* A message that could not be written is an answer nonetheless. The connection's next request may
 * be handled in here: it must not find this call any more. */
static void finish(struct mcp_call *call, unsigned status, struct text *message) {
	if (call->authorization[0]) {
		mcp_call_resolve(call, message);
		return;
	}
	list_remove(&call->link);
	if (text_failed(message)) {
		text_clear(message);
		jsonrpc_write_error(message, slice_of(call->id), JSONRPC_INTERNAL_ERROR,
			SLICE("no memory for the answer: try again"), JSONRPC_PLAIN);
	}
	mcp_stream_finish(&call->user, status, text_slice(message));
	mcp_call_free(call);
}

void mcp_call_refuse(struct mcp_call *call, int64_t code, struct slice message, struct slice data) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	jsonrpc_write_error(&text, slice_of(call->id), code, message, data);
	finish(call, mcp_result_status(code, mcp_call_is_modern(call)), &text);
}

/* MCP 2026-07-28: what a request needs and its client did not declare. */
static bool refuse_lacking(struct mcp_call *call, const struct hosted_answer *answer) {
	if (!mcp_call_is_modern(call) || !answer->lacking) return false;
	if (answer->result.bytes && !mcp_reply_is_error(answer->result)) return false;
	AUTO_TEXT struct text data = {0};
	text_init(&data, 0);
	text_add_cstr(&data, "{\"requiredCapabilities\":");
	mcp_request_write_abilities(&data, answer->lacking);
	text_add_char(&data, '}');
	mcp_call_refuse(call, MCP_MISSING_CAPABILITY,
		SLICE("the request needs a capability that the client did not declare"), text_slice(&data));
	return true;
}

struct slice mcp_call_server_info(const struct mcp_call *call) {
	if (call->late) return SLICE_NONE; /* who answered may be gone by now */
	return call->answerer->server_info(call->who, call->answerer->era_for(call->who, call->ask.era));
}

static void write_error(struct mcp_call *call, const struct hosted_answer *answer, struct text *to,
	unsigned *status) {
	int64_t code = answer->code;
	AUTO_TEXT struct text uri = {0};
	text_init(&uri, 0);
	struct slice data = answer->data;
	/* An unknown resource has a code of its own up to 2025-11-25; later its uri is said. */
	bool is_unknown = code == -32002 || (code == JSONRPC_INVALID_PARAMS && !data.bytes);
	if (mcp_call_is_modern(call) && is_unknown && slice_is(call->method, "resources/read")) {
		code = JSONRPC_INVALID_PARAMS;
		text_add_cstr(&uri, "{\"uri\":");
		text_json(&uri, call->name);
		text_add_char(&uri, '}');
		data = text_slice(&uri);
	}
	*status = mcp_result_status(code, mcp_call_is_modern(call));
	jsonrpc_write_error(to, slice_of(call->id), code, answer->message, data);
}

/* A large result is not copied to be put between its braces. */
static void finish_with_result(struct mcp_call *call, struct slice result) {
	AUTO_TEXT struct text start = {0};
	text_init(&start, 0);
	struct slice rest = mcp_result_begin(&start, slice_of(call->id), result, mcp_call_is_modern(call),
		call->method, mcp_call_server_info(call));
	const struct exchange_body message = {text_slice(&start), rest, SLICE("}")};
	if (call->authorization[0]) {
		text_add(&start, rest);
		text_add_char(&start, '}');
	}
	if (text_failed(&start) || call->authorization[0]) {
		finish(call, 200, &start);
		return;
	}
	list_remove(&call->link);
	mcp_stream_finish_in_pieces(&call->user, 200, &message);
	mcp_call_free(call);
}

void mcp_call_answer(struct mcp_call *call, const struct hosted_answer *answer,
	const struct fault *why) {
	AUTO_TEXT struct text message = {0};
	unsigned status = 200;
	text_init(&message, 0);
	if (call->state == MCP_CALL_HELD && mcp_held_keep(call, answer, why)) return;
	if (!mcp_stream_is_used(&call->user) && !call->authorization[0]) {
		mcp_call_free(call);
		return;
	}
	if (!mcp_call_may_hear(call)) {
		mcp_call_refuse(call, JSONRPC_INTERNAL_ERROR, SLICE("the token has expired or was revoked"), JSONRPC_PLAIN);
		return;
	}
	if (why) mcp_result_write_fault(&message, slice_of(call->id), why);
	else if (refuse_lacking(call, answer)) return;
	else if (answer->result.bytes) {
		finish_with_result(call, answer->result);
		return;
	} else write_error(call, answer, &message, &status);
	finish(call, status, &message);
}

struct slice mcp_call_id(const struct mcp_call *call) {
	return slice_of(call->id);
}
const struct principal *mcp_call_principal(const struct mcp_call *call) { return call->principal; }
struct slice mcp_call_session(const struct mcp_call *call) {
	return call->session ? slice_of(call->session->id) : SLICE_NONE;
}
struct mgp_agreed mcp_call_mgp(const struct mcp_call *call) {
	return call->mgp;
}
void mcp_call_set(struct mcp_call *call, void *errand) { call->errand = errand; }
void *mcp_call_errand(const struct mcp_call *call) { return call->errand; }

/* ---- From its start to its end ---- */

static void gone(struct mcp_stream_user *user) {
	struct mcp_call *call = CONTAINER_OF(user, struct mcp_call, user);
	mcp_call_keep_up(call);
	if (!mcp_call_is_modern(call)) return;
	call->answerer->cancel(call, &call->ask, "the client closed the stream");
	mcp_call_free(call);
}

static struct slice put(char **at, struct slice from) {
	struct slice copy = {*at, from.length};
	if (from.length) memcpy(*at, from.bytes, from.length);
	*at += from.length;
	return copy;
}

static struct mcp_call *make(const struct mcp_wish *wish) {
	const struct mcp_request *request = wish->request;
	struct slice method = request->message.method;
	struct mcp_call *call =
		calloc(1, sizeof *call + method.length + request->name.length + wish->target.length);
	char *id = slice_copy(request->message.id.text);
	char *token = request->progress_token.type ? slice_copy(request->progress_token.text) : NULL;
	if (!call || !id || (request->progress_token.type && !token)) {
		free(call);
		free(id);
		free(token);
		return NULL;
	}
	char *at = (char *)(call + 1);
	call->method = put(&at, method);
	call->name = put(&at, request->name);
	call->target = put(&at, wish->target);
	call->id = id;
	call->token = token;
	call->face = wish->face;
	call->answerer = wish->answerer;
	call->who = wish->who;
	call->principal = principal_keep(wish->principal);
	call->mgp = wish->mgp;
	call->session = wish->session;
	if (call->session) mcp_session_keep(call->session);
	list_init(&call->questions);
	text_init(&call->keys, 64 * 1024);
	call->face->call_count++;
	call->number = ++wish->face->last_number;
	call->admitted_at = call->began_at = loop_now(wish->face->gateway->loop);
	call->user.drained = mcp_call_drained;
	list_append(&wish->face->calls, &call->link);
	return call;
}

/* A server that knows no inputResponses gets none. */
static bool leave_input_out(const struct mcp_wish *wish, struct slice params, struct text *to) {
	const struct scan_value value = {.text = params, .type = SCAN_OBJECT};
	struct scan_walk walk;
	struct scan_member member;
	const char *before = "{";
	for (scan_open(&walk, &value); scan_next(&walk, &member);) {
		if (scan_key_is(&member, "inputResponses") || scan_key_is(&member, "requestState")) continue;
		text_printf(to, "%s\"%.*s\":", before, SLICE_ARGS(member.key));
		text_add(to, member.value.text);
		before = ",";
	}
	text_add_cstr(to, before[0] == '{' ? "{}" : "}");
	return !text_failed(to) && wish->request != NULL;
}

static bool prepare(struct mcp_call *call, const struct mcp_wish *wish, struct text *params) {
	const struct mcp_request *request = wish->request;
	const struct mcp_session *session = wish->session;
	struct hosted_ask *ask = &call->ask;
	bool is_bridged = !session && call->answerer->era_for(call->who, HOSTED_MODERN) == HOSTED_LEGACY;
	ask->method = call->method;
	ask->params = wish->params.bytes ? wish->params : request->params;
	ask->principal = call->principal->id;
	ask->era = session ? HOSTED_LEGACY : HOSTED_MODERN;
	ask->takes_input = !session;
	ask->session = session ? slice_of(session->id) : SLICE_NONE;
	ask->abilities = session ? session->abilities : mcp_request_abilities(request->capabilities);
	ask->client_info = request->client_info;
	ask->trace = request->trace;
	ask->log_level = session ? slice_of(session->log_level) : request->log_level;
	if (is_bridged && request->input_responses.type != SCAN_NONE) {
		if (!leave_input_out(wish, ask->params, params)) return false;
		ask->params = text_slice(params);
	}
	if (is_bridged && request->input_responses.type == SCAN_OBJECT) {
		call->responses = slice_copy(request->input_responses.text);
		if (!call->responses) return false;
	}
	call->can_be_held = !session && ask->abilities;
	/* What can be asked, by a callback too, is asked of one call alone. */
	if (is_bridged && (call->can_be_held || (call->mgp.extensions & MGP_BIDIRECTIONAL))) {
		snprintf(call->alone, sizeof call->alone, "call-%llu", (unsigned long long)call->number);
		ask->session = slice_of(call->alone);
	}
	return !call->can_be_held || mcp_held_bind(call, request);
}

static void answer_fault(const struct mcp_wish *wish, const struct fault *why) {
	struct mcp_stream_user user = {0};
	AUTO_TEXT struct text message = {0};
	text_init(&message, 0);
	mcp_result_write_fault(&message, wish->request->message.id.text, why);
	mcp_stream_join(wish->stream, &user, NULL);
	mcp_stream_finish(&user, 200, text_slice(&message));
}

static bool has_room(const struct mcp_wish *wish, struct fault *why) {
	const struct mcp_face *face = wish->face;
	size_t own = 0;
	if (face->call_count < MCP_CALLS_OF_ONE) return true;
	LIST_EACH(link, &face->calls)
		own += slice_equal(CONTAINER_OF(link, struct mcp_call, link)->principal->id, wish->principal->id);
	if (own < MCP_CALLS_OF_ONE && face->call_count < MCP_CALLS) return true;
	return fault_set(why, FAULT_FULL, "too many requests are under way: try again later");
}

void mcp_call_start(const struct mcp_wish *wish) {
	bool is_held = !wish->session && wish->request->request_state.bytes &&
		(wish->answerer->era_for(wish->who, HOSTED_MODERN) == HOSTED_LEGACY || mcp_held_is_known(wish));
	struct fault why = {.code = FAULT_NO_MEMORY, .text = "no memory for the request: try again"};
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	if (is_held) {
		mcp_held_resume(wish);
		return;
	}
	struct mcp_call *call = has_room(wish, &why) ? make(wish) : NULL;
	if (call && prepare(call, wish, &params) && call->answerer->start(call, call->who, &call->ask, &why)) {
		mcp_stream_join(wish->stream, &call->user, gone);
		return;
	}
	if (call) mcp_call_free(call);
	answer_fault(wish, &why);
}

void mcp_call_cancel(struct mcp_face *face, const struct mcp_session *session, struct slice id) {
	LIST_EACH_SAFE(link, &face->calls) {
		struct mcp_call *call = CONTAINER_OF(link, struct mcp_call, link);
		if (call->session != session || !slice_is(id, call->id)) continue;
		call->answerer->cancel(call, &call->ask, "the client cancelled");
		list_remove(&call->link);
		mcp_stream_finish(&call->user, 200, SLICE_NONE);
		mcp_call_free(call);
		return;
	}
}

/* A principal's modern clients are not told apart: an id that two of them have is nobody's. */
struct hosted_ask *mcp_call_find(struct mcp_face *face, const struct mcp_session *session,
	const struct principal *principal, struct slice target, struct slice id) {
	struct hosted_ask *found = NULL;
	LIST_EACH(link, &face->calls) {
		struct mcp_call *call = CONTAINER_OF(link, struct mcp_call, link);
		if (call->session != session || call->answerer != &mcp_call_servers || call->state != MCP_CALL_RUNNING ||
			!slice_is(id, call->id) || !slice_equal(call->target, target) ||
			!slice_equal(call->principal->id, principal->id))
			continue;
		if (found) return NULL;
		found = &call->ask;
	}
	return found;
}

static void give_up(struct mcp_call *call) {
	if (!call->late) call->answerer->cancel(call, &call->ask, "the session ended");
	mcp_call_refuse(call, JSONRPC_INTERNAL_ERROR, SLICE("the session ended"), JSONRPC_PLAIN);
}

void mcp_call_end_session(struct mcp_face *face, const struct mcp_session *session) {
	struct link *link = face->calls.next;
	while (link != &face->calls) {
		struct mcp_call *call = CONTAINER_OF(link, struct mcp_call, link);
		link = link->next;
		if (call->session != session) continue;
		give_up(call);
		link = face->calls.next; /* whatever was handled meanwhile */
	}
}

void mcp_call_end_all(struct mcp_face *face) {
	while (!list_is_empty(&face->calls))
		give_up(CONTAINER_OF(face->calls.next, struct mcp_call, link));
}
