/* SPDX-License-Identifier: Apache-2.0 */
/* Rest history: a question to the store for an exchange that waits. The room is asked first whether
 * there is such a topic. */
#include "gateway/rest_history.h"

#include "base/clock.h"
#include "gateway/rest_topics.h"
#include "gateway/visit.h"
#include "room/greeting.h"

#include <stdlib.h>

struct page {
	struct history history;
	struct visit *visit;
	enum envelope_dialect dialect;
	size_t limit;
	bool is_time;
	int64_t time;
};

void rest_history_write(struct text *body, const struct history *answer, struct slice topic,
	enum envelope_dialect dialect) {
	char lent[4096];
	struct arena arena;
	struct slice last = SLICE_NONE;
	arena_init(&arena, lent, sizeof lent, 0);
	text_add_cstr(body, "{\"topic\":");
	text_json(body, topic);
	text_add_cstr(body, ",\"envelopes\":[");
	for (size_t i = 0, listed = 0; i < answer->count; i++) {
		size_t before = body->length;
		if (listed) text_add_char(body, ',');
		arena_reset(&arena);
		if (greeting_write_stored(body, answer->records[i].text, dialect, &arena)) {
			listed++;
			last = answer->records[i].text;
		} else
			body->length = before;
	}
	text_add_cstr(body, "],\"next_before\":");
	struct envelope envelope;
	struct envelope_refusal refusal;
	arena_reset(&arena);
	if (answer->more && last.bytes && envelope_read(&envelope, last, &arena, &refusal))
		text_json(body, envelope.id);
	else
		text_add_cstr(body, "null");
	text_add_char(body, '}');
	arena_finish(&arena);
}

static void answered(struct history *history) {
	struct page *page = CONTAINER_OF(history, struct page, history);
	struct visit *visit = page->visit;
	if (history->failed) {
		visit->failed = true;
		visit->fault = history->why;
	} else if (visit->text.length && !page->is_time && !history->found)
		visit->failed = !fault_set(&visit->fault, FAULT_BAD_INPUT,
			"query before: no envelope of this topic has that id");
	else
		rest_history_write(&visit->body, history, visit->topic, page->dialect);
	history_finish(history);
	visit_done(visit);
}

static bool write_empty(struct visit *visit) {
	const struct history none = {.count = 0};
	rest_history_write(&visit->body, &none, visit->topic, ENVELOPE_V01);
	return true;
}

static bool ask(struct visit *visit, struct room *room) {
	struct page *page = visit->context;
	struct rooms *rooms = room->rooms;
	if (!rooms->settings.history) return write_empty(visit);
	page->visit = visit;
	page->history = (struct history){
		.loop = rooms->loop,
		.answered = answered,
		.kind = HISTORY_PAGE,
		.topic = visit->topic,
		.limit = page->limit,
		.before = page->is_time ? SLICE_NONE : visit->text,
		.before_is_time = page->is_time,
		.before_time = page->time,
	};
	if (history_ask(rooms->store, &page->history, &visit->fault)) return false;
	visit->failed = true;
	return true;
}

static void finish(struct visit *visit) { free(visit->context); }

static bool read_question(struct exchange *exchange, struct page *page, struct slice *before) {
	struct slice protocol;
	uint64_t limit;
	if (!exchange_query_number(exchange, "limit", 1, HISTORY_COUNT, 100, &limit) ||
		!exchange_query(exchange, "before", before) || !exchange_query(exchange, "protocol", &protocol))
		return false;
	page->limit = (size_t)limit;
	page->is_time = before->length && clock_read(*before, &page->time);
	page->dialect = ENVELOPE_V01;
	if (!protocol.bytes || envelope_dialect_read(protocol, &page->dialect)) return true;
	exchange_error(exchange, 400, "bad_protocol", "query protocol must be mcp-x/v0 or mcpx/v0.1");
	return false;
}

void rest_history(struct exchange *exchange) {
	static const struct visit_steps steps = {.ask = ask, .finish = finish};
	struct slice topic, before;
	if (!rest_topic(exchange, &topic)) return;
	struct page *page = calloc(1, sizeof *page);
	if (!page) {
		exchange_error(exchange, 503, "no_memory", "no memory for the answer: try again");
		return;
	}
	if (!read_question(exchange, page, &before) ||
		!visit_start(exchange, topic, ROOMS_KNOWN, before, SLICE_NONE, &steps, page))
		free(page);
}
