/* SPDX-License-Identifier: Apache-2.0 */
/* Asking: questions go out with the pass they were asked in; replies come back by their key. */
#include "client/asking.h"

#include "base/secret.h"
#include "client/inquiry.h"
#include "client/library_call.h"

#include <stdio.h>
#include <stdlib.h>

static void tell(struct request_ask *ask, const struct peer_reply *reply, const struct fault *why) {
	struct hustings_call *call = calloc(1, sizeof *call);
	if (call) {
		list_init(&call->link);
		call->answered = ask->replied;
		call->context = ask->context;
	}
	ask->call = NULL;
	library_request_drop_ask(ask);
	if (call) library_call_answered(call, reply, why);
}

/* ---- Legacy ---- */

static void legacy_replied(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct fault own;
	fault_set(&own, FAULT_CLOSED, "the caller has gone");
	tell(context, reply, reply || why ? why : &own);
}

static bool ask_legacy(struct request_ask *ask, uint64_t deadline, struct fault *why) {
	struct hustings_request *request = ask->request;
	struct peer *peer = peer_question_peer(request->question);
	const struct peer_request asked = {
		.method = slice_of(ask->method),
		.params = slice_of(ask->params),
		.about = peer_question_tag(request->question),
		.deadline_ms = deadline,
		.answered = legacy_replied,
		.context = ask,
	};
	ask->is_sent = true;
	if (!peer) return fault_set(why, FAULT_CLOSED, "the caller has gone");
	ask->call = peer_ask(peer, &asked, why);
	return ask->call != NULL;
}

/* ---- Modern: out ---- */

static void caller_is_lost(struct deadline *deadline) {
	struct hustings_request *request = CONTAINER_OF(deadline, struct hustings_request, patience);
	struct fault why;
	bool is_gone = false;
	fault_set(&why, FAULT_CLOSED, "the caller did not come again");
	request->is_cancelled = true;
	request->state[0] = '\0';
	request->is_gone = &is_gone;
	if (request->cancelled) request->cancelled(request->context, request);
	while (!is_gone && !list_is_empty(&request->asks))
		tell(CONTAINER_OF(request->asks.next, struct request_ask, link), NULL, &why);
	if (is_gone) return;
	request->is_gone = NULL;
}

static void write_inputs(const struct hustings_request *request, struct text *to) {
	const char *comma = "";
	text_add_cstr(to, "{\"resultType\":\"input_required\",\"inputRequests\":{");
	LIST_EACH(link, &request->asks) {
		const struct request_ask *ask = CONTAINER_OF(link, struct request_ask, link);
		if (ask->reply.length) continue;
		text_printf(to, "%s\"%s\":{\"method\":", comma, ask->key);
		text_json(to, slice_of(ask->method));
		text_add_cstr(to, ",\"params\":");
		text_add_cstr(to, ask->params);
		text_add_char(to, '}');
		comma = ",";
	}
	text_printf(to, "},\"requestState\":\"%s\"}", request->state);
}

static void send_inputs(struct task *task) {
	struct hustings_request *request = CONTAINER_OF(task, struct hustings_request, flush);
	AUTO_TEXT struct text result = {0};
	uint8_t drawn[24];
	if (!request->question || list_is_empty(&request->asks)) return;
	ident_random(drawn, sizeof drawn);
	secret_hex(drawn, sizeof drawn, request->state);
	text_init(&result, 0);
	write_inputs(request, &result);
	LIST_EACH(link, &request->asks) CONTAINER_OF(link, struct request_ask, link)->is_sent = true;
	struct peer_question *question = TAKE(request->question);
	peer_question_set(question, NULL);
	deadline_set(request->hustings->loop, &request->patience, ASKING_PATIENCE_MS, caller_is_lost);
	if (text_failed(&result)) peer_refuse(question, JSONRPC_INTERNAL_ERROR, SLICE("no memory"), JSONRPC_PLAIN);
	else peer_answer(question, text_slice(&result));
}

static void overdue(struct deadline *deadline) {
	struct request_ask *ask = CONTAINER_OF(deadline, struct request_ask, deadline);
	struct fault why;
	fault_set(&why, FAULT_TIMEOUT, "no reply in time");
	tell(ask, NULL, &why);
}

/* ---- Modern: back ---- */

static struct hustings_request *find(const struct hustings *hustings, struct slice state) {
	LIST_EACH(link, &hustings->requests) {
		struct hustings_request *request = CONTAINER_OF(link, struct hustings_request, link);
		if (request->state[0] && state.length == REQUEST_STATE - 1 &&
			secret_equal(state.bytes, request->state, REQUEST_STATE - 1))
			return request;
	}
	return NULL;
}

static size_t held(const struct hustings *hustings) {
	size_t count = 0;
	LIST_EACH(link, &hustings->requests)
		count += CONTAINER_OF(link, struct hustings_request, link)->question == NULL;
	return count;
}

/* By its key. What was not asked is passed over. */
static void take_replies(struct hustings_request *request, const struct scan_value *responses) {
	struct scan_value value;
	LIST_EACH(link, &request->asks) {
		struct request_ask *ask = CONTAINER_OF(link, struct request_ask, link);
		if (ask->is_sent && scan_find(responses, ask->key, &value) && value.type == SCAN_OBJECT)
			text_add(&ask->reply, value.text);
	}
}

static struct request_ask *first_replied(const struct hustings_request *request) {
	LIST_EACH(link, &request->asks) {
		struct request_ask *ask = CONTAINER_OF(link, struct request_ask, link);
		if (ask->reply.length) return ask;
	}
	return NULL;
}

static void tell_replies(struct hustings_request *request) {
	bool is_gone = false;
	request->is_gone = &is_gone;
	for (struct request_ask *ask; !is_gone && (ask = first_replied(request));) {
		AUTO_TEXT struct text reply = ask->reply;
		ask->reply = (struct text){0};
		const struct peer_reply told = {.result = text_slice(&reply)};
		tell(ask, &told, NULL);
	}
	if (is_gone) return;
	request->is_gone = NULL;
	if (!list_is_empty(&request->asks))
		loop_later(request->hustings->loop, &request->flush, send_inputs);
}

static void resume(struct hustings_request *request, const struct caller *caller,
	struct peer_question *question, const struct scan_value *responses) {
	deadline_clear(&request->patience);
	request->state[0] = '\0';
	request->caller = *caller;
	request->question = question;
	peer_question_set(question, request);
	take_replies(request, responses);
	if (request->early.length) {
		AUTO_TEXT struct text early = request->early;
		request->early = (struct text){0};
		if (request->early_code) library_request_refuse(request, request->early_code, early.bytes);
		else library_request_answer(request, text_slice(&early));
	} else
		tell_replies(request);
}

static struct request_ask *any(const struct hustings *hustings) {
	LIST_EACH(link, &hustings->requests) {
		struct hustings_request *request = CONTAINER_OF(link, struct hustings_request, link);
		request->is_cancelled = true;
		if (!list_is_empty(&request->asks)) return CONTAINER_OF(request->asks.next, struct request_ask, link);
	}
	return NULL;
}

void asking_finish(struct hustings *hustings) {
	struct fault why;
	fault_set(&why, FAULT_CLOSED, "the caller has gone");
	for (struct request_ask *ask; (ask = any(hustings));) {
		struct peer_call *call = TAKE(ask->call);
		if (call) peer_cancel(call, SLICE("we are leaving"));
		tell(ask, NULL, &why);
	}
}

bool asking_resume(struct hustings *hustings, const struct caller *caller,
	struct peer_question *question, const struct jsonrpc *request, struct slice name) {
	char lent[256];
	struct arena arena;
	struct scan_value value, responses;
	struct slice state = SLICE_NONE;
	if (!caller->is_modern || !scan_find(&request->params, "requestState", &value)) return false;
	if (!scan_find(&request->params, "inputResponses", &responses)) responses.type = SCAN_NONE;
	arena_init(&arena, lent, sizeof lent, 0);
	struct hustings_request *held_one = NULL;
	if (scan_string(&value, &arena, &state)) held_one = find(hustings, state);
	arena_finish(&arena);
	if (held_one && slice_is(name, held_one->name)) resume(held_one, caller, question, &responses);
	else
		peer_refuse(question, JSONRPC_INVALID_PARAMS,
			SLICE("params.requestState is none of ours, or its time is over: ask without it"), JSONRPC_PLAIN);
	return true;
}

/* ---- Asking ---- */

static bool can(const struct hustings_request *request, const char *method,
	const struct scan_value *params, struct fault *why) {
	enum inquiry_kind kind;
	if (!inquiry_kind_of(slice_of(method), params, &kind))
		return fault_set(why, FAULT_BAD_INPUT, "method: callers are not asked back by that");
	return (request->caller.abilities & (1U << kind)) ||
		fault_set(why, FAULT_UNSUPPORTED, "the caller cannot be asked back: %s", method);
}

static bool is_key(const struct hustings_request *request, const char *key, struct fault *why) {
	size_t length = strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
	if (!length || length > REQUEST_KEY || key[length])
		return fault_set(why, FAULT_BAD_INPUT, "key: 1 to %d of ASCII letters, digits and _-", REQUEST_KEY);
	LIST_EACH(link, &request->asks)
		if (strcmp(CONTAINER_OF(link, struct request_ask, link)->key, key) == 0)
			return fault_set(why, FAULT_EXISTS, "key: that question is open already");
	return true;
}

static struct request_ask *make(struct hustings_request *request, const char *key,
	const char *method, struct slice params, struct fault *why) {
	char number[16];
	snprintf(number, sizeof number, "%u", ++request->ask_count);
	if (!is_key(request, key ? key : number, why)) return NULL;
	struct request_ask *ask = calloc(1, sizeof *ask);
	if (!ask) return fault_null(why, FAULT_NO_MEMORY, "no memory for a question");
	ask->request = request;
	snprintf(ask->key, sizeof ask->key, "%s", key ? key : number);
	text_init(&ask->reply, 0);
	list_append(&request->asks, &ask->link);
	ask->method = slice_copy(slice_of(method));
	ask->params = slice_copy(params);
	if (ask->method && ask->params) return ask;
	library_request_drop_ask(ask);
	return fault_null(why, FAULT_NO_MEMORY, "no memory for a question");
}

static bool start(struct request_ask *ask, uint64_t deadline, struct fault *why) {
	struct hustings_request *request = ask->request;
	uint64_t patience = deadline && deadline < ASKING_PATIENCE_MS ? deadline : ASKING_PATIENCE_MS;
	if (!request->caller.is_modern) return ask_legacy(ask, patience, why);
	if (held(request->hustings) >= ASKING_HELD)
		return fault_set(why, FAULT_FULL, "%d callers are asked back already", ASKING_HELD);
	deadline_set(request->hustings->loop, &ask->deadline, patience, overdue);
	loop_later(request->hustings->loop, &request->flush, send_inputs);
	return true;
}

bool hustings_ask_back(struct hustings_request *request, const char *key, const char *method,
	const char *params, uint64_t deadline, hustings_answered *replied, void *context,
	struct hustings_error *error) {
	struct fault why;
	struct scan_value root;
	struct scan_fault fault;
	const char *object = params ? params : "{}";
	bool is_sound = scan_check(slice_of(object), SCAN_DEPTH - 8, &root, &fault) && root.type == SCAN_OBJECT;
	if (!is_sound) fault_set(&why, FAULT_BAD_INPUT, "params: JSON text of an object is due");
	if (!is_sound || !can(request, method, &root, &why)) return library_error(error, &why);
	if (request->is_cancelled || (!request->question && !request->caller.is_modern)) {
		fault_set(&why, FAULT_CLOSED, "the caller has gone");
		return library_error(error, &why);
	}
	struct request_ask *ask = make(request, key, method, root.text, &why);
	if (!ask) return library_error(error, &why);
	ask->replied = replied;
	ask->context = context;
	if (start(ask, deadline, &why)) return true;
	library_request_drop_ask(ask);
	return library_error(error, &why);
}

bool hustings_elicit(struct hustings_request *request, const char *message, const char *schema,
	uint64_t deadline, hustings_answered *replied, void *context, struct hustings_error *error) {
	AUTO_TEXT struct text params = {0};
	struct fault why;
	text_init(&params, 0);
	text_add_cstr(&params, "{\"message\":");
	text_json(&params, slice_of(message));
	text_add_cstr(&params, ",\"requestedSchema\":");
	text_add_cstr(&params, schema);
	text_add_char(&params, '}');
	if (text_failed(&params)) {
		fault_set(&why, FAULT_NO_MEMORY, "no memory for a question");
		return library_error(error, &why);
	}
	return hustings_ask_back(request, NULL, "elicitation/create", params.bytes, deadline, replied,
		context, error);
}
