/* SPDX-License-Identifier: Apache-2.0 */
/* Catalog: page by page. */
#include "client/catalog.h"

#include "client/conversation.h"
#include "client/turn.h"
#include "mcp/mcp_client.h"
#include "mcp/mcp_header.h"

#include <stdlib.h>

struct catalog {
	struct conversation *conversation;
	enum mcp_items_kind kind;
	uint64_t deadline_ms;
	struct turn *turn;
	struct mcp_listing *listing; /* of tools */
	struct mcp_items *items;     /* of all else */
	struct slice cursor;         /* of the page under way; in one of these */
	unsigned pages;
	catalog_listed *listed;
	void *context;
};

static void catalog_free(struct catalog *catalog) {
	mcp_listing_drop(catalog->listing);
	mcp_items_close(catalog->items);
	free(catalog);
}

static void catalog_end(struct catalog *catalog, const struct fault *why) {
	if (!why && catalog->listing) conversation_keep_tools(catalog->conversation, catalog->listing);
	catalog->listed(catalog->context, why ? NULL : catalog->listing, why ? NULL : catalog->items, why);
	catalog_free(catalog);
}

void catalog_cancel(struct catalog *catalog, struct slice reason) {
	turn_cancel(catalog->turn, reason);
	catalog_free(catalog);
}

bool catalog_is_callable(const struct conversation *conversation, const struct mcp_tool *tool) {
	char lent[512];
	struct arena arena;
	const struct scan_value schema = {.text = tool->input_schema, .type = SCAN_OBJECT};
	if (!conversation_is_modern(conversation) || !conversation_is_remote(conversation)) return true;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_sound = mcp_header_params(&schema, NULL, &arena, NULL, NULL, NULL);
	arena_finish(&arena);
	return is_sound;
}

static void page_came(void *context, const struct peer_reply *reply, const struct fault *why);

static bool ask_page(struct catalog *catalog, struct fault *why) {
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	text_add_char(&params, '{');
	if (catalog->cursor.bytes) {
		text_add_cstr(&params, "\"cursor\":");
		text_json(&params, catalog->cursor);
	}
	text_add_char(&params, '}');
	if (text_failed(&params)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	const struct turn_request request = {
		.method = slice_of(mcp_items_method(catalog->kind)),
		.params = text_slice(&params),
		.deadline_ms = catalog->deadline_ms,
		.answered = page_came,
		.context = catalog,
	};
	catalog->turn = turn_open(catalog->conversation, &request, why);
	return catalog->turn != NULL;
}

static bool add_page(struct catalog *catalog, struct slice result, struct slice *cursor,
	struct fault *why) {
	if (catalog->listing) return mcp_listing_add(catalog->listing, result, cursor, why);
	return mcp_items_add(catalog->items, result, cursor, why);
}

static bool take_page(struct catalog *catalog, struct slice result, bool *more,
	struct fault *why) {
	const char *method = mcp_items_method(catalog->kind);
	struct slice cursor = SLICE_NONE;
	if (!add_page(catalog, result, &cursor, why)) return false;
	*more = cursor.bytes != NULL;
	if (!*more) return true;
	if (++catalog->pages >= CATALOG_PAGES)
		return fault_set(why, FAULT_TOO_LARGE, "%s: more than %d pages", method, CATALOG_PAGES);
	if (catalog->cursor.bytes && slice_equal(catalog->cursor, cursor))
		return fault_set(why, FAULT_BAD_INPUT, "%s: a page names itself as the next one", method);
	catalog->cursor = cursor;
	return ask_page(catalog, why);
}

static void page_came(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct catalog *catalog = context;
	struct fault own;
	bool more = false, is_fine = reply != NULL;
	catalog->turn = NULL;
	if (why) own = *why;
	else if (reply->result.bytes) is_fine = take_page(catalog, reply->result, &more, &own);
	else if (reply->code != JSONRPC_METHOD_NOT_FOUND) is_fine = mcp_client_error(reply, &own);
	if (is_fine && more) return;
	catalog_end(catalog, is_fine ? NULL : &own);
}

struct catalog *catalog_open(struct conversation *conversation, enum mcp_items_kind kind,
	bool as_listing, uint64_t deadline_ms, catalog_listed *listed, void *context, struct fault *why) {
	struct catalog *catalog = calloc(1, sizeof *catalog);
	if (!catalog) return fault_null(why, FAULT_NO_MEMORY, "no memory for a list");
	catalog->conversation = conversation;
	catalog->kind = kind;
	catalog->deadline_ms = deadline_ms;
	catalog->listed = listed;
	catalog->context = context;
	if (as_listing) catalog->listing = mcp_listing_open(why);
	else catalog->items = mcp_items_open(kind, why);
	if ((catalog->listing || catalog->items) && ask_page(catalog, why)) return catalog;
	catalog_free(catalog);
	return NULL;
}
