/* SPDX-License-Identifier: Apache-2.0 */
/* Remote post: leaves with the headers of its era, and reads its answer. */
#include "client/remote_post.h"

#include "client/remote_stream.h"
#include "mcp/mcp_header.h"
#include "mcp/peer_events.h"
#include "wire/jsonrpc.h"
#include "wire/sse.h"

#include <stdio.h>
#include <stdlib.h>

struct remote_post {
	struct link link;
	struct remote *remote;
	struct fetch *fetch;
	char *id;      /* of a request, JSON text; NULL: a notification or an answer */
	char *session; /* it is of; NULL: of none */
	bool is_initialize, is_initialized;
	bool is_over; /* nobody wants its answer; freed by the task */
	bool is_stream, is_answered;
	int64_t retry_ms;
	struct sse events;
	struct text body;
	struct task going;
};

static void post_free(struct remote_post *post) {
	task_clear(&post->going);
	fetch_close(TAKE(post->fetch));
	list_remove(&post->link);
	text_finish(&post->body);
	sse_finish(&post->events);
	free(post->id);
	free(post->session);
	free(post);
}

static void free_later(struct task *task) {
	post_free(CONTAINER_OF(task, struct remote_post, going));
}

static void go(struct remote_post *post) {
	post->is_over = true;
	loop_later(post->remote->loop, &post->going, free_later);
}

void remote_posts_close(struct remote *remote) {
	while (!list_is_empty(&remote->posts))
		post_free(CONTAINER_OF(remote->posts.next, struct remote_post, link));
}

/* ---- Its answer ---- */

static bool event_came(void *context, const struct sse_event *event) {
	struct remote_post *post = context;
	if (event->retry_ms >= 0) post->retry_ms = event->retry_ms;
	if (!event->data.length) return true;
	if (remote_answers(event->data, post->id)) post->is_answered = true;
	remote_heard(post->remote, event->data);
	return !post->is_over && !post->remote->is_closed;
}

static void head_came(void *context, struct fetch *fetch, unsigned status) {
	struct remote_post *post = context;
	struct remote *remote = post->remote;
	struct slice session = fetch_header(fetch, "mcp-session-id");
	post->is_stream = status == 200 && remote_is_events(fetch);
	if (!post->is_initialize || status != 200 || !session.length) return;
	free(remote->session);
	remote->session = slice_copy(session);
}

static void piece_came(void *context, struct slice bytes) {
	struct remote_post *post = context;
	struct fault why;
	if (post->is_over || post->remote->is_closed) return;
	if (!post->is_stream) text_add(&post->body, bytes);
	else if (!sse_read(&post->events, bytes, event_came, post, &why) && !post->is_over) {
		remote_failed(post->remote, post->id, &why);
		go(post);
	}
}

/* An error that does not name our request, with a status that says it is about it: it gets our id. */
static bool hear_nameless(const struct remote_post *post, struct slice body) {
	char lent[REMOTE_SCRATCH];
	struct arena arena;
	struct jsonrpc read;
	struct scan_value data;
	AUTO_TEXT struct text named = {0};
	int64_t code;
	text_init(&named, 0);
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_error = post->id && jsonrpc_read(&read, body, &arena, &code, NULL) &&
		read.kind == JSONRPC_ERROR && (read.id.type == SCAN_NULL || read.id.type == SCAN_NONE);
	if (is_error)
		jsonrpc_write_error(&named, slice_of(post->id), read.code, read.message,
			scan_find(&read.error, "data", &data) ? data.text : SLICE_NONE);
	arena_finish(&arena);
	if (!is_error || text_failed(&named)) return false;
	remote_heard(post->remote, text_slice(&named));
	return true;
}

/* Another post may have found out before, and the session is a new one by now. */
static void lose_session(struct remote_post *post) {
	struct remote *remote = post->remote;
	struct fault why;
	bool is_first = remote->session && strcmp(remote->session, post->session) == 0;
	fault_set(&why, FAULT_NOT_READY, "the server has forgotten our session");
	if (is_first) {
		free(TAKE(remote->session));
		remote->events->forgot(remote->context);
		remote_streams_lose(remote, &why);
	}
	remote_failed(remote, post->id, &why);
}

static void read_answer(struct remote_post *post, unsigned status) {
	struct remote *remote = post->remote;
	struct slice body = text_slice(&post->body);
	struct fault why;
	if (status == 404 && post->session) lose_session(post);
	else if (text_failed(&post->body)) {
		fault_set(&why, FAULT_TOO_LARGE, "the server's answer is over 64 MiB, or there is no memory for it");
		remote_failed(remote, post->id, &why);
	} else if (remote_answers(body, post->id))
		remote_heard(remote, body);
	else if (status < 400 || !hear_nameless(post, body)) {
		remote_status_fault(&why, status);
		remote_failed(remote, post->id, &why);
	}
}

/* The stream ended without the answer: a legacy server may go on with it elsewhere. */
static void go_on(struct remote_post *post, const struct fault *why) {
	struct remote *remote = post->remote;
	const struct remote_place place = {.last = text_slice(&post->events.id), .retry_ms = post->retry_ms};
	struct fault own;
	if (post->is_answered || !post->id) return;
	if (why) own = *why;
	else fault_set(&own, FAULT_CLOSED, "the server's answer broke off");
	bool may_go_on = !remote->is_modern && place.last.length;
	if (may_go_on && remote_stream_resume(remote, post->id, &place, &own)) return;
	remote_failed(remote, post->id, &own);
}

static void done(void *context, const struct fetch_answer *answer, const struct fault *why) {
	struct remote_post *post = context;
	struct remote *remote = post->remote;
	if (post->is_over || remote->is_closed) return;
	bool opens_stream = post->is_initialized && answer && answer->status < 300;
	if (post->events.retry_ms >= 0) post->retry_ms = post->events.retry_ms;
	if (post->is_stream) go_on(post, why);
	else if (why) remote_failed(remote, post->id, why);
	else read_answer(post, answer->status);
	if (post->is_initialized) remote->opens = true;
	bool is_opening = opens_stream && !remote->is_closed && remote_stream_open(remote, NULL);
	if (post->is_initialized && !is_opening) remote_opened(remote);
	if (!post->is_over) go(post);
}

/* ---- Leaving ---- */

struct lines {
	const char *lines[MCP_HEADER_PARAMS + 8];
	size_t count;
	struct arena *arena;
};

static bool add_line(struct lines *lines, const char *name, struct slice value) {
	AUTO_TEXT struct text line = {0};
	struct slice copy;
	text_init(&line, 0);
	mcp_header_write(&line, name, value);
	if (text_failed(&line) || !arena_copy(lines->arena, text_slice(&line), &copy)) return false;
	lines->lines[lines->count++] = copy.bytes;
	return true;
}

static bool add_param(void *context, const struct mcp_header_param *param) {
	struct lines *lines = context;
	char name[160];
	if (param->value.type == SCAN_NONE) return true;
	int length = snprintf(name, sizeof name, "Mcp-Param-%.*s", SLICE_ARGS(param->name));
	/* libcurl takes "Name:" for a header to be left out, and "Name;" for one without a value. */
	struct slice value = mcp_header_value(&param->value, lines->arena);
	if (length >= (int)sizeof name || !value.bytes) return false;
	if (value.length) return add_line(lines, name, value);
	name[length] = ';';
	name[length + 1] = '\0';
	struct slice copy;
	if (length + 1 >= (int)sizeof name || !arena_copy(lines->arena, slice_of(name), &copy)) return false;
	lines->lines[lines->count++] = copy.bytes;
	return true;
}

static bool add_params(const struct remote *remote, struct lines *lines,
	const struct jsonrpc *message, struct slice tool, struct fault *why) {
	struct scan_value arguments;
	struct slice schema = remote->events->schema(remote->context, tool);
	struct scan_value root = {.text = schema, .type = schema.length ? SCAN_OBJECT : SCAN_NONE};
	if (!scan_find(&message->params, "arguments", &arguments)) arguments.type = SCAN_NONE;
	return mcp_header_params(&root, &arguments, lines->arena, add_param, lines, why);
}

/* A modern server reads the method, the name and marked arguments beside the body. */
static bool add_routing(const struct remote *remote, struct lines *lines,
	const struct jsonrpc *message, struct fault *why) {
	struct slice name = mcp_header_name(message->method, &message->params, lines->arena);
	bool is_fine = add_line(lines, "Mcp-Method", message->method) &&
		(!name.bytes || add_line(lines, "Mcp-Name", name));
	if (!is_fine) return fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	return !slice_is(message->method, "tools/call") || add_params(remote, lines, message, name, why);
}

static bool leave(struct remote_post *post, const struct jsonrpc *message, struct slice text,
	struct arena *arena, struct fault *why) {
	static const struct fetch_events events = {.head = head_came, .piece = piece_came, .done = done};
	struct remote *remote = post->remote;
	struct lines lines = {.lines = {"Content-Type: application/json",
				      "Accept: application/json, text/event-stream"},
		.count = 2,
		.arena = arena};
	if (remote->is_modern && message->method.length && !add_routing(remote, &lines, message, why))
		return false;
	const struct fetch_options options = {
		.method = "POST",
		.url = remote->url,
		.ca = remote->ca,
		.headers = remote_headers(remote, arena, lines.lines),
		.body = text,
		.deadline_ms = UINT64_MAX, /* whoever asks has a deadline */
	};
	if (!options.headers) return fault_set(why, FAULT_TOO_LARGE, "too many headers, or no memory for them");
	post->fetch = fetch_open(remote->desk, &options, &events, post, why);
	return post->fetch != NULL;
}

static struct remote_post *make(struct remote *remote, const struct jsonrpc *message) {
	struct remote_post *post = calloc(1, sizeof *post);
	bool is_request = message->kind == JSONRPC_REQUEST;
	if (!post) return NULL;
	post->remote = remote;
	post->retry_ms = -1;
	text_init(&post->body, CARRIER_MESSAGE);
	sse_init(&post->events, CARRIER_MESSAGE);
	list_append(&remote->posts, &post->link);
	if (is_request) post->id = slice_copy(message->id.text);
	if (remote->session && !remote->is_modern) post->session = slice_copy(slice_of(remote->session));
	post->is_initialize = is_request && slice_is(message->method, "initialize");
	post->is_initialized = slice_is(message->method, "notifications/initialized");
	if (post->id || !is_request) return post;
	post_free(post);
	return NULL;
}

/* Whoever has cancelled waits for no answer. True: a modern server hears of it by that alone. */
static bool cancel(struct remote *remote, const struct jsonrpc *message) {
	struct scan_value id;
	if (!slice_is(message->method, "notifications/cancelled")) return false;
	if (!scan_find(&message->params, "requestId", &id)) return remote->is_modern;
	LIST_EACH(link, &remote->posts) {
		struct remote_post *post = CONTAINER_OF(link, struct remote_post, link);
		if (post->id && slice_is(id.text, post->id)) go(post);
	}
	remote_stream_forget(remote, id.text);
	return remote->is_modern;
}

bool remote_post_send(struct remote *remote, struct slice text, char *sent, struct fault *why) {
	char lent[REMOTE_SCRATCH];
	struct arena arena;
	struct jsonrpc message;
	int64_t code;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_sent = false, is_sound = jsonrpc_read(&message, text, &arena, &code, why);
	if (is_sound && cancel(remote, &message)) is_sent = true;
	else if (is_sound) {
		struct remote_post *post = make(remote, &message);
		if (!post) fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
		else if (!(is_sent = leave(post, &message, text, &arena, why))) post_free(post);
		else if (post->id) snprintf(sent, PEER_TAG, "%.*s", PEER_TAG - 1, post->id);
	}
	arena_finish(&arena);
	return is_sent;
}
