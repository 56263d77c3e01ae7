/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_room_own: said, looked around, read back. */
#include "gateway/mcp_room_own.h"

#include "base/clock.h"
#include "gateway/mcp_result.h"
#include "gateway/mcp_room_calls.h"
#include "gateway/rest_history.h"
#include "store/history.h"

#include <stdio.h>
#include <stdlib.h>

#define SAY_DEFINITION \
	"{\"name\":\"chat_say\",\"title\":\"Say something\",\"description\":\"Says something to everybody in " \
	"the room: people, agents and robots.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"text\":{" \
	"\"type\":\"string\"},\"format\":{\"type\":\"string\",\"enum\":[\"plain\",\"markdown\"],\"default\":" \
	"\"plain\"}},\"required\":[\"text\"]},\"annotations\":{\"readOnlyHint\":false,\"destructiveHint\":false," \
	"\"openWorldHint\":true}}"
#define PRESENCE_DEFINITION \
	"{\"name\":\"presence_get\",\"title\":\"Who is here\",\"description\":\"Lists who is in the room now, " \
	"and who you are there.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{}},\"annotations\":{" \
	"\"readOnlyHint\":true}}"
#define HISTORY_DEFINITION \
	"{\"name\":\"history\",\"title\":\"What was said\",\"description\":\"What was said and done in the room, " \
	"as envelopes, the most recent first. With `before`, the id of an envelope or a time: what came before " \
	"that.\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"limit\":{\"type\":\"integer\"," \
	"\"minimum\":1,\"maximum\":1000,\"default\":50},\"before\":{\"type\":\"string\"}}},\"annotations\":{" \
	"\"readOnlyHint\":true}}"

bool mcp_room_own_has(struct slice name) {
	static const char *const names[] = {"chat_say", "chat.say", "presence_get", "presence.get", "history"};
	for (size_t i = 0; i < COUNT_OF(names); i++)
		if (slice_is(name, names[i])) return true;
	return false;
}

void mcp_room_own_write(struct text *to) {
	text_add_cstr(to, SAY_DEFINITION "," PRESENCE_DEFINITION "," HISTORY_DEFINITION);
}

/* ---- Words for results ---- */

static void answer_wrong(struct mcp_room_call *one, const char *words) {
	mcp_result_write_words(&one->result, slice_of(words), true, SLICE_NONE);
	mcp_room_call_answer_later(one);
}

/* An object, as text too for those who know no structured content. */
static void answer_object(struct mcp_room_call *one, const struct text *object) {
	if (text_failed(object)) one->result.failed = true;
	else mcp_result_write_words(&one->result, text_slice(object), false, text_slice(object));
	mcp_room_call_answer_later(one);
}

static void release_nothing(struct mcp_room_call *one) { (void)one; }

static void cancel(struct mcp_room_call *one, const char *reason) {
	(void)reason;
	mcp_room_call_free(one);
}

/* ---- chat_say ---- */

struct room_saying {
	struct mcp_room_call base;
	struct deadline deadline;
	bool is_over;
	char id[IDENT_UUID_SIZE];
};

static struct room_saying *saying_of(struct mcp_room_call *one) {
	return CONTAINER_OF(one, struct room_saying, base);
}

static void release_saying(struct mcp_room_call *one) { deadline_clear(&saying_of(one)->deadline); }

/* Its echo says that it is stored, and that everybody has it. */
static void say_heard(struct mcp_room_call *one, const struct envelope *envelope,
	enum guest_moment moment) {
	struct room_saying *saying = saying_of(one);
	AUTO_TEXT struct text object = {0};
	if (saying->is_over || moment != GUEST_OWN || !slice_is(envelope->id, saying->id)) return;
	saying->is_over = true;
	text_init(&object, 0);
	text_printf(&object, "{\"status\":\"broadcasted\",\"id\":\"%s\"}", saying->id);
	answer_object(one, &object);
}

static void say_refused(struct mcp_room_call *one, const struct guest_refusal *refusal) {
	struct room_saying *saying = saying_of(one);
	AUTO_TEXT struct text words = {0};
	if (saying->is_over || !slice_is(refusal->id, saying->id)) return;
	saying->is_over = true;
	text_init(&words, 0);
	text_add_cstr(&words, "It was not said: ");
	text_display(&words, refusal->message);
	mcp_result_write_words(&one->result, text_slice(&words), true, SLICE_NONE);
	mcp_room_call_answer_later(one);
}

/* What has left for the room is said. */
static void cancel_saying(struct mcp_room_call *one, const char *reason) {
	(void)membership_withdraw(guest_membership(one->room->guest), slice_of(saying_of(one)->id));
	cancel(one, reason);
}

static const struct mcp_room_way saying_way = {
	.cancel = cancel_saying,
	.release = release_saying,
	.heard = say_heard,
	.refused = say_refused,
};

static void not_confirmed(struct deadline *deadline) {
	struct room_saying *saying = CONTAINER_OF(deadline, struct room_saying, deadline);
	saying->is_over = true;
	answer_wrong(&saying->base, "It is not known whether it was said: the room did not confirm it in time");
}

static bool read_saying(const struct scan_value *arguments, struct arena *arena, struct slice *text,
	bool *is_markdown) {
	struct scan_value value;
	struct slice format = SLICE("plain");
	if (!scan_find(arguments, "text", &value) || !scan_string(&value, arena, text)) return false;
	if (scan_find(arguments, "format", &value) && !scan_string(&value, arena, &format)) return false;
	*is_markdown = slice_is(format, "markdown");
	return *is_markdown || slice_is(format, "plain");
}

static bool it_fits(const struct mcp_room *room, struct slice words, struct fault *why) {
	AUTO_TEXT struct text written = {0};
	text_init(&written, 0);
	text_json(&written, words);
	if (text_failed(&written)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a message");
	return mcp_room_fits(room, written.length, why);
}

static bool start_saying(struct mcp_room *room, struct mcp_call *call,
	const struct scan_value *arguments, struct fault *why) {
	struct room_saying *saying = calloc(1, sizeof *saying);
	char lent[1024];
	struct arena arena;
	struct slice text;
	bool is_markdown;
	if (!saying) return fault_set(why, FAULT_NO_MEMORY, "no memory for the call: try again");
	arena_init(&arena, lent, sizeof lent, 0);
	mcp_room_call_begin(&saying->base, room, call, &saying_way);
	if (!read_saying(arguments, &arena, &text, &is_markdown)) {
		saying->is_over = true;
		answer_wrong(&saying->base, "chat_say needs `text`, a string; `format` is plain or markdown");
	} else if (!it_fits(room, text, why) || !guest_say(room->guest, SLICE_NONE, text, is_markdown, saying->id, why)) {
		saying->is_over = true;
		answer_wrong(&saying->base, why->text);
	} else
		deadline_set(mcp_room_loop(room), &saying->deadline, MCP_ROOM_SAY_MS, not_confirmed);
	arena_finish(&arena);
	return true;
}

/* ---- presence_get ---- */

void mcp_room_own_write_presence(const struct mcp_room *room, struct text *to) {
	AUTO_TEXT struct text others = {0};
	struct guest *guest = room->guest;
	struct slice you = membership_id(guest_membership(guest));
	const char *begin = "{\"participants\":[";
	text_init(&others, 0);
	roster_write(guest_roster(guest), &others);
	if (text_failed(&others)) {
		to->failed = true;
		return;
	}
	text_add_cstr(to, "{\"topic\":");
	text_json(to, slice_of(room->topic));
	text_add_cstr(to, ",\"you\":");
	text_json(to, you);
	text_add_cstr(to, ",\"privilege\":");
	text_json(to, guest_privilege(guest));
	text_add_cstr(to, ",\"participants\":[{\"id\":");
	text_json(to, you);
	text_add_cstr(to, ",\"privilege\":");
	text_json(to, guest_privilege(guest));
	text_add_cstr(to, roster_count(guest_roster(guest)) ? "}," : "}");
	text_add(to, slice_make(others.bytes + strlen(begin), others.length - strlen(begin)));
}

static const struct mcp_room_way plain_way = {.cancel = cancel, .release = release_nothing};

static bool start_presence(struct mcp_room *room, struct mcp_call *call, struct fault *why) {
	AUTO_TEXT struct text object = {0};
	struct mcp_room_call *one = calloc(1, sizeof *one);
	if (!one) return fault_set(why, FAULT_NO_MEMORY, "no memory for the call: try again");
	text_init(&object, 0);
	mcp_room_call_begin(one, room, call, &plain_way);
	mcp_room_own_write_presence(room, &object);
	answer_object(one, &object);
	return true;
}

/* ---- history ---- */

/* What the store is asked; it outlives the call, since the store cannot be called back. */
struct room_page {
	struct history history;
	struct room_reading *reading; /* NULL: nobody waits for it */
	char topic[MCP_ROOM_TOPIC + 1];
	char before[ENVELOPE_NAME + 1];
};

struct room_reading {
	struct mcp_room_call base;
	struct room_page *page; /* NULL: none is asked for */
};

static struct room_reading *reading_of(struct mcp_room_call *one) {
	return CONTAINER_OF(one, struct room_reading, base);
}

static void release_reading(struct mcp_room_call *one) {
	struct room_reading *reading = reading_of(one);
	if (reading->page) reading->page->reading = NULL;
}

static const struct mcp_room_way reading_way = {.cancel = cancel, .release = release_reading};

static void answer_page(struct room_reading *reading, const struct room_page *page) {
	const struct history *history = &page->history;
	AUTO_TEXT struct text object = {0};
	text_init(&object, 0);
	if (history->failed)
		answer_wrong(&reading->base, history->why.text);
	else if (page->before[0] && !history->before_is_time && !history->found)
		answer_wrong(&reading->base, "`before`: no envelope of this room has that id");
	else {
		rest_history_write(&object, history, slice_of(page->topic), ENVELOPE_V01);
		answer_object(&reading->base, &object);
	}
}

static void page_came(struct history *history) {
	struct room_page *page = CONTAINER_OF(history, struct room_page, history);
	if (page->reading) {
		page->reading->page = NULL;
		answer_page(page->reading, page);
	}
	history_finish(history);
	free(page);
}

static bool read_question(const struct scan_value *arguments, struct room_page *page) {
	struct scan_value value;
	struct slice before;
	char lent[512];
	struct arena arena;
	int64_t limit = MCP_ROOM_HISTORY;
	if (scan_find(arguments, "limit", &value) && !scan_integer(&value, &limit)) return false;
	if (limit < 1 || limit > HISTORY_COUNT) return false;
	page->history.limit = (size_t)limit;
	if (!scan_find(arguments, "before", &value)) return true;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_read = scan_string(&value, &arena, &before) && before.length && before.length < sizeof page->before;
	if (is_read) memcpy(page->before, before.bytes, before.length);
	arena_finish(&arena);
	page->history.before_is_time = is_read && clock_read(slice_of(page->before), &page->history.before_time);
	return is_read;
}

static struct room_page *make_page(const struct mcp_room *room) {
	struct room_page *page = calloc(1, sizeof *page);
	if (!page) return NULL;
	memcpy(page->topic, room->topic, sizeof page->topic);
	page->history.loop = mcp_room_loop(room);
	page->history.answered = page_came;
	page->history.kind = HISTORY_PAGE;
	page->history.topic = slice_of(page->topic);
	return page;
}

static bool start_reading(struct mcp_room *room, struct mcp_call *call,
	const struct scan_value *arguments, struct fault *why) {
	struct gateway *gateway = room->face->gateway;
	struct room_reading *reading = calloc(1, sizeof *reading);
	struct room_page *page = reading ? make_page(room) : NULL;
	if (!page) {
		free(reading);
		return fault_set(why, FAULT_NO_MEMORY, "no memory for the call: try again");
	}
	mcp_room_call_begin(&reading->base, room, call, &reading_way);
	if (!read_question(arguments, page)) {
		answer_wrong(&reading->base, "history takes `limit`, 1 to 1000, and `before`, an envelope's id or a time");
	} else if (!gateway->rooms_settings.history) {
		page->before[0] = '\0';
		answer_page(reading, page);
	} else {
		if (!page->history.before_is_time) page->history.before = slice_of(page->before);
		page->reading = reading;
		reading->page = page;
		if (history_ask(gateway->store, &page->history, why)) return true;
		reading->page = NULL;
		answer_wrong(&reading->base, why->text);
	}
	free(page);
	return true;
}

bool mcp_room_own_start(struct mcp_room *room, struct mcp_call *call, struct slice name,
	const struct scan_value *arguments, struct fault *why) {
	if (slice_starts_with(name, "chat")) return start_saying(room, call, arguments, why);
	if (slice_starts_with(name, "presence")) return start_presence(room, call, why);
	return start_reading(room, call, arguments, why);
}
