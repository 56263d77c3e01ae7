/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_items: each page is copied once into the arena, items are spans of it. */
#include "mcp/mcp_items.h"

#include <stdlib.h>

struct mcp_items {
	enum mcp_items_kind kind;
	struct arena arena;
	struct mcp_item **items;
	size_t count, capacity;
};

static const struct {
	const char *method, *member, *key, *capability;
} kinds[MCP_ITEMS_KINDS] = {
	[MCP_ITEMS_TOOLS] = {"tools/list", "tools", "name", "tools"},
	[MCP_ITEMS_RESOURCES] = {"resources/list", "resources", "uri", "resources"},
	[MCP_ITEMS_TEMPLATES] = {"resources/templates/list", "resourceTemplates", "uriTemplate", "resources"},
	[MCP_ITEMS_PROMPTS] = {"prompts/list", "prompts", "name", "prompts"},
};

const char *mcp_items_method(enum mcp_items_kind kind) { return kinds[kind].method; }
const char *mcp_items_member(enum mcp_items_kind kind) { return kinds[kind].member; }
const char *mcp_items_capability(enum mcp_items_kind kind) { return kinds[kind].capability; }

struct mcp_items *mcp_items_open(enum mcp_items_kind kind, struct fault *why) {
	struct mcp_items *items = calloc(1, sizeof *items);
	if (!items) return fault_null(why, FAULT_NO_MEMORY, "no memory for a list");
	items->kind = kind;
	arena_init(&items->arena, NULL, 0, MCP_ITEMS_OCTETS);
	return items;
}

void mcp_items_close(struct mcp_items *items) {
	if (!items) return;
	arena_finish(&items->arena);
	free(items->items);
	free(items);
}

size_t mcp_items_count(const struct mcp_items *items) { return items->count; }
const struct mcp_item *mcp_items_at(const struct mcp_items *items, size_t at) {
	return items->items[at];
}

static bool make_room(struct mcp_items *items, struct fault *why) {
	const char *method = kinds[items->kind].method;
	if (items->count >= MCP_ITEMS_MOST)
		return fault_set(why, FAULT_TOO_LARGE, "%s: more than %d items", method, MCP_ITEMS_MOST);
	if (items->count < items->capacity) return true;
	size_t capacity = items->capacity ? items->capacity * 2 : 16;
	struct mcp_item **grown = realloc(items->items, capacity * sizeof *grown);
	if (!grown) return fault_set(why, FAULT_NO_MEMORY, "no memory for a list");
	items->items = grown;
	items->capacity = capacity;
	return true;
}

static struct slice words_of(struct mcp_items *items, const struct scan_value *item,
	const char *name) {
	struct scan_value value;
	struct slice words;
	if (!scan_find(item, name, &value) || !scan_string(&value, &items->arena, &words))
		return SLICE_NONE;
	return words;
}

static bool add_item(struct mcp_items *items, const struct scan_value *value, struct fault *why) {
	if (!make_room(items, why)) return false;
	struct mcp_item *item = arena_zero(&items->arena, sizeof *item);
	if (!item)
		return fault_set(why, FAULT_TOO_LARGE, "%s: more than 16 MiB", kinds[items->kind].method);
	item->key = words_of(items, value, kinds[items->kind].key);
	if (!item->key.length) return true;
	item->name = words_of(items, value, "name");
	item->title = words_of(items, value, "title");
	item->description = words_of(items, value, "description");
	item->definition = value->text;
	items->items[items->count++] = item;
	return true;
}

bool mcp_items_add(struct mcp_items *items, struct slice result, struct slice *cursor,
	struct fault *why) {
	const char *method = kinds[items->kind].method;
	struct scan_value page, list, next;
	struct scan_fault fault;
	struct scan_walk walk;
	struct scan_member member;
	struct slice copy, behind = SLICE_NONE;
	if (!arena_copy(&items->arena, result, &copy))
		return fault_set(why, FAULT_TOO_LARGE, "%s: more than 16 MiB, or no memory for it", method);
	if (!scan_check(copy, SCAN_DEPTH, &page, &fault))
		return fault_set(why, FAULT_BAD_INPUT, "%s: octet %zu: %s", method, fault.offset, fault.what);
	if (!scan_find(&page, kinds[items->kind].member, &list) || list.type != SCAN_ARRAY)
		return fault_set(why, FAULT_BAD_INPUT, "%s: the result has no array \"%s\"", method,
			kinds[items->kind].member);
	for (scan_open(&walk, &list); scan_next(&walk, &member);)
		if (!add_item(items, &member.value, why)) return false;
	if (scan_find(&page, "nextCursor", &next) && next.type != SCAN_NULL &&
		!scan_string(&next, &items->arena, &behind))
		return fault_set(why, FAULT_BAD_INPUT, "%s: nextCursor is no string", method);
	*cursor = behind;
	return true;
}
