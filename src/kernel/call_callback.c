/* SPDX-License-Identifier: Apache-2.0 */
/* Call callback: asked, brought to somebody, answered once. */
#include "kernel/call_callback.h"

#include "kernel/call_audit.h"
#include "kernel/callbacks.h"
#include "mcp/mgp_form.h"
#include "wire/jsonrpc.h"

#include <stdio.h>
#include <stdlib.h>

#define FORM_MS (5 * 60 * 1000) /* a plain server's question, which names no time of its own */
#define SHOWN 3000              /* octets of a message in the inbox; all of it stands in the arguments */

enum via {
	VIA_CALLBACK,
	VIA_FORM,
	VIA_INBOX
};
static const char *const via_words[] = {"callback", "form", "inbox"};

struct call_callback {
	struct link link; /* of call->callbacks */
	struct call *call;
	struct hosted_question *question;
	struct callback open; /* toward a client */
	char id[sizeof((struct callback *)NULL)->id];
	enum via via;
	bool is_form;         /* the server asks by a form, and hears a form's result */
	struct mgp_form what; /* its slices lie in `params` */
	struct decision_asker waits;
	uint64_t ends_at;    /* loop ms */
	struct deadline due; /* of a form; a callback's is the question's own */
	bool *is_gone;       /* set when it is freed; may be NULL */
	char params[];
};

static const struct kernel_means *means_of(const struct call *call) { return call->governed->means; }
static struct call_callback *of_link(struct link *link) { return CONTAINER_OF(link, struct call_callback, link); }

static bool speaks(const struct call *call) {
	return (call->asker.mgp.extensions & MGP_BIDIRECTIONAL) && call->outer->events->questioned;
}

static bool takes_forms(const struct call *call) {
	return (call->outer->abilities & HOSTED_CAN_FORM) && call->outer->events->questioned;
}

/* ---- What is written down ---- */

static void audit(const struct call_callback *one, const char *outcome, struct slice response, struct slice by) {
	AUTO_TEXT struct text more = {0};
	text_init(&more, 0);
	text_printf(&more, ",\"callback_id\":\"%s\",\"type\":\"%s\",\"via\":\"%s\"", one->id,
		mgp_callback_word(one->what.callback.type), via_words[one->via]);
	if (outcome) text_printf(&more, ",\"outcome\":\"%s\"", outcome);
	if (response.length && one->what.callback.type != MGP_INPUT) {
		text_add_cstr(&more, ",\"response\":");
		text_add(&more, response);
	}
	struct slice result = !outcome ? SLICE("PENDING") : !strcmp(outcome, "answered") ? AUDIT_SUCCESS
		: !strcmp(outcome, "ended")                                              ? AUDIT_CANCELLED
											 : AUDIT_BLOCKED;
	call_audit_callback(one->call, outcome != NULL, result, by, text_failed(&more) ? SLICE_NONE : text_slice(&more));
}

/* ---- Over ---- */

static void keep_patience(const struct call_callback *one, uint64_t more_ms) {
	struct call *call = one->call;
	if (one->is_form && call->deadline_ms != UINT64_MAX) hosted_ask_extend(&call->inner, call->deadline_ms + more_ms);
}

static void release(struct call_callback *one, enum callback_state how) {
	const struct kernel_means *means = means_of(one->call);
	callbacks_end(means->callbacks, &one->open, how);
	/* What the inbox ends by itself in this moment is shown as expired. */
	if (loop_now(means->loop) >= one->ends_at) inbox_leave(means->inbox, &one->waits);
	else inbox_withdraw(means->inbox, &one->waits);
	deadline_clear(&one->due);
	if (one->question) hosted_question_set(one->question, NULL);
	list_remove(&one->link);
	if (one->is_gone) *one->is_gone = true;
	free(one);
}

/* `answer` is a callback's; `outcome` what is audited of it. The question ends, and with it perhaps the call. */
static void finish(struct call_callback *one, struct slice answer, const char *outcome, struct slice by) {
	struct hosted_question *question = one->question;
	const struct scan_value object = {.text = answer, .type = SCAN_OBJECT};
	struct scan_value response = {.type = SCAN_NONE}, reason;
	AUTO_TEXT struct text result = {0};
	char word[24] = "";
	text_init(&result, 0);
	(void)scan_find(&object, "response", &response);
	if (scan_find(&object, "reason", &reason) && reason.type == SCAN_STRING && reason.text.length > 2)
		snprintf(word, sizeof word, "%.*s", (int)reason.text.length - 2, reason.text.bytes + 1);
	audit(one, outcome ? outcome : word[0] ? word
					       : "answered",
		word[0] ? SLICE_NONE : response.text, by);
	if (one->is_form) mgp_form_result(&result, &one->what, &object);
	else text_add(&result, answer);
	keep_patience(one, 0);
	release(one, word[0] && !strcmp(word, "timeout") ? CALLBACK_EXPIRED : CALLBACK_ANSWERED);
	if (text_failed(&result))
		hosted_question_refuse(question, JSONRPC_INTERNAL_ERROR, SLICE("no memory for the answer"), JSONRPC_PLAIN);
	else hosted_question_answer(question, text_slice(&result));
}

/* The asker need not wait for an answer of its own. False: the call has ended in there. */
static bool take_back(struct call_callback *one) {
	struct hosted_ask *outer = one->call->outer;
	bool is_gone = false;
	if (one->via == VIA_INBOX || !outer->events->withdrawn) return true;
	one->is_gone = &is_gone;
	outer->events->withdrawn(outer, one->question);
	if (!is_gone) one->is_gone = NULL;
	return !is_gone;
}

static void overdue(struct deadline *deadline) {
	struct call_callback *one = CONTAINER_OF(deadline, struct call_callback, due);
	if (take_back(one)) finish(one, SLICE("{\"response\":null,\"reason\":\"timeout\"}"), "timeout", SLICE_NONE);
}

/* ---- The inbox ---- */

/* What a person has said; a yes without words is the first option. */
static void write_decided(const struct mgp_callback *callback, const struct decision *decision, struct text *to) {
	if (decision->state == DECISION_EXPIRED) mgp_callback_write_none(to, "timeout");
	else if (!decision_is_yes(decision)) mgp_callback_write_no(to, callback);
	else if (decision->answer.length) {
		text_add_cstr(to, "{\"response\":");
		text_add(to, decision->answer);
		text_add_char(to, '}');
	} else if (!mgp_callback_write_yes(to, callback)) mgp_callback_write_none(to, "invalid");
}

static void decided(struct decision_asker *asker, const struct decision *decision) {
	struct call_callback *one = CONTAINER_OF(asker, struct call_callback, waits);
	AUTO_TEXT struct text answer = {0};
	text_init(&answer, 0);
	write_decided(&one->what.callback, decision, &answer);
	if (text_failed(&answer)) {
		text_clear(&answer);
		mgp_callback_write_none(&answer, "unavailable");
	}
	finish(one, text_failed(&answer) ? SLICE("{\"response\":null,\"reason\":\"unavailable\"}") : text_slice(&answer),
		NULL, decision->decided_by);
}

static bool ask_inbox(struct call_callback *one, struct fault *why) {
	const struct call *call = one->call;
	const struct mgp_callback *callback = &one->what.callback;
	const struct scan_value message = {.text = callback->message, .type = SCAN_STRING, .escaped = true};
	AUTO_TEXT struct text words = {0}, question = {0};
	struct arena arena;
	struct slice said = SLICE_NONE;
	text_init(&words, 0);
	text_init(&question, 0);
	arena_init(&arena, NULL, 0, 0);
	bool is_read = scan_string(&message, &arena, &said);
	text_printf(&words, "Server %.*s asks, for %.*s: %.*s", SLICE_ARGS(hosted_id(call->hosted)),
		SLICE_ARGS(call->asker.principal), (int)slice_cut(said, SHOWN), said.bytes ? said.bytes : "");
	arena_finish(&arena);
	mgp_callback_write(&question, callback, one->id);
	if (!is_read || text_failed(&words) || text_failed(&question))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for the question");
	const struct decision_wish wish = {
		.kind = DECISION_CALLBACK,
		.requester = call->asker.principal,
		.server = hosted_id(call->hosted),
		.tool = call->name,
		.message = text_slice(&words),
		.arguments = text_slice(&question),
		.ttl_ms = (int64_t)callback->timeout_ms,
	};
	one->waits.decided = decided;
	return inbox_ask(means_of(call)->inbox, &wish, &one->waits, why) != NULL;
}

/* A client that cannot be asked knows nothing of the question. */
static void to_inbox(struct call_callback *one) {
	struct hosted_question *question = one->question;
	struct fault why = {.code = FAULT_NOT_READY, .text = "nobody can be asked"};
	callbacks_end(means_of(one->call)->callbacks, &one->open, CALLBACK_EXPIRED);
	one->via = VIA_INBOX;
	if (means_of(one->call)->inbox && ask_inbox(one, &why)) {
		audit(one, NULL, SLICE_NONE, SLICE_NONE);
		return;
	}
	audit(one, "unavailable", SLICE_NONE, SLICE_NONE);
	keep_patience(one, 0);
	release(one, CALLBACK_EXPIRED);
	hosted_question_refuse(question, JSONRPC_METHOD_NOT_FOUND, slice_of(why.text), JSONRPC_PLAIN);
}

/* ---- The asker ---- */

static bool accepts(const struct callback *callback, const struct scan_value *response, struct fault *why) {
	const struct call_callback *one = CONTAINER_OF(callback, struct call_callback, open);
	bool is_no = response->type == SCAN_NULL && !one->what.callback.options.type;
	return is_no || mgp_callback_accepts(&one->what.callback, response, why);
}

static void respond(struct call_callback *one, const struct scan_value *response) {
	AUTO_TEXT struct text answer = {0};
	text_init(&answer, 0);
	if (response->type == SCAN_NULL) mgp_callback_write_no(&answer, &one->what.callback);
	else {
		text_add_cstr(&answer, "{\"response\":");
		text_add(&answer, response->text);
		text_add_char(&answer, '}');
	}
	if (text_failed(&answer)) finish(one, SLICE("{\"response\":null,\"reason\":\"unavailable\"}"), NULL, SLICE_NONE);
	else finish(one, text_slice(&answer), NULL, one->call->asker.principal);
}

static void responded(struct callback *callback, const struct scan_value *response) {
	struct call_callback *one = CONTAINER_OF(callback, struct call_callback, open);
	if (take_back(one)) respond(one, response);
}

/* It may be refused in there, and be gone. */
static void show(struct call_callback *one) {
	struct hosted_ask *outer = one->call->outer;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	if (one->via == VIA_CALLBACK) mgp_callback_write(&text, &one->what.callback, one->id);
	else mgp_form_write(&text, &one->what.callback);
	if (text_failed(&text)) {
		to_inbox(one);
		return;
	}
	const struct scan_value params = {.text = text_slice(&text), .type = SCAN_OBJECT};
	audit(one, NULL, SLICE_NONE, SLICE_NONE);
	outer->events->questioned(outer, one->question,
		one->via == VIA_CALLBACK ? SLICE(MGP_CALLBACK) : SLICE("elicitation/create"), &params);
}

/* ---- Asked ---- */

static bool read_question(struct call_callback *one, const struct scan_value *params, struct fault *why) {
	if (one->is_form && mgp_form_read(params, &one->what, why)) {
		one->what.callback.timeout_ms = FORM_MS;
		return true;
	}
	return !one->is_form && mgp_callback_read(params, &one->what.callback, why);
}

static struct call_callback *make(struct call *call, struct hosted_question *question, bool is_form,
	const struct scan_value *params, struct fault *why) {
	struct slice from = params->text;
	struct call_callback *one = calloc(1, sizeof *one + from.length);
	if (!one) return fault_null(why, FAULT_NO_MEMORY, "no memory for the question");
	if (from.length) memcpy(one->params, from.bytes, from.length);
	const struct scan_value kept = {.text = slice_make(one->params, from.length), .type = params->type};
	one->call = call;
	one->question = question;
	one->is_form = is_form;
	one->open = (struct callback){.principal = call->asker.principal, .accepts = accepts, .responded = responded};
	if (!read_question(one, &kept, why) || !callbacks_add(means_of(call)->callbacks, &one->open, why)) {
		free(one);
		return NULL;
	}
	memcpy(one->id, one->open.id, sizeof one->id);
	one->ends_at = loop_now(means_of(call)->loop) + one->what.callback.timeout_ms;
	hosted_question_set(question, one);
	list_append(&call->callbacks, &one->link);
	return one;
}

bool call_callback_asked(struct call *call, struct hosted_question *question, struct slice method,
	const struct scan_value *params) {
	bool is_callback = slice_is(method, MGP_CALLBACK);
	bool is_form = !is_callback && slice_is(method, "elicitation/create") && speaks(call) && !takes_forms(call);
	struct fault why;
	if (!is_callback && !is_form) return false;
	struct call_callback *one = make(call, question, is_form, params, &why);
	if (!one) {
		hosted_question_refuse(question, JSONRPC_INVALID_PARAMS, slice_of(why.text), JSONRPC_PLAIN);
		return true;
	}
	if (is_form) deadline_set(means_of(call)->loop, &one->due, FORM_MS, overdue);
	keep_patience(one, FORM_MS);
	one->via = speaks(call) ? VIA_CALLBACK : takes_forms(call) ? VIA_FORM
								   : VIA_INBOX;
	if (one->via != VIA_CALLBACK) callbacks_end(means_of(call)->callbacks, &one->open, CALLBACK_EXPIRED);
	if (one->via == VIA_INBOX) to_inbox(one);
	else show(one);
	return true;
}

bool call_callback_withdrawn(struct call *call, struct hosted_question *question) {
	struct call_callback *one = hosted_question_owner(question);
	if (!one) return true;
	bool is_known = one->via != VIA_INBOX;
	audit(one, loop_now(means_of(call)->loop) >= one->ends_at ? "timeout" : "withdrawn", SLICE_NONE, SLICE_NONE);
	release(one, CALLBACK_EXPIRED);
	return is_known;
}

/* Whether its level lets a word of level info through. */
static bool hears_info(const struct hosted_ask *ask) {
	if (!ask->log_level.length) return ask->era == HOSTED_LEGACY;
	return slice_is(ask->log_level, "info") || slice_is(ask->log_level, "debug");
}

void call_callback_told(struct call *call, const struct scan_value *params) {
	const struct hosted_ask_events *events = call->outer->events;
	struct mgp_callback callback;
	AUTO_TEXT struct text text = {0};
	char uuid[IDENT_UUID_SIZE], id[3 + IDENT_UUID_SIZE];
	if (!events->told || !mgp_callback_read(params, &callback, NULL)) return;
	ident_uuid(uuid);
	snprintf(id, sizeof id, "cb-%s", uuid);
	text_init(&text, 0);
	bool is_callback = call->asker.mgp.extensions & MGP_BIDIRECTIONAL;
	if (is_callback) mgp_callback_write(&text, &callback, id);
	else if (call->hears_info) mgp_callback_write_message(&text, &callback);
	if (text_failed(&text) || !text.length) return;
	const struct scan_value shown = {.text = text_slice(&text), .type = SCAN_OBJECT};
	events->told(call->outer, is_callback ? SLICE(MGP_CALLBACK_REQUEST) : SLICE("notifications/message"), &shown);
}

/* ---- A call's ---- */

/* Who knows callbacks can be asked a plain server's form. A modern server's comes to a modern asker as an answer,
 * which it could not read: it is turned into a question, unless there is something else that it could. */
void call_callbacks_begin(struct call *call) {
	struct hosted_ask *inner = &call->inner;
	bool is_passed_on = inner->takes_input && hosted_era_for(call->hosted, inner->era) == HOSTED_MODERN;
	list_init(&call->callbacks);
	call->hears_info = hears_info(call->outer);
	if (!call->outer->events->questioned) inner->abilities = 0;
	else if (speaks(call) && !(is_passed_on && inner->abilities)) {
		inner->abilities |= HOSTED_CAN_FORM;
		if (is_passed_on) inner->takes_input = false;
	}
}

uint64_t call_callbacks_patience(const struct call *call, uint64_t deadline_ms) {
	uint64_t now = loop_now(means_of(call)->loop), longest = deadline_ms;
	if (deadline_ms == UINT64_MAX || call->deadline_ms == UINT64_MAX) return deadline_ms;
	LIST_EACH(link, &call->callbacks) {
		const struct call_callback *one = CONTAINER_OF(link, struct call_callback, link);
		uint64_t left = one->ends_at > now ? one->ends_at - now : 0;
		if (left + call->deadline_ms > longest) longest = left + call->deadline_ms;
	}
	return longest;
}

void call_callbacks_end(struct call *call) {
	while (!list_is_empty(&call->callbacks)) {
		struct call_callback *one = of_link(call->callbacks.next);
		one->question = NULL; /* it has gone before */
		audit(one, "ended", SLICE_NONE, SLICE_NONE);
		release(one, CALLBACK_EXPIRED);
	}
}

/* ---- Answers of an asker ---- */

void call_question_answer(struct hosted_question *question, struct slice result) {
	struct call_callback *one = hosted_question_owner(question);
	const struct scan_value object = {.text = slice_trim(result), .type = SCAN_OBJECT};
	struct scan_value response;
	AUTO_TEXT struct text answer = {0};
	if (!one) {
		hosted_question_answer(question, result);
		return;
	}
	text_init(&answer, 0);
	if (one->via == VIA_FORM) mgp_form_answer(&answer, &one->what.callback, &object);
	else if (scan_find(&object, "response", &response) && response.type != SCAN_NULL &&
		mgp_callback_accepts(&one->what.callback, &response, NULL)) {
		respond(one, &response);
		return;
	} else mgp_callback_write_no(&answer, &one->what.callback);
	if (text_failed(&answer)) finish(one, SLICE("{\"response\":null,\"reason\":\"unavailable\"}"), NULL, SLICE_NONE);
	else finish(one, text_slice(&answer), NULL, one->call->asker.principal);
}

void call_question_refuse(struct hosted_question *question, int64_t code, struct slice message,
	struct slice data) {
	struct call_callback *one = hosted_question_owner(question);
	if (!one) hosted_question_refuse(question, code, message, data);
	else if (code == JSONRPC_METHOD_NOT_FOUND)
		to_inbox(one);
	else call_question_answer(question, SLICE("{\"action\":\"decline\"}"));
}
