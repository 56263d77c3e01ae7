/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_question: what a server asks during a call, brought to its client in the client's era. */
#include "gateway/mcp_call_parts.h"

#include <stdio.h>
#include <stdlib.h>

#define ID "hustings-" /* of our requests toward legacy clients */

static struct mcp_call *call_of(struct hosted_ask *ask) { return ask->context; }

static void release(struct mcp_question *question) {
	list_remove(&question->link);
	free(question);
}

void mcp_question_free_all(struct mcp_call *call) {
	while (!list_is_empty(&call->questions))
		release(CONTAINER_OF(call->questions.next, struct mcp_question, link));
}

static struct mcp_question *make(struct mcp_call *call, struct hosted_question *question,
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

static void refuse(struct mcp_question *one, const char *why) {
	hosted_question_refuse(one->question, JSONRPC_INTERNAL_ERROR, slice_of(why), SLICE_NONE);
	release(one);
}

static void pass_on(struct mcp_call *call, struct mcp_question *one) {
	AUTO_TEXT struct text message = {0};
	char id[48];
	int length = snprintf(id, sizeof id, "\"" ID "%llu\"", (unsigned long long)one->number);
	text_init(&message, 0);
	jsonrpc_write_request(&message, slice_make(id, (size_t)length), one->method, one->params);
	if (text_failed(&message) || !mcp_stream_say(&call->user, text_slice(&message), false)) {
		refuse(one, "the client cannot be asked: it takes no events, or is gone");
		return;
	}
	hosted_ask_extend(&call->ask, MCP_HELD_MS);
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
			struct hosted_question *question = one->question;
			release(one);
			hosted_ask_extend(&call->ask, HOSTED_CALL_MS);
			if (message->kind == JSONRPC_RESULT) hosted_question_answer(question, message->result.text);
			else {
				struct scan_value data = {.type = SCAN_NONE};
				if (!scan_find(&message->error, "data", &data)) data.text = SLICE_NONE;
				hosted_question_refuse(question, message->code, message->message, data.text);
			}
			return true;
		}
	}
	return false;
}

/* ---- Toward modern clients: one answer with all questions of this pass ---- */

static bool is_used(const struct mcp_call *call, const char *key) {
	char line[96];
	int length = snprintf(line, sizeof line, "%s\n", key);
	return call->keys.length && memmem(call->keys.bytes, call->keys.length, line, (size_t)length);
}

/* What a form with one field asks the user for, as far as it makes a plain key. */
static bool field_key(const struct mcp_question *one, char *key, size_t size) {
	const struct scan_value params = {.text = one->params, .type = SCAN_OBJECT};
	struct scan_value schema, properties;
	struct scan_walk walk;
	struct scan_member member;
	if (!scan_find(&params, "requestedSchema", &schema) ||
		!scan_find(&schema, "properties", &properties) || properties.type != SCAN_OBJECT ||
		scan_count(&properties) != 1)
		return false;
	scan_open(&walk, &properties);
	if (!scan_next(&walk, &member) || member.key.length > 48) return false;
	for (size_t i = 0; i < member.key.length; i++) {
		char c = member.key.bytes[i];
		bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
		if (!is_plain) return false;
	}
	snprintf(key, size, "user_%.*s", SLICE_ARGS(member.key));
	return true;
}

/* A key says what is asked for, and never comes twice in a call: an answer that a client sends again
 * must not answer the next question. */
static void name_key(struct mcp_call *call, struct mcp_question *one) {
	char key[64];
	if (slice_is(one->method, "roots/list")) snprintf(key, sizeof key, "client_roots");
	else if (slice_is(one->method, "sampling/createMessage")) snprintf(key, sizeof key, "sampling");
	else if (!field_key(one, key, sizeof key)) snprintf(key, sizeof key, "elicitation");
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
	LIST_EACH_SAFE(link, &call->questions) {
		struct mcp_question *one = CONTAINER_OF(link, struct mcp_question, link);
		if (!call->responses || !scan_find(&responses, one->key, &response)) continue;
		if (!is_sound(one, &response)) continue;
		struct hosted_question *question = one->question;
		release(one);
		hosted_question_answer(question, response.text);
	}
	return !list_is_empty(&call->questions);
}

static void settle(struct task *task) {
	struct mcp_call *call = CONTAINER_OF(task, struct mcp_call, settle);
	if (call->state == MCP_CALL_RUNNING && mcp_question_settle(call)) mcp_held_park(call);
}

void mcp_question_asked(struct hosted_ask *ask, struct hosted_question *question,
	struct slice method, const struct scan_value *params) {
	struct mcp_call *call = call_of(ask);
	struct mcp_question *one = make(call, question, method, params);
	if (!one) {
		hosted_question_refuse(question, JSONRPC_INTERNAL_ERROR,
			SLICE("no memory for the question"), SLICE_NONE);
		return;
	}
	if (!mcp_call_is_modern(call)) {
		pass_on(call, one);
		return;
	}
	name_key(call, one);
	if (!call->can_be_held || text_failed(&call->keys))
		refuse(one, "the client cannot be asked during this request");
	else
		loop_later(call->face->gateway->loop, &call->settle, settle);
}

void mcp_question_withdrawn(struct hosted_ask *ask, struct hosted_question *question) {
	struct mcp_call *call = call_of(ask);
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
