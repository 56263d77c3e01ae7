/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_renewal: what a new session has to hear of the old one, and saying it unseen by the host. */
#include "cli/mcp_bridge_parts.h"

#include <stdlib.h>

#define KEPT 1000 /* subscriptions that are renewed; the gateway allows no more */

static void forget_one(struct mcp_kept *kept) {
	list_remove(&kept->link);
	free(kept->uri);
	free(kept->text);
	free(kept);
}

void mcp_renewal_forget(struct mcp_bridge *bridge) {
	while (!list_is_empty(&bridge->kept))
		forget_one(CONTAINER_OF(bridge->kept.next, struct mcp_kept, link));
}

static bool is_same(const struct mcp_kept *kept, enum mcp_item_kind kind, const char *uri) {
	return kept->kind == kind && (!uri || (kept->uri && strcmp(kept->uri, uri) == 0));
}

/* The kept one of that kind and uri goes; how many are left. */
static size_t drop(struct mcp_bridge *bridge, enum mcp_item_kind kind, const char *uri) {
	size_t count = 0;
	LIST_EACH_SAFE(link, &bridge->kept) {
		struct mcp_kept *kept = CONTAINER_OF(link, struct mcp_kept, link);
		if (is_same(kept, kind, uri)) forget_one(kept);
		else count++;
	}
	return count;
}

static void keep(struct mcp_bridge *bridge, const struct mcp_item *item) {
	struct mcp_kept *kept = calloc(1, sizeof *kept);
	if (!kept) return;
	list_init(&kept->link);
	kept->kind = item->kind;
	kept->text = slice_copy(slice_make(item->text, item->length));
	kept->length = item->length;
	kept->uri = item->uri ? slice_copy(slice_of(item->uri)) : NULL;
	if (kept->text) list_append(&bridge->kept, &kept->link);
	else forget_one(kept);
}

void mcp_renewal_note(struct mcp_bridge *bridge, const struct mcp_item *item) {
	if (item->is_modern) return;
	if (item->kind == ITEM_UNSUBSCRIBE && item->uri) (void)drop(bridge, ITEM_SUBSCRIBE, item->uri);
	bool is_one = (item->kind == ITEM_SUBSCRIBE && item->uri) || item->kind == ITEM_LEVEL;
	if (is_one && drop(bridge, item->kind, item->uri) < KEPT) keep(bridge, item);
}

static bool add_unseen(struct mcp_bridge *bridge, struct slice text) {
	char lent[2048];
	struct arena arena;
	struct mcp_line line;
	int64_t code;
	struct mcp_item *item = NULL;
	arena_init(&arena, lent, sizeof lent, 0);
	if (mcp_line_read(&line, text, &arena, &code, NULL)) item = mcp_item_open(bridge, text, &line);
	arena_finish(&arena);
	if (!item) return false;
	item->is_unseen = true;
	list_append(&bridge->unseen, &item->link);
	return true;
}

void mcp_renewal_begin(struct mcp_bridge *bridge) {
	log_write(bridge->options.log, LOG_INFO, "the session has ended: a new one is begun");
	mcp_listening_end(bridge);
	bridge->is_renewing = add_unseen(bridge, text_slice(&bridge->hello)) &&
		add_unseen(bridge, SLICE("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}"));
	LIST_EACH(link, &bridge->kept) {
		const struct mcp_kept *kept = CONTAINER_OF(link, struct mcp_kept, link);
		if (!add_unseen(bridge, slice_make(kept->text, kept->length)))
			log_write(bridge->options.log, LOG_WARNING, "no memory to subscribe again");
	}
}

void mcp_renewal_end(struct mcp_bridge *bridge) { bridge->is_renewing = false; }
