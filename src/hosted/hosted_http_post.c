/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted HTTP post: one message on its way, and what is answered to it: JSON, or events. */
#include "hosted/hosted_http_parts.h"

#include "mcp/mcp_modern.h"

#include <stdio.h>
#include <stdlib.h>

#define LIST_MS 10000    /* a call waits so long to learn which arguments stand in its head */
#define NOTICE_MS 60000  /* for the server to take what it owes no answer to */
#define ANSWERED_MS 5000 /* for the stream of a request that was answered to end */

struct hosted_post {
	struct link link;
	struct hosted_http *http;
	struct fetch *fetch; /* NULL: it has not left */
	struct text message;
	char *id; /* of a request, JSON text; NULL: a notification or an answer */
	bool is_initialize, is_initialized, is_call;
	bool is_second; /* its head did not fit its body, and was made anew */
	bool is_over;   /* nobody wants its answer; freed by the task */
	bool is_answered;
	unsigned moves;
	struct task task;
	struct deadline overdue;  /* it is answered, and its stream open */
	struct hosted_wait *wait; /* for the list of tools */
	bool is_stream;           /* its answer is a stream of events */
	int64_t retry_ms;         /* -1: not said */
	struct sse events;
	struct text body;
	struct fault why; /* of an answer that cannot be read */
};

static void unwait(struct hosted_post *post) {
	struct hosted_wait *wait = TAKE(post->wait);
	if (wait) hosted_items_cancel(wait);
}

static void post_free(struct hosted_post *post) {
	unwait(post);
	fetch_close(TAKE(post->fetch));
	list_remove(&post->link);
	task_clear(&post->task);
	deadline_clear(&post->overdue);
	text_finish(&post->message);
	text_finish(&post->body);
	sse_finish(&post->events);
	free(post->id);
	free(post);
}

void hosted_posts_unwait(struct hosted_http *http) {
	LIST_EACH(link, &http->posts) unwait(CONTAINER_OF(link, struct hosted_post, link));
}

void hosted_posts_close(struct hosted_http *http) {
	while (!list_is_empty(&http->posts))
		post_free(CONTAINER_OF(http->posts.next, struct hosted_post, link));
	while (!list_is_empty(&http->waiting))
		post_free(CONTAINER_OF(http->waiting.next, struct hosted_post, link));
}

static void free_later(struct task *task) {
	post_free(CONTAINER_OF(task, struct hosted_post, task));
}

static void give_up(struct hosted_post *post) {
	post->is_over = true;
	loop_later(post->http->loop, &post->task, free_later);
}

static bool leave(struct hosted_post *post, struct fault *why);

/* ---- The answer ---- */

static void free_overdue(struct deadline *deadline) {
	post_free(CONTAINER_OF(deadline, struct hosted_post, overdue));
}

static bool event_came(void *context, const struct sse_event *event) {
	struct hosted_post *post = context;
	struct hosted_http *http = post->http;
	if (event->retry_ms >= 0) post->retry_ms = event->retry_ms;
	if (!event->data.length) return true;
	if (!hosted_http_heard(http, event->data) || post->is_over) return false;
	if (!post->id || post->is_answered || hosted_http_waits_for(http, post->id)) return true;
	post->is_answered = true;
	deadline_set(http->loop, &post->overdue, ANSWERED_MS, free_overdue);
	return true;
}

static void head_came(void *context, struct fetch *fetch, unsigned status) {
	struct hosted_post *post = context;
	struct slice session = fetch_header(fetch, "mcp-session-id");
	post->is_stream = status == 200 && hosted_http_is_events(fetch);
	if (post->is_initialize && session.length && !post->http->session)
		post->http->session = slice_copy(session);
}

static bool take_piece(struct hosted_post *post, struct slice bytes) {
	if (post->is_stream) return sse_read(&post->events, bytes, event_came, post, &post->why);
	text_add(&post->body, bytes);
	return !text_failed(&post->body) ||
		fault_set(&post->why, FAULT_TOO_LARGE, "the server's answer is over %zu octets", (size_t)HOSTED_MESSAGE);
}

/* The rest of an answer that cannot be read is not waited for: it may have no end. */
static void piece_came(void *context, struct slice bytes) {
	struct hosted_post *post = context;
	struct hosted_http *http = post->http;
	if (post->is_over || !http->child) return;
	hosted_http_enter(http);
	if (!take_piece(post, bytes) && http->child && !post->is_over) {
		hosted_http_failed(http, post->id, HOSTED_HTTP_ANSWERED, post->why.text);
		if (http->child && !post->is_over) give_up(post);
	}
	hosted_http_leave(http);
}

/* A JSON-RPC answer to this request, whatever the status is: an error may come with any. */
static bool is_answer(const struct hosted_post *post, int64_t *error) {
	char lent[1024];
	struct arena arena;
	struct jsonrpc message;
	int64_t code;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_one = !text_failed(&post->body) &&
		jsonrpc_read(&message, text_slice(&post->body), &arena, &code, NULL) &&
		(message.kind == JSONRPC_RESULT || message.kind == JSONRPC_ERROR) && post->id &&
		slice_is(message.id.text, post->id);
	*error = is_one && message.kind == JSONRPC_ERROR ? message.code : 0;
	arena_finish(&arena);
	return is_one;
}

/* ---- An answer that is none yet: the message leaves once more ---- */

static bool leave_again(struct hosted_post *post, struct fault *why) {
	fetch_close(TAKE(post->fetch));
	text_clear(&post->body);
	post->is_stream = false;
	return leave(post, why);
}

static void listed(void *context, struct hosted_items *items, const struct fault *why) {
	struct hosted_post *post = context;
	struct hosted_http *http = post->http;
	struct fault own;
	(void)items; /* what is known now is what there is to know */
	(void)why;
	post->wait = NULL;
	hosted_http_enter(http);
	if (!post->is_over && !http->why.code && !leave(post, &own)) {
		hosted_http_failed(http, post->id, HOSTED_HTTP_UNREACHED, own.text);
		if (http->child) post_free(post);
	}
	hosted_http_leave(http);
}

static bool wait_for_tools(struct hosted_post *post) {
	post->wait = hosted_items_ask(post->http->child->hosted, HOSTED_MODERN, HOSTED_TOOLS, LIST_MS,
		listed, post, NULL);
	return post->wait != NULL;
}

/* The head repeats arguments as the tool's definition says, which may have changed (MCP 2026-07-28
 * transports). */
static bool try_new_head(struct hosted_post *post, int64_t error) {
	bool is_mismatch = error == MCP_MODERN_HEADER_MISMATCH && post->is_call && !post->is_second;
	if (!is_mismatch || post->http->child->era != HOSTED_MODERN) return false;
	post->is_second = true;
	hosted_lists_old(post->http->child->hosted, HOSTED_TOOLS);
	fetch_close(TAKE(post->fetch));
	text_clear(&post->body);
	return wait_for_tools(post);
}

/* A server of 2024-11-05 knows no POST there (MCP transports, backwards compatibility). */
static bool try_sse(struct hosted_post *post, unsigned status) {
	struct hosted_http *http = post->http;
	bool is_refused = status == 400 || status == 404 || status == 405;
	if (!is_refused || !post->is_initialize || http->is_sse || http->is_trying_sse || http->session)
		return false;
	http->is_trying_sse = true;
	if (!hosted_stream_open(http, NULL)) return false;
	free(TAKE(http->endpoint));
	fetch_close(TAKE(post->fetch));
	text_clear(&post->body);
	snprintf(post->why.text, sizeof post->why.text, "the server answered with HTTP status %u", status);
	list_remove(&post->link);
	list_append(&http->waiting, &post->link);
	return true;
}

void hosted_posts_refused(struct hosted_http *http) {
	while (http->child && !list_is_empty(&http->waiting)) {
		struct hosted_post *post = CONTAINER_OF(http->waiting.next, struct hosted_post, link);
		list_remove(&post->link);
		list_append(&http->posts, &post->link);
		hosted_http_failed(http, post->id, HOSTED_HTTP_ANSWERED, post->why.text);
		if (http->child) post_free(post);
	}
}

/* ---- The end of the answer ---- */

/* The stream ended without an answer: a legacy server may go on with it elsewhere (MCP 2025-11-25). */
static void go_on(struct hosted_post *post, const struct fault *why) {
	struct hosted_http *http = post->http;
	struct slice last = text_slice(&post->events.id);
	struct fault own = {.code = FAULT_NONE};
	if (!hosted_http_waits_for(http, post->id)) return;
	int64_t retry = post->events.retry_ms >= 0 ? post->events.retry_ms : post->retry_ms;
	bool may_go_on = http->child->era == HOSTED_LEGACY && last.length && !post->why.code;
	if (may_go_on && hosted_stream_resume(http, post->id, last, retry, &own)) return;
	if (post->why.code) own = post->why;
	else if (why && !own.code) own = *why;
	else if (!own.code) fault_set(&own, FAULT_CLOSED, "the server's answer ended without a result");
	hosted_http_failed(http, post->id, HOSTED_HTTP_UNREACHED, own.text);
}

/* True: it goes on, and must not be freed. */
static bool read_answer(struct hosted_post *post, unsigned status) {
	char words[100];
	struct hosted_http *http = post->http;
	struct hosted_child *child = http->child;
	struct fault why;
	int64_t error = 0;
	if (status == 404 && http->session && child->era == HOSTED_LEGACY) {
		hosted_http_forgotten(http, &why);
		if (post->id) hosted_child_unserved(child, slice_of(post->id), &why);
		return false;
	}
	bool is_accepted = status >= 200 && status < 300;
	if (is_accepted && http->is_sse) return false; /* it comes on the stream */
	snprintf(words, sizeof words, "the server answered with HTTP status %u", status);
	if (is_answer(post, &error)) {
		if (error && try_new_head(post, error)) return true;
		(void)hosted_http_heard(http, text_slice(&post->body));
	} else if (status == 200 && post->body.length && post->body.bytes[0] == '[') {
		if (hosted_http_heard(http, text_slice(&post->body))) /* a batch, MCP 2025-03-26 */
			hosted_http_failed(http, post->id, HOSTED_HTTP_ANSWERED, "the server's answer has no answer to this request");
	} else if (try_sse(post, status)) return true;
	else hosted_http_failed(http, post->id, HOSTED_HTTP_ANSWERED, words);
	return false;
}

/* True: it goes on, and must not be freed. */
static bool finish(struct hosted_post *post, const struct fetch_answer *answer, const struct fault *why) {
	struct hosted_http *http = post->http;
	struct fault own;
	if (why && http->child->stage == HOSTED_OPENING) {
		own = *why;
		hosted_http_over(http, &own);
		return false;
	}
	if (post->is_stream) {
		go_on(post, why);
		return false;
	}
	if (why) {
		hosted_http_failed(http, post->id, HOSTED_HTTP_UNREACHED, why->text);
		return false;
	}
	if (answer->status < 300 || answer->status >= 400) return read_answer(post, answer->status);
	bool moves = post->moves++ < HOSTED_HTTP_MOVES &&
		hosted_http_moves(http, post->fetch, answer->status, &own) && leave_again(post, &own);
	if (!moves) hosted_http_failed(http, post->id, HOSTED_HTTP_ANSWERED, post->moves > HOSTED_HTTP_MOVES ? "the server sends us on and on" : own.text);
	return moves;
}

static void done(void *context, const struct fetch_answer *answer, const struct fault *why) {
	struct hosted_post *post = context;
	struct hosted_http *http = post->http;
	if (post->is_over || !http->child) return;
	hosted_http_enter(http);
	bool opens_stream = post->is_initialized && answer && answer->status < 300;
	bool goes_on = finish(post, answer, why);
	if (http->child && !goes_on) post_free(post);
	bool is_open = http->child && !http->why.code && http->child->stage == HOSTED_OPEN;
	if (opens_stream && is_open && !http->is_sse) (void)!hosted_stream_open(http, NULL);
	hosted_http_leave(http);
}

/* ---- Leaving ---- */

static bool leave(struct hosted_post *post, struct fault *why) {
	static const struct fetch_events events = {.head = head_came, .piece = piece_came, .done = done};
	struct hosted_http *http = post->http;
	char lent[HOSTED_SCRATCH];
	struct arena arena;
	struct jsonrpc message;
	int64_t code;
	const char *lines[HOSTED_HTTP_HEADERS] = {"Content-Type: application/json",
		"Accept: application/json, text/event-stream"};
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_fine = jsonrpc_read(&message, text_slice(&post->message), &arena, &code, why);
	if (is_fine && http->child->era == HOSTED_MODERN && message.method.length)
		is_fine = hosted_http_add_routing(http, &message, &arena, lines, why);
	const struct fetch_options options = {
		.method = "POST",
		.url = http->endpoint,
		.ca = http->child->hosted->setup.of.ca,
		.headers = is_fine ? hosted_http_headers(http, &arena, lines) : NULL,
		.body = text_slice(&post->message),
		.deadline_ms = post->id ? UINT64_MAX : NOTICE_MS, /* whoever asks has a deadline */
	};
	if (is_fine && !options.headers) is_fine = fault_set(why, FAULT_TOO_LARGE, "too many headers are configured");
	if (is_fine) {
		post->fetch = fetch_open(http->child->hosted->servers->desk, &options, &events, post, why);
		is_fine = post->fetch != NULL;
	}
	arena_finish(&arena);
	return is_fine;
}

void hosted_posts_leave(struct hosted_http *http) {
	struct fault why;
	while (http->child && !list_is_empty(&http->waiting)) {
		struct hosted_post *post = CONTAINER_OF(http->waiting.next, struct hosted_post, link);
		list_remove(&post->link);
		list_append(&http->posts, &post->link);
		if (leave(post, &why)) continue;
		hosted_http_failed(http, post->id, HOSTED_HTTP_UNREACHED, why.text);
		if (http->child) post_free(post);
	}
}

void hosted_posts_pause(struct hosted_http *http, bool is_paused) {
	LIST_EACH(link, &http->posts) {
		struct hosted_post *post = CONTAINER_OF(link, struct hosted_post, link);
		if (post->id && post->fetch && !post->is_over) fetch_pause(post->fetch, is_paused);
	}
}

static size_t notices_in(const struct link *posts) {
	size_t octets = 0;
	LIST_EACH(link, posts) {
		const struct hosted_post *post = CONTAINER_OF(link, struct hosted_post, link);
		if (!post->id) octets += post->message.length + HOSTED_HTTP_NOTICE;
	}
	return octets;
}

size_t hosted_posts_behind(const struct hosted_http *http) {
	return notices_in(&http->posts) + notices_in(&http->waiting);
}

/* Nobody waits for the answer any more. A modern server hears of it by the end of its stream alone:
 * true. */
static bool cancel(struct hosted_http *http, const struct jsonrpc *message) {
	struct scan_value id;
	bool is_modern = http->child->era == HOSTED_MODERN;
	if (!slice_is(message->method, "notifications/cancelled")) return false;
	if (!scan_find(&message->params, "requestId", &id)) return is_modern;
	LIST_EACH(link, &http->posts) {
		struct hosted_post *post = CONTAINER_OF(link, struct hosted_post, link);
		if (post->id && slice_is(id.text, post->id)) give_up(post);
	}
	hosted_stream_forget(http, id.text);
	return is_modern;
}

static struct hosted_post *post_make(struct hosted_http *http, struct slice text,
	const struct jsonrpc *message) {
	struct hosted_post *post = calloc(1, sizeof *post);
	if (!post) return NULL;
	post->http = http;
	post->retry_ms = -1;
	text_init(&post->message, 0);
	text_init(&post->body, HOSTED_MESSAGE);
	sse_init(&post->events, HOSTED_MESSAGE);
	list_init(&post->link);
	text_add(&post->message, text);
	bool is_request = message->kind == JSONRPC_REQUEST;
	if (is_request) post->id = slice_copy(message->id.text);
	post->is_initialize = is_request && slice_is(message->method, "initialize");
	post->is_call = is_request && slice_is(message->method, "tools/call");
	post->is_initialized = slice_is(message->method, "notifications/initialized");
	if (!text_failed(&post->message) && (post->id || !is_request)) return post;
	post_free(post);
	return NULL;
}

/* A modern server's tool may want arguments in the head: its definition has to be known first. */
static bool needs_tools(const struct hosted_post *post) {
	struct hosted *hosted = post->http->child->hosted;
	return post->is_call && post->http->child->era == HOSTED_MODERN &&
		hosted_offers(hosted, HOSTED_MODERN, "tools", NULL) &&
		!hosted_items_known(hosted, HOSTED_MODERN, HOSTED_TOOLS);
}

bool hosted_post_send(struct hosted_http *http, struct slice text, char *sent,
	struct fault *why) {
	char lent[HOSTED_SCRATCH];
	struct arena arena;
	struct jsonrpc message;
	struct hosted_post *post = NULL;
	int64_t code;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_over = !jsonrpc_read(&message, text, &arena, &code, why);
	bool is_sent = !is_over && cancel(http, &message);
	if (!is_over && !is_sent && !(post = post_make(http, text, &message)))
		fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	arena_finish(&arena);
	if (!post) return is_sent;
	if (post->id) snprintf(sent, PEER_TAG, "%.*s", PEER_TAG - 1, post->id);
	http->is_introduced = http->is_introduced || post->is_initialized;
	list_append(http->endpoint ? &http->posts : &http->waiting, &post->link);
	if (!http->endpoint || (needs_tools(post) && wait_for_tools(post)) || leave(post, why)) return true;
	post_free(post);
	return false;
}
