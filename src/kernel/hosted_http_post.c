/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted HTTP post: one message on its way, and what is answered to it: JSON, or events. */
#include "kernel/hosted_http_parts.h"

#include "base/secret.h"

#include <stdio.h>
#include <stdlib.h>

static void post_free(struct hosted_post *post) {
	fetch_close(TAKE(post->fetch));
	list_remove(&post->link);
	task_clear(&post->task);
	text_finish(&post->message);
	text_finish(&post->body);
	sse_finish(&post->events);
	free(post->id);
	free(post);
}

void hosted_posts_close(struct hosted_http *http) {
	while (!list_is_empty(&http->posts))
		post_free(CONTAINER_OF(http->posts.next, struct hosted_post, link));
	while (!list_is_empty(&http->waiting))
		post_free(CONTAINER_OF(http->waiting.next, struct hosted_post, link));
}

/* ---- The answer ---- */

/* Whoever asked gets an error, unless it was answered before: then nobody waits for that id. */
static void fail(struct hosted_post *post, const char *words) {
	AUTO_TEXT struct text error = {0};
	if (!post->id) return;
	text_init(&error, 0);
	jsonrpc_write_error(&error, slice_of(post->id), JSONRPC_INTERNAL_ERROR, slice_of(words), SLICE_NONE);
	if (!text_failed(&error)) hosted_child_heard(post->http->child, text_slice(&error));
}

static bool event_came(void *context, const struct sse_event *event) {
	struct hosted_post *post = context;
	if (event->data.length) hosted_child_heard(post->http->child, event->data);
	return !post->is_cancelled;
}

static void head_came(void *context, struct fetch *fetch, unsigned status) {
	struct hosted_post *post = context;
	struct slice session = fetch_header(fetch, "mcp-session-id");
	post->is_stream = status == 200 && hosted_http_is_events(fetch);
	if (post->is_initialize && session.length && !post->http->session)
		post->http->session = slice_copy(session);
}

static void piece_came(void *context, struct slice bytes) {
	struct hosted_post *post = context;
	if (post->is_cancelled) return;
	if (!post->is_stream) text_add(&post->body, bytes);
	else if (post->why.code == FAULT_NONE)
		(void)!sse_read(&post->events, bytes, event_came, post, &post->why);
}

/* A JSON-RPC answer to this request, whatever the status is: an error may come with any. */
static bool is_answer(const struct hosted_post *post) {
	char lent[1024];
	struct arena arena;
	struct jsonrpc message;
	int64_t code;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_one = !text_failed(&post->body) &&
		jsonrpc_read(&message, text_slice(&post->body), &arena, &code, NULL) &&
		(message.kind == JSONRPC_RESULT || message.kind == JSONRPC_ERROR) && post->id &&
		slice_is(message.id.text, post->id);
	arena_finish(&arena);
	return is_one;
}

static void read_answer(struct hosted_post *post, unsigned status) {
	char words[100];
	struct hosted_http *http = post->http;
	struct fault why;
	if (status == 404 && http->session && http->child->era == HOSTED_LEGACY) {
		fault_set(&why, FAULT_CLOSED, "has forgotten our session");
		http->child->was_asked_to = true; /* no failure: the next one is opened when it is needed */
		hosted_http_over(http, &why);
		if (post->id) hosted_child_unserved(http->child, slice_of(post->id), &why);
		return;
	}
	bool is_accepted = status >= 200 && status < 300;
	if (is_accepted && http->child->hosted->setup.of.is_sse) return; /* it comes on the stream */
	snprintf(words, sizeof words, "the server answered with HTTP status %u", status);
	if (is_answer(post)) hosted_child_heard(http->child, text_slice(&post->body));
	else if (status == 200 && post->body.length && post->body.bytes[0] == '[') {
		hosted_child_heard(http->child, text_slice(&post->body)); /* a batch, MCP 2025-03-26 */
		fail(post, "the server's answer has no answer to this request");
	} else
		fail(post, words);
}

static void done(void *context, const struct fetch_answer *answer, const struct fault *why) {
	struct hosted_post *post = context;
	struct hosted_http *http = post->http;
	struct hosted_child *child = http->child;
	struct fault own;
	if (post->is_cancelled) {
		post_free(post);
		return;
	}
	bool opens_stream = post->is_initialized && answer && answer->status < 300;
	list_remove(&post->link); /* so that the end of all, in a callback, leaves this one to us */
	if (why && child->stage == HOSTED_OPENING) {
		own = *why;
		hosted_http_over(http, &own);
	} else if (why)
		fail(post, why->text);
	else if (post->is_stream)
		fail(post, post->why.code ? post->why.text : "the server's answer ended without a result");
	else
		read_answer(post, answer->status);
	post_free(post);
	if (opens_stream && !http->stream && !http->why.code && child->stage == HOSTED_OPEN)
		(void)!hosted_stream_open(http, NULL);
}

/* ---- Leaving ---- */

/* A modern server reads the method and the name beside the body (MCP 2026-07-28). */
static bool is_plain(struct slice words) {
	for (size_t i = 0; i < words.length; i++)
		if (words.bytes[i] < 0x20 || words.bytes[i] > 0x7e) return false;
	return words.length && words.bytes[0] != ' ' && words.bytes[words.length - 1] != ' ' &&
		!slice_starts_with(words, "=?base64?");
}

static const char *header_of(struct arena *arena, const char *name, struct slice value) {
	AUTO_TEXT struct text line = {0};
	struct slice copy;
	text_init(&line, 0);
	text_printf(&line, "%s: ", name);
	if (is_plain(value)) text_add(&line, value);
	else {
		text_add_cstr(&line, "=?base64?");
		secret_base64(&line, value);
		text_add_cstr(&line, "?=");
	}
	return !text_failed(&line) && arena_copy(arena, text_slice(&line), &copy) ? copy.bytes : NULL;
}

static bool add_routing(const char **lines, size_t count, struct arena *arena,
	const struct jsonrpc *message) {
	struct scan_value value;
	struct slice words;
	if (!(lines[count++] = header_of(arena, "Mcp-Method", message->method))) return false;
	bool is_resource = slice_is(message->method, "resources/read");
	bool has_name = is_resource || slice_is(message->method, "tools/call") ||
		slice_is(message->method, "prompts/get");
	if (!has_name || !scan_find(&message->params, is_resource ? "uri" : "name", &value) ||
		!scan_string(&value, arena, &words))
		return true;
	return (lines[count] = header_of(arena, "Mcp-Name", words)) != NULL;
}

static bool leave(struct hosted_post *post, struct fault *why) {
	static const struct fetch_events events = {.head = head_came, .piece = piece_came, .done = done};
	struct hosted_http *http = post->http;
	char lent[HOSTED_SCRATCH];
	struct arena arena;
	struct jsonrpc message;
	int64_t code;
	const char *lines[6] = {"Content-Type: application/json",
		"Accept: application/json, text/event-stream"};
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_fine = jsonrpc_read(&message, text_slice(&post->message), &arena, &code, why);
	if (is_fine && http->child->era == HOSTED_MODERN && message.method.length)
		is_fine = add_routing(lines, 2, &arena, &message) ||
			fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	const struct fetch_options options = {
		.method = "POST",
		.url = http->endpoint,
		.headers = is_fine ? hosted_http_headers(http, &arena, lines) : NULL,
		.body = text_slice(&post->message),
		.deadline_ms = UINT64_MAX, /* whoever asks has a deadline */
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
	for (struct link *link; (link = list_pop(&http->waiting));) {
		struct hosted_post *post = CONTAINER_OF(link, struct hosted_post, link);
		list_append(&http->posts, &post->link);
		if (leave(post, &why)) continue;
		fail(post, why.text);
		post_free(post);
	}
}

static void free_cancelled(struct task *task) {
	post_free(CONTAINER_OF(task, struct hosted_post, task));
}

/* A modern server hears of a cancel by the end of its stream. True: that was it. */
static bool cancel(struct hosted_http *http, const struct jsonrpc *message) {
	struct scan_value id;
	if (http->child->era != HOSTED_MODERN || !slice_is(message->method, "notifications/cancelled"))
		return false;
	if (!scan_find(&message->params, "requestId", &id)) return true;
	LIST_EACH(link, &http->posts) {
		struct hosted_post *post = CONTAINER_OF(link, struct hosted_post, link);
		if (!post->id || !slice_is(id.text, post->id)) continue;
		post->is_cancelled = true;
		loop_later(http->child->hosted->servers->loop, &post->task, free_cancelled);
	}
	return true;
}

static struct hosted_post *post_make(struct hosted_http *http, struct slice text,
	const struct jsonrpc *message) {
	struct hosted_post *post = calloc(1, sizeof *post);
	if (!post) return NULL;
	post->http = http;
	text_init(&post->message, 0);
	text_init(&post->body, HOSTED_MESSAGE);
	sse_init(&post->events, HOSTED_MESSAGE);
	list_init(&post->link);
	text_add(&post->message, text);
	bool is_request = message->kind == JSONRPC_REQUEST;
	if (is_request) post->id = slice_copy(message->id.text);
	post->is_initialize = is_request && slice_is(message->method, "initialize");
	post->is_initialized = slice_is(message->method, "notifications/initialized");
	if (!text_failed(&post->message) && (post->id || !is_request)) return post;
	post_free(post);
	return NULL;
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
	if (!http->endpoint || leave(post, why)) return true;
	post_free(post);
	return false;
}
