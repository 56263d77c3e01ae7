/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_question: what a server asks during a call, brought to its client in the client's era. */
#include "gateway/mcp_call_parts.h"

#include "mcp/mgp_callback.h"

#include <stdio.h>
#include <stdlib.h>

#define ID "hustings-" /* of our requests toward legacy clients */
#define GATHER_MS 25   /* a server that asks several things at once writes them one after the other */

static void release(struct mcp_question *question) {
	list_remove(&question->link);
	free(question);
}

void mcp_question_free_all(struct mcp_call *call) {
	while (!list_is_empty(&call->questions))
		release(CONTAINER_OF(call->questions.next, struct mcp_question, link));
}

static struct mcp_question *make(struct mcp_call *call, void *question,
	struct slice method, const struct scan_value *params) {
	struct slice text = params->type == SCAN_OBJECT ? params->text : SLICE("{}");
	struct mcp_question *one = calloc(1, sizeof *one + method.length + text.length);
	if (!one) return NULL;
	char *at = (char *)(one + 1);
	memcpy(at, method.bytes, method.length);
	memcpy(at + method.length, text.bytes, text.length);
	one->method = slice_make(at, method.length);
	one->params = slice_make(at + method.length, text.length);
	one->question = question;
	one->number = ++call->face->last_number;
	list_append(&call->questions, &one->link);
	return one;
}

/* ---- Toward legacy clients: a request on the stream ---- */

/* The call may end with that. */
static void refuse(const struct mcp_call *call, struct mcp_question *one, const char *why) {
	void *question = one->question;
	release(one);
	call->answerer->refuse(question, JSONRPC_INTERNAL_ERROR, slice_of(why), JSONRPC_PLAIN);
}

static void pass_on(struct mcp_call *call, struct mcp_question *one) {
	AUTO_TEXT struct text message = {0};
	char id[48];
	int length = snprintf(id, sizeof id, "\"" ID "%llu\"", (unsigned long long)one->number);
	text_init(&message, 0);
	jsonrpc_write_request(&message, slice_make(id, (size_t)length), one->method, one->params);
	if (text_failed(&message) || !mcp_stream_say(&call->user, text_slice(&message), false)) {
		refuse(call, one, "the client cannot be asked: it takes no events, or is gone");
		return;
	}
	call->answerer->extend(call, &call->ask, MCP_HELD_MS);
}

bool mcp_call_answered(struct mcp_face *face, const struct mcp_session *session,
	const struct jsonrpc *message) {
	LIST_EACH(link, &face->calls) {
		struct mcp_call *call = CONTAINER_OF(link, struct mcp_call, link);
		if (call->session != session) continue;
		LIST_EACH(inner, &call->questions) {
			struct mcp_question *one = CONTAINER_OF(inner, struct mcp_question, link);
			char id[48];
			snprintf(id, sizeof id, "\"" ID "%llu\"", (unsigned long long)one->number);
			if (!slice_is(message->id.text, id)) continue;
			void *question = one->question;
			release(one);
			if (list_is_empty(&call->questions)) call->answerer->extend(call, &call->ask, 0);
			if (message->kind == JSONRPC_RESULT) call->answerer->answer(question, message->result.text);
			else {
				struct scan_value data = {.type = SCAN_NONE};
				if (!scan_find(&message->error, "data", &data)) data.text = SLICE_NONE;
				call->answerer->refuse(question, message->code, message->message, data.text);
			}
			return true;
		}
	}
	return false;
}

/* ---- Toward modern clients: one answer with all questions that come together ---- */

static bool is_used(const struct mcp_call *call, const char *key) {
	char line[96];
	int length = snprintf(line, sizeof line, "%s\n", key);
	return call->keys.length && memmem(call->keys.bytes, call->keys.length, line, (size_t)length);
}

/* The names of a form's fields, as far as they fit and in plain letters: "name_age". */
static void write_fields(const struct mcp_question *one, char *to, size_t size) {
	const struct scan_value params = {.text = one->params, .type = SCAN_OBJECT};
	struct scan_value properties;
	struct scan_walk walk;
	struct scan_member member;
	size_t length = 0;
	if (!scan_path(&params, &properties, "requestedSchema", "properties", NULL) ||
		properties.type != SCAN_OBJECT)
		return;
	for (scan_open(&walk, &properties); scan_next(&walk, &member);) {
		if (length + 1 + member.key.length >= size) break;
		if (length) to[length++] = '_';
		for (size_t i = 0; i < member.key.length; i++) {
			char c = member.key.bytes[i];
			bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
			to[length++] = is_plain ? c : '_';
		}
		to[length] = '\0';
	}
}

/* A key says who is asked for what: "user_name_age", "model_message", "client_roots". None comes twice
 * in a call: an answer that a client sends again must not answer the next question. */
static void name_key(struct mcp_call *call, struct mcp_question *one) {
	char fields[48] = "input", key[64];
	if (slice_is(one->method, "roots/list")) snprintf(key, sizeof key, "client_roots");
	else if (slice_is(one->method, "sampling/createMessage")) snprintf(key, sizeof key, "model_message");
	else {
		write_fields(one, fields, sizeof fields);
		snprintf(key, sizeof key, "user_%s", fields);
	}
	snprintf(one->key, sizeof one->key, "%s", key);
	for (unsigned i = 2; is_used(call, one->key); i++)
		snprintf(one->key, sizeof one->key, "%s_%u", key, i);
	text_printf(&call->keys, "%s\n", one->key);
}

static bool has(const struct scan_value *object, const char *key, enum scan_type type) {
	struct scan_value value;
	return scan_find(object, key, &value) && value.type == type;
}

static bool is_sound(const struct mcp_question *one, const struct scan_value *response) {
	struct scan_value value;
	if (response->type != SCAN_OBJECT) return false;
	if (slice_is(one->method, "roots/list")) return has(response, "roots", SCAN_ARRAY);
	if (slice_is(one->method, "sampling/createMessage"))
		return has(response, "role", SCAN_STRING) && scan_find(response, "content", &value);
	return scan_find(response, "action", &value) &&
		(slice_is(value.text, "\"accept\"") || slice_is(value.text, "\"decline\"") ||
			slice_is(value.text, "\"cancel\""));
}

bool mcp_question_settle(struct mcp_call *call) {
	const struct scan_value responses = {.text = slice_of(call->responses), .type = SCAN_OBJECT};
	struct scan_value response;
	bool is_gone = false;
	call->is_gone = &is_gone;
	LIST_EACH_SAFE(link, &call->questions) {
		struct mcp_question *one = CONTAINER_OF(link, struct mcp_question, link);
		if (!call->responses || !scan_find(&responses, one->key, &response)) continue;
		if (!is_sound(one, &response)) continue;
		void *question = one->question;
		release(one);
		call->answerer->answer(question, response.text);
		if (is_gone) return false;
	}
	call->is_gone = NULL;
	return !list_is_empty(&call->questions);
}

static void settle(struct deadline *deadline) {
	struct mcp_call *call = CONTAINER_OF(deadline, struct mcp_call, settle);
	if (call->state == MCP_CALL_RUNNING && mcp_question_settle(call)) mcp_held_park(call);
}

void mcp_call_ask(struct mcp_call *call, void *question, struct slice method,
	const struct scan_value *params) {
	if (slice_is(method, MGP_CALLBACK)) {
		mcp_callback_ask(call, question, params);
		return;
	}
	struct mcp_question *one = mcp_call_may_hear(call) ? make(call, question, method, params) : NULL;
	if (!one) {
		call->answerer->refuse(question, JSONRPC_INTERNAL_ERROR,
			SLICE("the client cannot be asked: it lost its right to be here, or there is no memory"),
			JSONRPC_PLAIN);
		return;
	}
	if (!mcp_call_is_modern(call)) {
		pass_on(call, one);
		return;
	}
	name_key(call, one);
	if (!call->can_be_held || text_failed(&call->keys))
		refuse(call, one, "the client cannot be asked during this request");
	else
		deadline_set(call->face->gateway->loop, &call->settle, GATHER_MS, settle);
}

void mcp_call_withdraw(struct mcp_call *call, const void *question) {
	LIST_EACH_SAFE(link, &call->questions) {
		struct mcp_question *one = CONTAINER_OF(link, struct mcp_question, link);
		if (one->question != question) continue;
		if (!mcp_call_is_modern(call)) {
			char text[160];
			int length = snprintf(text, sizeof text,
				"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"" ID
				"%llu\"}}",
				(unsigned long long)one->number);
			mcp_stream_say(&call->user, slice_make(text, (size_t)length), true);
		}
		release(one);
	}
}
