/* SPDX-License-Identifier: Apache-2.0 */
/* Peer question: what we are asked. It outlives its peer, since whoever answers may be slow. */
#include "mcp/peer_question.h"
#include "mcp/peer_parts.h"
#include "mcp/peer_send.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct peer_question {
	struct link link;
	struct peer *peer; /* NULL: it was closed */
	bool is_cancelled;
	struct slice id; /* JSON text; these four lie behind the struct */
	struct slice tag;
	struct slice about;
	struct slice progress_token; /* JSON text; bytes NULL: none wanted */
	void *context;
};

static struct slice lay(char **at, struct slice slice) {
	if (!slice.bytes) return SLICE_NONE;
	struct slice laid = slice_make(*at, slice.length);
	memcpy(*at, slice.bytes, slice.length);
	*at += slice.length;
	return laid;
}

static struct peer_question *question_make(struct peer *peer, const struct jsonrpc *request,
	struct slice tag, struct slice about) {
	struct slice token = SLICE_NONE;
	struct scan_value meta;
	if (scan_path(&request->params, &meta, "_meta", "progressToken", NULL) &&
		(meta.type == SCAN_STRING || meta.type == SCAN_NUMBER) && meta.text.length <= PEER_ID)
		token = meta.text;
	struct peer_question *question =
		calloc(1, sizeof *question + request->id.text.length + tag.length + about.length + token.length);
	if (!question) return NULL;

	char *at = (char *)(question + 1);
	question->peer = peer;
	question->id = lay(&at, request->id.text);
	question->tag = lay(&at, tag);
	question->about = lay(&at, about);
	question->progress_token = lay(&at, token);
	list_append(&peer->questions, &question->link);
	peer->question_count++;
	return question;
}

static void question_free(struct peer_question *question) {
	if (question->peer) question->peer->question_count--;
	list_remove(&question->link);
	free(question);
}

void peer_question_asked(struct peer *peer, const struct jsonrpc *request, struct slice tag,
	struct slice about) {
	struct peer_question *question = NULL;
	bool is_long = request->id.text.length > PEER_ID;
	if (!is_long && peer->question_count < PEER_QUESTIONS)
		question = question_make(peer, request, tag, about);
	if (question) {
		peer->events->asked(peer->context, question, request);
		return;
	}
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	if (is_long)
		jsonrpc_write_error(&text, SLICE_NONE, JSONRPC_INVALID_REQUEST, SLICE("an id is of 1024 octets at most"),
			JSONRPC_PLAIN);
	else
		jsonrpc_write_error(&text, request->id.text, JSONRPC_INTERNAL_ERROR,
			SLICE("too many requests are open; wait for their answers"), JSONRPC_PLAIN);
	(void)!peer_send(peer, &text, tag, NULL, NULL);
}

/* ---- Answers ---- */

/* In place of an answer that the transport cannot carry: who asked is told so. */
static void send_too_large(struct peer_question *question, const struct fault *why) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	jsonrpc_write_error(&text, question->id, JSONRPC_INTERNAL_ERROR, slice_of(why->text),
		SLICE("{\"type\":\"too_large\"}"));
	(void)!peer_send(question->peer, &text, question->tag, NULL, NULL);
}

static void question_end(struct peer_question *question, const struct text *text) {
	struct fault why;
	/* Any other answer that cannot leave is lost; who asked has a deadline. */
	if (question->peer && !question->is_cancelled &&
		!peer_send(question->peer, text, question->tag, NULL, &why) && why.code == FAULT_TOO_LARGE)
		send_too_large(question, &why);
	question_free(question);
}

void peer_answer(struct peer_question *question, struct slice result) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	jsonrpc_write_result(&text, question->id, result);
	question_end(question, &text);
}

void peer_refuse(struct peer_question *question, int64_t code, struct slice message,
	struct slice data) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	jsonrpc_write_error(&text, question->id, code, message, data);
	question_end(question, &text);
}

void peer_question_warn(struct peer_question *question, int64_t code, struct slice message, struct slice data) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	jsonrpc_write_error(&text, question->id, code, message, data);
	peer_question_send(question, &text);
}

void peer_question_drop(struct peer_question *question) { question_free(question); }

/* As JSON has numbers, whatever the program's locale is. */
static void add_double(struct text *to, double number) {
	char digits[40];
	snprintf(digits, sizeof digits, "%.15g", number);
	char *comma = strchr(digits, ',');
	if (comma) *comma = '.';
	text_add_cstr(to, digits);
}

void peer_progress(struct peer_question *question, double progress, double total,
	struct slice message) {
	AUTO_TEXT struct text params = {0}, text = {0};
	if (!question->peer || question->is_cancelled || !question->progress_token.bytes ||
		!isfinite(progress) || !isfinite(total))
		return;
	text_init(&params, 0);
	text_init(&text, 0);
	text_add_cstr(&params, "{\"progressToken\":");
	text_add(&params, question->progress_token);
	text_add_cstr(&params, ",\"progress\":");
	add_double(&params, progress);
	if (total > 0) {
		text_add_cstr(&params, ",\"total\":");
		add_double(&params, total);
	}
	if (message.bytes) {
		text_add_cstr(&params, ",\"message\":");
		text_json(&params, message);
	}
	text_add_char(&params, '}');
	if (text_failed(&params)) return;
	jsonrpc_write_notification(&text, SLICE("notifications/progress"), text_slice(&params));
	(void)!peer_send(question->peer, &text, question->tag, NULL, NULL);
}

void peer_question_tell(struct peer_question *question, struct slice method, struct slice params) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	jsonrpc_write_notification(&text, method, params);
	peer_question_send(question, &text);
}

void peer_question_send(struct peer_question *question, const struct text *notification) {
	if (!question->peer || question->is_cancelled) return;
	(void)!peer_send(question->peer, notification, question->tag, NULL, NULL);
}

/* ---- Cancels ---- */

static void cancel(struct peer_question *question) {
	struct peer *peer = question->peer;
	if (question->is_cancelled) return;
	question->is_cancelled = true;
	if (peer->events->cancelled) peer->events->cancelled(peer->context, question);
}

/* Ids match as they stand: 1 and "1" are two requests. */
void peer_question_cancelled(struct peer *peer, const struct scan_value *params) {
	struct scan_value id;
	if (!scan_find(params, "requestId", &id)) return;
	LIST_EACH_SAFE(link, &peer->questions) {
		struct peer_question *question = CONTAINER_OF(link, struct peer_question, link);
		if (!slice_equal(question->id, id.text) || question->is_cancelled) continue;
		cancel(question);
		return;
	}
}

/* What is told of one may answer others: each look begins anew. */
void peer_question_gone(struct peer *peer, struct slice tag) {
	for (struct link *link = peer->questions.next; link != &peer->questions;) {
		struct peer_question *question = CONTAINER_OF(link, struct peer_question, link);
		bool is_meant = !question->is_cancelled && slice_equal(question->tag, tag);
		if (is_meant) cancel(question);
		link = is_meant ? peer->questions.next : link->next;
	}
}

void peer_questions_end(struct peer *peer) {
	while (!list_is_empty(&peer->questions)) {
		struct peer_question *question =
			CONTAINER_OF(list_pop(&peer->questions), struct peer_question, link);
		bool was_cancelled = question->is_cancelled;
		question->is_cancelled = true;
		question->peer = NULL;
		peer->question_count--;
		if (!was_cancelled && peer->events->cancelled)
			peer->events->cancelled(peer->context, question);
	}
}

struct slice peer_question_id(const struct peer_question *question) {
	return question->id;
}
struct slice peer_question_token(const struct peer_question *question) {
	return question->progress_token;
}
bool peer_is_cancelled(const struct peer_question *question) { return question->is_cancelled; }
struct slice peer_question_tag(const struct peer_question *question) {
	return question->tag;
}
struct slice peer_question_about(const struct peer_question *question) {
	return question->about;
}
struct peer *peer_question_peer(const struct peer_question *question) {
	return question->peer;
}
void peer_question_set(struct peer_question *question, void *context) { question->context = context; }
void *peer_question_context(const struct peer_question *question) { return question->context; }
