/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_bridge: what leaves when, and what becomes of what failed. */
#include "cli/mcp_bridge.h"

#include "cli/mcp_bridge_parts.h"

#include <stdio.h>
#include <stdlib.h>

#define TRIES 4        /* of one line in sessions that end */
#define LOOKS 8        /* of one line at a gateway that is not there */
#define LOOK_MS 250    /* before the second, and as much longer before each one after it */
#define RESUMES 20     /* of one answer that was cut off */
#define RESUME_MS 1000 /* between them, unless the gateway says otherwise */
#define QUIET_MS 2000  /* after so long the gateway is looked for before it is asked */

/* ---- The gateway ---- */

static bool find(struct mcp_bridge *bridge, bool is_refused, struct fault *why) {
	struct mcp_address found = {0};
	if (!bridge->options.find(bridge->options.context, is_refused, &found, why)) {
		secret_wipe(&found, sizeof found);
		return false;
	}
	bridge->address = found;
	bridge->has_address = true;
	secret_wipe(&found, sizeof found);
	return true;
}

static bool is_sure(struct mcp_bridge *bridge, struct fault *why) {
	uint64_t now = loop_now(bridge->options.loop);
	bool is_quiet = list_is_empty(&bridge->sent) && now - bridge->heard_at > QUIET_MS;
	if (bridge->has_address && !is_quiet) return true;
	bridge->heard_at = now;
	return find(bridge, false, why);
}

/* ---- What leaves when ---- */

/* What changes what the following lines meet has to have arrived before they leave. */
static bool holds(const struct mcp_item *item) {
	return !item->is_request || item->kind == ITEM_HELLO || item->kind == ITEM_LEAVE;
}

static struct mcp_item *next_of(struct mcp_bridge *bridge) {
	struct link *heads[] = {&bridge->unseen, &bridge->again, &bridge->queue};
	for (size_t i = 0; i < COUNT_OF(heads); i++)
		if (!list_is_empty(heads[i])) return CONTAINER_OF(heads[i]->next, struct mcp_item, link);
	return NULL;
}

static void rest(struct mcp_bridge *bridge) {
	if (mcp_bridge_busy(bridge) == 0) bridge->options.rested(bridge->options.context);
}

static void settle(struct mcp_item *item);

static void pump(struct mcp_bridge *bridge) {
	struct mcp_item *item;
	while (!bridge->holder && (item = next_of(bridge))) {
		struct fault why = {0};
		if (is_sure(bridge, &why)) {
			if (holds(item)) bridge->holder = item;
			mcp_item_send(item);
		} else {
			item->why = why;
			settle(item);
		}
	}
}

/* ---- What becomes of what has ended ---- */

static void say_error(struct mcp_item *item) {
	struct mcp_bridge *bridge = item->bridge;
	AUTO_TEXT struct text words = {0}, line = {0};
	unsigned status = item->post ? mcp_post_status(item->post) : 0;
	text_init(&words, 0);
	text_init(&line, 0);
	if (item->problem.length) text_add(&words, text_slice(&item->problem));
	else if (item->why.code != FAULT_NONE) text_add_cstr(&words, item->why.text);
	else if (status / 100 != 2) text_printf(&words, "the gateway answered with status %u", status);
	else text_add_cstr(&words, "the gateway's answer ended before its result");
	log_write(bridge->options.log, LOG_WARNING, "%.*s", SLICE_ARGS(text_slice(&words)));
	if (item->is_unseen || !item->id) return;
	jsonrpc_write_error(&line, slice_of(item->id), JSONRPC_INTERNAL_ERROR, text_slice(&words), JSONRPC_PLAIN);
	if (!text_failed(&line)) bridge->options.say(bridge->options.context, text_slice(&line));
}

static void begin_session(struct mcp_item *item) {
	struct mcp_bridge *bridge = item->bridge;
	struct slice session = mcp_post_session(item->post);
	bridge->session[0] = '\0';
	bridge->session_number++;
	if (session.length < sizeof bridge->session)
		snprintf(bridge->session, sizeof bridge->session, "%.*s", SLICE_ARGS(session));
	if (item->is_unseen) return;
	mcp_renewal_forget(bridge);
	text_clear(&bridge->hello);
	text_add(&bridge->hello, slice_make(item->text, item->length));
}

static bool is_done_well(const struct mcp_item *item) {
	unsigned status = item->post ? mcp_post_status(item->post) : 0;
	return item->why.code == FAULT_NONE && status / 100 == 2;
}

/* It is told, and gone. */
static void settle(struct mcp_item *item) {
	struct mcp_bridge *bridge = item->bridge;
	bool is_missing = item->is_request && !item->is_answered;
	bool is_bad_notice = !item->is_request && item->kind != ITEM_LEAVE && !is_done_well(item);
	if (is_missing || is_bad_notice) say_error(item);
	if (item->kind == ITEM_HELLO && item->is_fine) begin_session(item);
	if (item->kind == ITEM_HELLO && item->is_unseen && !item->is_fine) mcp_renewal_end(bridge);
	if (item->is_fine && !item->is_unseen) mcp_renewal_note(bridge, item);
	bool may_listen = item->kind == ITEM_INITIALIZED && is_done_well(item);
	if (item->kind == ITEM_INITIALIZED && item->is_unseen) mcp_renewal_end(bridge);
	if (item->kind == ITEM_LEAVE) bridge->session[0] = '\0';
	mcp_item_close(item);
	if (may_listen) mcp_listening_begin(bridge);
	rest(bridge);
}

static void try_again(struct mcp_item *item) {
	struct mcp_bridge *bridge = item->bridge;
	if (bridge->holder == item) bridge->holder = NULL;
	list_remove(&item->link);
	list_append(item->is_unseen ? &bridge->unseen : &bridge->again, &item->link);
}

static void resume_now(struct deadline *deadline) {
	struct mcp_item *item = CONTAINER_OF(deadline, struct mcp_item, again);
	mcp_item_send(item);
}

/* MCP 2025-03-26 on: a stream that was cut off goes on behind the last event that came. */
static bool resume(struct mcp_item *item) {
	bool is_cut = item->is_request && !item->is_answered && !item->is_modern && item->post &&
		mcp_post_is_stream(item->post) && item->last_event.length && item->tries < RESUMES;
	if (!is_cut) return false;
	int64_t wait = mcp_post_retry_ms(item->post);
	item->is_resuming = true;
	deadline_set(item->bridge->options.loop, &item->again, wait >= 0 ? (uint64_t)wait : RESUME_MS, resume_now);
	return true;
}

static void look_now(struct deadline *deadline) {
	struct mcp_item *item = CONTAINER_OF(deadline, struct mcp_item, again);
	struct mcp_bridge *bridge = item->bridge;
	if (find(bridge, false, &item->why)) try_again(item);
	else settle(item);
	pump(bridge);
}

/* The gateway went, or is going: what may be done twice is asked again of the next one. */
static bool look_again(struct mcp_item *item) {
	unsigned status = item->post ? mcp_post_status(item->post) : 0;
	bool is_lost = item->why.code != FAULT_NONE && status == 0 && item->kind != ITEM_LEAVE;
	if (!is_lost || item->tries >= LOOKS || item->kind == ITEM_CALL) return false;
	log_write(item->bridge->options.log, LOG_INFO, "%s: looking for the gateway again", item->why.text);
	deadline_set(item->bridge->options.loop, &item->again, LOOK_MS * item->tries, look_now);
	return true;
}

static bool renew_token(struct mcp_item *item) {
	bool is_refused = item->post && mcp_post_status(item->post) == 401 && !item->had_token;
	if (!is_refused || !find(item->bridge, true, NULL)) return false;
	item->had_token = true;
	try_again(item);
	return true;
}

static bool renew_session(struct mcp_item *item) {
	struct mcp_bridge *bridge = item->bridge;
	bool is_gone = item->post && mcp_post_status(item->post) == 404 && !item->is_modern &&
		item->kind != ITEM_HELLO && item->kind != ITEM_LEAVE && bridge->session[0] && bridge->hello.length;
	if (!is_gone || item->is_unseen || item->tries >= TRIES) return false;
	item->is_resuming = false;
	if (item->session == bridge->session_number && !bridge->is_renewing) mcp_renewal_begin(bridge);
	try_again(item);
	return true;
}

static void ended(struct mcp_item *item) {
	struct mcp_bridge *bridge = item->bridge;
	bool goes_on = !item->is_answered && (renew_token(item) || renew_session(item) || resume(item) || look_again(item));
	if (!goes_on) settle(item);
	pump(bridge);
}

static void lost(struct mcp_bridge *bridge) {
	mcp_renewal_begin(bridge);
	pump(bridge);
}

/* ---- What the host says ---- */

static void refuse_line(struct mcp_bridge *bridge, const struct mcp_line *line, int64_t code,
	const char *words) {
	AUTO_TEXT struct text answer = {0};
	text_init(&answer, 0);
	jsonrpc_write_error(&answer, line->message.id.type ? line->message.id.text : SLICE_NONE, code,
		slice_of(words), JSONRPC_PLAIN);
	if (!text_failed(&answer)) bridge->options.say(bridge->options.context, text_slice(&answer));
}

static struct mcp_item *find_request(struct link *head, struct slice id) {
	LIST_EACH(link, head) {
		struct mcp_item *item = CONTAINER_OF(link, struct mcp_item, link);
		if (item->id && !item->is_unseen && slice_is(id, item->id)) return item;
	}
	return NULL;
}

/* What has not left is not sent; a modern request is cancelled by closing its stream. True: that was
 * all. */
static bool cancel(struct mcp_bridge *bridge, struct slice id) {
	struct mcp_item *item = find_request(&bridge->queue, id);
	if (!item) item = find_request(&bridge->again, id);
	if (!item) {
		item = find_request(&bridge->sent, id);
		if (item && !item->is_modern) item = NULL;
	}
	if (!item) return false;
	mcp_item_close(item);
	rest(bridge);
	return true;
}

static void take(struct mcp_bridge *bridge, struct slice text, struct arena *arena) {
	struct mcp_line line;
	struct fault why = {0};
	int64_t code = JSONRPC_PARSE_ERROR;
	if (!mcp_line_read(&line, text, arena, &code, &why)) {
		refuse_line(bridge, &line, code, why.text);
		return;
	}
	if (line.cancelled.bytes && cancel(bridge, line.cancelled)) return;
	struct mcp_item *item = mcp_item_open(bridge, text, &line);
	if (item) list_append(&bridge->queue, &item->link);
	else refuse_line(bridge, &line, JSONRPC_INTERNAL_ERROR, "no memory for the request");
}

void mcp_bridge_take(struct mcp_bridge *bridge, struct slice text) {
	char lent[4096];
	struct arena arena;
	if (text.length && text.bytes[text.length - 1] == '\r') text.length--;
	text = slice_trim(text);
	if (!text.length) return;
	arena_init(&arena, lent, sizeof lent, 0);
	take(bridge, text, &arena);
	arena_finish(&arena);
	pump(bridge);
}

/* ---- The whole ---- */

size_t mcp_bridge_busy(const struct mcp_bridge *bridge) {
	const struct link *heads[] = {&bridge->unseen, &bridge->again, &bridge->queue, &bridge->sent};
	size_t count = 0;
	for (size_t i = 0; i < COUNT_OF(heads); i++) {
		LIST_EACH(link, heads[i]) {
			if (CONTAINER_OF(link, struct mcp_item, link)->kind != ITEM_LISTEN) count++;
		}
	}
	return count;
}

bool mcp_bridge_leave(struct mcp_bridge *bridge) {
	mcp_listening_end(bridge);
	if (!bridge->session[0]) return false;
	struct mcp_item *item = mcp_item_leave(bridge);
	if (!item) return false;
	list_append(&bridge->queue, &item->link);
	pump(bridge);
	return true;
}

struct mcp_bridge *mcp_bridge_open(const struct mcp_bridge_options *options, struct fault *why) {
	struct mcp_bridge *bridge = calloc(1, sizeof *bridge);
	if (!bridge) return fault_null(why, FAULT_NO_MEMORY, "no memory for a bridge");
	bridge->options = *options;
	bridge->ended = ended;
	bridge->lost = lost;
	bridge->heard_at = loop_now(options->loop);
	list_init(&bridge->unseen);
	list_init(&bridge->again);
	list_init(&bridge->queue);
	list_init(&bridge->sent);
	list_init(&bridge->kept);
	text_init(&bridge->hello, 0);
	text_init(&bridge->listening.last_event, 0);
	bridge->desk = fetch_desk_open(options->loop, why);
	if (bridge->desk) return bridge;
	mcp_bridge_close(bridge);
	return NULL;
}

static void close_all(struct link *head) {
	while (!list_is_empty(head)) mcp_item_close(CONTAINER_OF(head->next, struct mcp_item, link));
}

void mcp_bridge_close(struct mcp_bridge *bridge) {
	if (!bridge) return;
	mcp_listening_end(bridge);
	close_all(&bridge->unseen);
	close_all(&bridge->again);
	close_all(&bridge->queue);
	close_all(&bridge->sent);
	mcp_renewal_forget(bridge);
	fetch_desk_close(bridge->desk);
	text_finish(&bridge->hello);
	text_finish(&bridge->listening.last_event);
	secret_wipe(&bridge->address, sizeof bridge->address);
	free(bridge);
}
