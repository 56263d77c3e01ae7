/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_item: a line on its way, and what comes back for it. */
#include "cli/mcp_bridge_parts.h"

#include <stdio.h>
#include <stdlib.h>

static enum mcp_item_kind kind_of(const struct mcp_line *line) {
	static const struct {
		const char *method;
		enum mcp_item_kind kind;
	} rows[] = {
		{"initialize", ITEM_HELLO},
		{"notifications/initialized", ITEM_INITIALIZED},
		{"resources/subscribe", ITEM_SUBSCRIBE},
		{"resources/unsubscribe", ITEM_UNSUBSCRIBE},
		{"logging/setLevel", ITEM_LEVEL},
		{"tools/call", ITEM_CALL},
		{"subscriptions/listen", ITEM_LISTEN},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++)
		if (slice_is(line->message.method, rows[i].method)) return rows[i].kind;
	return ITEM_OTHER;
}

struct mcp_item *mcp_item_open(struct mcp_bridge *bridge, struct slice text, const struct mcp_line *line) {
	struct mcp_item *item = calloc(1, sizeof *item);
	if (!item) return NULL;
	list_init(&item->link);
	item->bridge = bridge;
	item->kind = kind_of(line);
	item->is_request = line->is_request;
	item->is_modern = line->is_modern;
	text_init(&item->last_event, 0);
	text_init(&item->problem, 0);
	item->text = slice_copy(text);
	item->length = text.length;
	bool has_id = line->is_request && !line->is_batch;
	if (has_id) item->id = slice_copy(line->message.id.text);
	if (line->name.bytes) item->uri = slice_copy(line->name);
	if (item->text && (item->id || !has_id) && (item->uri || !line->name.bytes)) return item;
	mcp_item_close(item);
	return NULL;
}

struct mcp_item *mcp_item_leave(struct mcp_bridge *bridge) {
	struct mcp_item *item = calloc(1, sizeof *item);
	if (!item) return NULL;
	list_init(&item->link);
	item->bridge = bridge;
	item->kind = ITEM_LEAVE;
	item->is_unseen = true;
	return item;
}

void mcp_item_close(struct mcp_item *item) {
	if (!item) return;
	list_remove(&item->link);
	if (item->bridge->holder == item) item->bridge->holder = NULL;
	task_clear(&item->over);
	deadline_clear(&item->again);
	mcp_post_close(item->post);
	text_finish(&item->last_event);
	text_finish(&item->problem);
	free(item->text);
	free(item->id);
	free(item->uri);
	free(item);
}

/* ---- What comes back ---- */

static void take_version(struct mcp_bridge *bridge, const struct jsonrpc *message) {
	struct scan_value version;
	if (!scan_find(&message->result, "protocolVersion", &version) || version.escaped ||
		version.type != SCAN_STRING || version.text.length - 2 >= sizeof bridge->version)
		return;
	snprintf(bridge->version, sizeof bridge->version, "%.*s", (int)version.text.length - 2,
		version.text.bytes + 1);
}

/* An error that could not be tied to its request; the host knows it by no other id. */
static void say_refusal(struct mcp_item *item, const struct jsonrpc *message) {
	AUTO_TEXT struct text line = {0};
	text_init(&line, 0);
	jsonrpc_write_error(&line, slice_of(item->id), message->code, message->message, SLICE_NONE);
	if (!text_failed(&line)) item->bridge->options.say(item->bridge->options.context, text_slice(&line));
}

static void take_answer(struct mcp_item *item, const struct jsonrpc *message, struct slice json) {
	struct mcp_bridge *bridge = item->bridge;
	item->is_answered = true;
	item->is_fine = message->kind == JSONRPC_RESULT;
	if (item->kind == ITEM_HELLO && item->is_fine) take_version(bridge, message);
	if (item->is_unseen) return;
	bool has_id = message->id.type == SCAN_STRING || message->id.type == SCAN_NUMBER;
	if (!has_id && item->id) say_refusal(item, message);
	else bridge->options.say(bridge->options.context, json);
}

/* The gateway's own errors are {"code":..., "message":...}. */
static void note_problem(struct mcp_item *item, struct slice json, struct arena *arena) {
	struct scan_value root, value;
	struct scan_fault fault;
	struct slice words;
	if (!scan_check(json, SCAN_DEPTH, &root, &fault) || !scan_find(&root, "message", &value) ||
		!scan_string(&value, arena, &words))
		return;
	words.length = slice_cut(words, 300);
	text_clear(&item->problem);
	text_add(&item->problem, words);
}

static bool is_gone(const struct mcp_item *item) {
	return !item->is_modern && item->kind != ITEM_HELLO && mcp_post_status(item->post) == 404;
}

static void message_came(void *context, struct slice json) {
	struct mcp_item *item = context;
	struct mcp_bridge *bridge = item->bridge;
	struct jsonrpc message;
	struct scan_value root;
	struct scan_fault fault;
	struct arena arena;
	char lent[2048];
	int64_t code;
	if (is_gone(item)) return; /* it is tried again, or told by then */
	arena_init(&arena, lent, sizeof lent, 0);
	if (json.bytes[0] == '[' && scan_check(json, SCAN_DEPTH, &root, &fault)) {
		item->is_answered = true;
		bridge->options.say(bridge->options.context, json);
	} else if (!jsonrpc_read(&message, json, &arena, &code, NULL)) {
		note_problem(item, json, &arena);
	} else if (message.kind == JSONRPC_RESULT || message.kind == JSONRPC_ERROR) {
		if (item->is_request || message.id.type == SCAN_STRING || message.id.type == SCAN_NUMBER)
			take_answer(item, &message, json);
		else note_problem(item, message.error.text, &arena);
	} else {
		bridge->options.say(bridge->options.context, json);
	}
	arena_finish(&arena);
}

static void over(struct task *task) {
	struct mcp_item *item = CONTAINER_OF(task, struct mcp_item, over);
	item->bridge->ended(item);
}

static void done(void *context, const struct fault *why) {
	struct mcp_item *item = context;
	item->why = why ? *why : (struct fault){0};
	item->bridge->heard_at = loop_now(item->bridge->options.loop);
	struct slice event = mcp_post_last_event(item->post);
	if (event.length) {
		text_clear(&item->last_event);
		text_add(&item->last_event, event);
	}
	loop_later(item->bridge->options.loop, &item->over, over);
}

static const struct mcp_post_events post_table = {message_came, done};

/* ---- Out ---- */

static bool post(struct mcp_item *item, struct fault *why) {
	struct mcp_bridge *bridge = item->bridge;
	char lent[2048];
	struct arena arena;
	struct mcp_line line;
	int64_t code;
	bool is_post = item->text && !item->is_resuming;
	bool has_session = !item->is_modern && item->kind != ITEM_HELLO;
	arena_init(&arena, lent, sizeof lent, 0);
	struct mcp_post_options options = {
		.desk = bridge->desk,
		.method = is_post ? "POST" : item->is_resuming ? "GET"
							       : "DELETE",
		.url = bridge->address.url,
		.token = bridge->address.token,
		.ca = bridge->address.ca,
		.session = has_session ? bridge->session : "",
		.version = has_session ? bridge->version : "",
		.last_event = item->is_resuming ? text_slice(&item->last_event) : SLICE_NONE,
		.body = is_post ? slice_make(item->text, item->length) : SLICE_NONE,
	};
	bool is_read = !item->is_modern || mcp_line_read(&line, options.body, &arena, &code, why);
	if (item->is_modern) options.line = &line;
	if (is_read) item->post = mcp_post_open(&options, &post_table, item, why);
	arena_finish(&arena);
	return item->post != NULL;
}

void mcp_item_send(struct mcp_item *item) {
	struct mcp_bridge *bridge = item->bridge;
	mcp_post_close(TAKE(item->post));
	list_remove(&item->link);
	list_append(&bridge->sent, &item->link);
	item->session = bridge->session_number;
	item->tries++;
	text_clear(&item->problem);
	if (post(item, &item->why)) return;
	loop_later(bridge->options.loop, &item->over, over);
}
