/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted seat list: a list of the server's in pages that fit into envelopes. A cursor is how many items
 * came before. */
#include "gateway/hosted_seat_parts.h"

#include "gateway/mcp_asker.h"

#include <stdlib.h>

#define PAGE_ITEMS 100

struct seat_list {
	struct seat_errand errand;
	struct hosted_wait *wait;
	char *from; /* the participant's id */
	enum hosted_kind kind;
	uint64_t cursor;
};

static void list_free(struct seat_list *list) {
	free(list->from);
	free(list);
}

static void give_up(struct seat_errand *errand, const char *reason) {
	struct seat_list *list = CONTAINER_OF(errand, struct seat_list, errand);
	(void)reason;
	hosted_items_cancel(list->wait);
	list_free(list);
}

/* At least one item a page, so that every list comes to its end; one that no envelope could hold is
 * left out, and the log says so. */
static void write_page(const struct seat_list *list, const struct hosted_items *items,
	struct text *to) {
	const struct hosted_seat *seat = list->errand.seat;
	size_t most = seat->gateway->settings.max_message / 2, count = hosted_items_count(items);
	size_t at = list->cursor, written = 0;
	const struct call_asker asker = {.principal = slice_of(list->from), .is_in_room = true};
	/* A governed server's tools are those that the kernel knows, each shown to who may use it (MGP 5). */
	const struct governed *governed = list->kind == HOSTED_TOOLS ? governed_of(seat->hosted) : NULL;
	enum hosted_era era = hosted_era_for(seat->hosted, HOSTED_LEGACY);
	text_printf(to, "{\"%s\":[", hosted_kind_member(list->kind));
	for (; at < count && written < PAGE_ITEMS; at++) {
		const struct hosted_item *item = hosted_items_at(items, at);
		if (item->definition.length > most) {
			log_write(seat->gateway->log, LOG_WARNING, "server %s: room %s: %.*s is too large to be listed",
				seat->id, seat->topic, (int)(item->key.length < 80 ? item->key.length : 80), item->key.bytes);
			continue;
		}
		if (written && to->length + item->definition.length > most) break;
		const struct tool *tool = governed ? tools_find(governed->tools[era], item->key, NULL) : NULL;
		if (governed && (!tool || !mcp_asker_may_see(&asker, seat->hosted, tool))) continue;
		if (written++) text_add_char(to, ',');
		if (tool) tools_write(to, tool, SLICE_NONE, false);
		else text_add(to, item->definition);
	}
	text_add_char(to, ']');
	if (at < count) text_printf(to, ",\"nextCursor\":\"%zu\"", at);
	text_add_char(to, '}');
}

static void listed(void *context, struct hosted_items *items, const struct fault *why) {
	struct seat_list *list = context;
	struct fault own;
	AUTO_TEXT struct text page = {0};
	text_init(&page, 0);
	if (items) write_page(list, items, &page);
	if (text_failed(&page)) {
		(void)fault_set(&own, FAULT_NO_MEMORY, "no memory for the list: try again");
		why = &own;
	}
	if (why) seat_errand_refuse(&list->errand, why);
	else seat_errand_answer(&list->errand, text_slice(&page));
	list_free(list);
}

/* False: it is none of ours. */
static bool read_cursor(const struct jsonrpc *request, uint64_t *cursor) {
	struct scan_value value;
	*cursor = 0;
	if (!scan_find(&request->params, "cursor", &value) || value.type == SCAN_NULL) return true;
	return value.type == SCAN_STRING &&
		slice_number(slice_make(value.text.bytes + 1, value.text.length - 2), UINT32_MAX, cursor);
}

static bool make(struct hosted_seat *seat, enum hosted_kind kind, struct slice from,
	struct peer_question *question, const struct jsonrpc *request, struct fault *why) {
	uint64_t cursor;
	if (!read_cursor(request, &cursor))
		return fault_set(why, FAULT_BAD_INPUT,
			"params.cursor is none of ours; list from the beginning");
	struct seat_list *list = calloc(1, sizeof *list);
	if (!list || !(list->from = slice_copy(from))) {
		free(list);
		return fault_set(why, FAULT_NO_MEMORY, "no memory for the list: try again");
	}
	list->kind = kind;
	list->cursor = cursor;
	list->wait = hosted_items_ask(seat->hosted, HOSTED_LEGACY, kind, 0, listed, list, why);
	if (!list->wait) {
		list_free(list);
		return false;
	}
	seat_errand_begin(&list->errand, seat, question);
	list->errand.give_up = give_up;
	return true;
}

void hosted_seat_list(struct hosted_seat *seat, enum hosted_kind kind, struct slice from,
	struct peer_question *question, const struct jsonrpc *request) {
	struct fault why;
	if (!make(seat, kind, from, question, request, &why)) seat_question_refuse(question, &why);
}
