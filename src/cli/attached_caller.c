/* SPDX-License-Identifier: Apache-2.0 */
/* Attached caller: one participant's requests, each on its way to the server and back. */
#include "cli/attached_seat_parts.h"

#include <stdio.h>
#include <stdlib.h>

#define ENVELOPE_HEAD 2048 /* octets of an envelope around its payload, at most */

/* ---- One request under way ---- */

struct forward {
	struct attached_seat *seat;
	struct peer_question *question;
	struct peer_call *call;
	bool is_list;
	unsigned asked_at; /* of a list: pages->changes */
	struct slice cursor;
	char octets[];
};

static void answer(struct forward *forward, const struct peer_reply *reply) {
	struct attached_seat *seat = forward->seat;
	char words[160];
	if (reply->result.length + ENVELOPE_HEAD <= seat->max_message) {
		if (forward->is_list)
			attached_pages_keep(&seat->pages, forward->asked_at, forward->cursor, reply->result);
		peer_answer(forward->question, reply->result);
		return;
	}
	int length = snprintf(words, sizeof words,
		"the result has %zu octets, more than a message of this room may have (%zu)",
		reply->result.length, seat->max_message);
	peer_refuse(forward->question, JSONRPC_INTERNAL_ERROR, slice_make(words, (size_t)length), JSONRPC_PLAIN);
}

static void answered(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct forward *forward = context;
	if (why)
		peer_refuse(forward->question, JSONRPC_INTERNAL_ERROR, slice_of(why->text), JSONRPC_PLAIN);
	else if (reply->result.bytes)
		answer(forward, reply);
	else
		peer_refuse(forward->question, reply->code, reply->message, reply->data);
	free(forward);
}

static void progressed(void *context, const struct scan_value *params) {
	struct forward *forward = context;
	struct scan_value value;
	struct slice message = SLICE_NONE;
	double progress, total = 0;
	char lent[512];
	struct arena arena;
	if (!scan_find(params, "progress", &value) || !scan_number(&value, &progress)) return;
	if (scan_find(params, "total", &value) && !scan_number(&value, &total)) total = 0;
	arena_init(&arena, lent, sizeof lent, 0);
	if (scan_find(params, "message", &value) && !scan_string(&value, &arena, &message))
		message = SLICE_NONE;
	peer_progress(forward->question, progress, total, message);
	arena_finish(&arena);
}

static struct forward *forward_make(struct attached_seat *seat, struct peer_question *question,
	const struct jsonrpc *request) {
	struct scan_value cursor = {.type = SCAN_NONE};
	bool is_list = attached_way_of(request->method, seat->exposed) == ATTACHED_LIST;
	if (is_list) (void)scan_find(&request->params, "cursor", &cursor);
	struct forward *forward = calloc(1, sizeof *forward + cursor.text.length);
	if (!forward) return NULL;
	forward->seat = seat;
	forward->question = question;
	forward->is_list = is_list;
	forward->asked_at = seat->pages.changes;
	if (cursor.type != SCAN_NONE) {
		memcpy(forward->octets, cursor.text.bytes, cursor.text.length);
		forward->cursor = slice_make(forward->octets, cursor.text.length);
	}
	return forward;
}

static void refuse(struct peer_question *question, const struct fault *why) {
	peer_refuse(question, JSONRPC_INTERNAL_ERROR, slice_of(why->text), JSONRPC_PLAIN);
}

static void forward(struct attached_seat *seat, struct peer_question *question,
	const struct jsonrpc *request) {
	struct fault why;
	struct scan_value token;
	struct forward *made = forward_make(seat, question, request);
	if (!made) {
		fault_set(&why, FAULT_NO_MEMORY, "no memory for another request");
		refuse(question, &why);
		return;
	}
	bool wants_progress = scan_path(&request->params, &token, "_meta", "progressToken", NULL);
	const struct peer_request asked = {
		.method = request->method,
		.params = request->params.text,
		.deadline_ms = UINT64_MAX, /* whoever asked has a deadline, and cancels */
		.answered = answered,
		.progressed = wants_progress ? progressed : NULL,
		.context = made,
	};
	made->call = attached_child_ask(seat->child, &asked, &why);
	if (made->call) {
		peer_question_set(question, made);
		return;
	}
	free(made);
	refuse(question, &why);
}

/* ---- What a caller asks ---- */

static bool answer_from_memory(struct attached_seat *seat, struct peer_question *question,
	const struct jsonrpc *request) {
	struct scan_value cursor = {.type = SCAN_NONE};
	(void)scan_find(&request->params, "cursor", &cursor);
	struct slice page =
		attached_pages_find(&seat->pages, cursor.type == SCAN_NONE ? SLICE_NONE : cursor.text);
	if (!page.bytes) return false;
	peer_answer(question, page);
	return true;
}

static void asked(void *context, struct peer_question *question, const struct jsonrpc *request) {
	struct attached_caller *caller = context;
	struct attached_seat *seat = caller->seat;
	struct fault why;
	enum attached_way way = attached_way_of(request->method, seat->exposed);
	if (way == ATTACHED_UNKNOWN) {
		peer_refuse(question, JSONRPC_METHOD_NOT_FOUND, SLICE("this method is not offered here"),
			JSONRPC_PLAIN);
	} else if (way == ATTACHED_PING)
		peer_answer(question, SLICE("{}"));
	else if (way == ATTACHED_HANDSHAKE && seat->facts.length)
		peer_answer(question, text_slice(&seat->facts));
	else if (!seat->child) {
		fault_set(&why, FAULT_NOT_READY, "the server is not running just now; try again in a while");
		refuse(question, &why);
	} else if (way != ATTACHED_LIST || !answer_from_memory(seat, question, request))
		forward(seat, question, request);
}

static void cancelled(void *context, struct peer_question *question) {
	struct forward *forward = peer_question_context(question);
	(void)context;
	if (forward) {
		peer_cancel(forward->call, SLICE("whoever asked does not wait any more"));
		free(forward);
	}
	peer_answer(question, SLICE("{}")); /* goes nowhere; it ends the question */
}

static bool send_to(void *context, struct slice message, struct slice about, char *sent,
	struct fault *why) {
	const struct attached_caller *caller = context;
	struct slice to = slice_of(caller->id);
	return membership_send(caller->seat->membership, ENVELOPE_MCP, &to, 1, about, message, sent, why);
}

static const struct peer_events caller_events = {.send = send_to, .asked = asked, .cancelled = cancelled};

/* ---- Callers ---- */

static void caller_close(struct attached_caller *caller) {
	struct fault why;
	fault_set(&why, FAULT_CLOSED, "it has left");
	map_remove(&caller->seat->callers, slice_of(caller->id));
	peer_close(caller->peer, &why);
	free(caller->id);
	free(caller);
}

/* Nothing is remembered of a caller but what it has open. */
static void drop_idle(struct attached_seat *seat) {
	void *each;
	for (size_t at = 0; map_each(&seat->callers, &at, &each);)
		if (peer_questions(((struct attached_caller *)each)->peer) == 0) caller_close(each);
}

static struct attached_caller *caller_open(struct attached_seat *seat, struct slice id) {
	struct attached_caller *caller = calloc(1, sizeof *caller);
	if (!caller) return NULL;
	caller->seat = seat;
	caller->id = slice_copy(id);
	caller->peer = peer_open(seat->loop, &caller_events, caller, NULL);
	if (caller->id && caller->peer && map_add(&seat->callers, slice_of(caller->id), caller, NULL))
		return caller;
	peer_close(caller->peer, NULL);
	free(caller->id);
	free(caller);
	return NULL;
}

/* Who cannot be kept track of is told so, if that much can be done. */
static void turn_away(struct attached_seat *seat, const struct envelope *envelope,
	const struct jsonrpc *message) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	jsonrpc_write_error(&text, message->id.text, JSONRPC_INTERNAL_ERROR,
		SLICE("too many participants ask at once; try again"), JSONRPC_PLAIN);
	if (!text_failed(&text))
		(void)!membership_send(seat->membership, ENVELOPE_MCP, &envelope->from, 1, envelope->id,
			text_slice(&text), NULL, NULL);
}

void attached_caller_take(struct attached_seat *seat, const struct envelope *envelope,
	const struct jsonrpc *message) {
	struct attached_caller *caller = map_find(&seat->callers, envelope->from);
	if (!caller && message->kind != JSONRPC_REQUEST) return; /* it has nothing open that this could end */
	if (!caller && seat->callers.count >= ATTACHED_CALLERS) drop_idle(seat);
	if (!caller && seat->callers.count < ATTACHED_CALLERS) caller = caller_open(seat, envelope->from);
	if (caller) peer_take(caller->peer, message, envelope->id, envelope->correlation_id);
	else turn_away(seat, envelope, message);
}

void attached_caller_left(struct attached_seat *seat, struct slice id) {
	struct attached_caller *caller = map_find(&seat->callers, id);
	if (caller) caller_close(caller);
}

void attached_callers_finish(struct attached_seat *seat) {
	void *caller;
	for (size_t at = 0; map_each(&seat->callers, &at, &caller);) caller_close(caller);
	map_finish(&seat->callers);
}
