/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted items: the pages of one list, each copied once, its items spans of it. */
#include "hosted/hosted_parts.h"

#include "mcp/mcp_header.h"

#include <stdlib.h>

#define ITEMS 10000
#define ITEMS_OCTETS ((size_t)16 << 20)
#define LONGEST_TTL (24 * 3600 * 1000)

struct hosted_items {
	unsigned references;
	enum hosted_kind kind;
	struct arena arena;
	struct map by_key;
	struct hosted_item **items;
	size_t count, capacity;
	bool checks_marks; /* items whose arguments cannot stand in a head are left out */
	size_t left_out;
	uint64_t asked_at; /* loop ms */
	uint64_t ttl_ms;   /* the least of all pages; UINT64_MAX: not said */
	bool is_private;   /* or not said */
};

static const struct {
	const char *method, *member, *key;
} kinds[HOSTED_KINDS] = {
	[HOSTED_TOOLS] = {"tools/list", "tools", "name"},
	[HOSTED_RESOURCES] = {"resources/list", "resources", "uri"},
	[HOSTED_TEMPLATES] = {"resources/templates/list", "resourceTemplates", "uriTemplate"},
	[HOSTED_PROMPTS] = {"prompts/list", "prompts", "name"},
};

const char *hosted_kind_method(enum hosted_kind kind) { return kinds[kind].method; }
const char *hosted_kind_member(enum hosted_kind kind) { return kinds[kind].member; }

struct hosted_items *hosted_items_open(enum hosted_kind kind, struct fault *why) {
	struct hosted_items *items = calloc(1, sizeof *items);
	if (!items) return fault_null(why, FAULT_NO_MEMORY, "no memory for a list");
	items->references = 1;
	items->kind = kind;
	items->ttl_ms = UINT64_MAX;
	arena_init(&items->arena, NULL, 0, ITEMS_OCTETS);
	map_init(&items->by_key);
	return items;
}

struct hosted_items *hosted_items_keep(struct hosted_items *items) {
	items->references++;
	return items;
}

void hosted_items_drop(struct hosted_items *items) {
	if (!items || --items->references) return;
	arena_finish(&items->arena);
	map_finish(&items->by_key);
	free(items->items);
	free(items);
}

size_t hosted_items_count(const struct hosted_items *items) { return items->count; }

const struct hosted_item *hosted_items_at(const struct hosted_items *items, size_t at) {
	return items->items[at];
}

const struct hosted_item *hosted_items_find(const struct hosted_items *items, struct slice key) {
	return map_find(&items->by_key, key);
}

void hosted_items_begin(struct hosted_items *items, uint64_t now, bool checks_marks) {
	items->asked_at = now;
	items->checks_marks = checks_marks;
}

size_t hosted_items_left_out(const struct hosted_items *items) { return items->left_out; }

uint64_t hosted_items_stale_at(const struct hosted_items *items) {
	return items->ttl_ms == UINT64_MAX ? UINT64_MAX : items->asked_at + items->ttl_ms;
}

uint64_t hosted_items_ttl_ms(const struct hosted_items *items, uint64_t now) {
	uint64_t at = hosted_items_stale_at(items);
	return at != UINT64_MAX && at > now ? at - now : 0;
}

bool hosted_items_are_public(const struct hosted_items *items) {
	return items->ttl_ms != UINT64_MAX && !items->is_private;
}

/* MCP 2026-07-28, caching. */
static void read_life(struct hosted_items *items, const struct scan_value *page) {
	struct scan_value value;
	int64_t ttl;
	if (!scan_find(page, "cacheScope", &value) || !slice_is(value.text, "\"public\"")) items->is_private = true;
	if (!scan_find(page, "ttlMs", &value) || value.type != SCAN_NUMBER || !scan_integer(&value, &ttl)) return;
	uint64_t bound = ttl < 0 ? 0 : ttl > LONGEST_TTL ? LONGEST_TTL
							 : (uint64_t)ttl;
	if (bound < items->ttl_ms) items->ttl_ms = bound;
}

/* A modern client over HTTP has to leave such a tool out (MCP 2026-07-28 transports). */
static bool has_sound_marks(const struct hosted_items *items, const struct scan_value *definition) {
	struct scan_value schema;
	struct arena arena;
	if (!items->checks_marks || !scan_find(definition, "inputSchema", &schema)) return true;
	arena_init(&arena, NULL, 0, 0);
	bool is_sound = mcp_header_params(&schema, NULL, &arena, NULL, NULL, NULL);
	arena_finish(&arena);
	return is_sound;
}

static bool make_room(struct hosted_items *items, struct fault *why) {
	if (items->count >= ITEMS)
		return fault_set(why, FAULT_TOO_LARGE, "%s: more than %d items", kinds[items->kind].method, ITEMS);
	if (items->count < items->capacity) return true;
	size_t capacity = items->capacity ? items->capacity * 2 : 16;
	struct hosted_item **grown = realloc(items->items, capacity * sizeof *grown);
	if (!grown) return fault_set(why, FAULT_NO_MEMORY, "no memory for a list");
	items->items = grown;
	items->capacity = capacity;
	return true;
}

/* An item without a key cannot be asked for, and the second of a name cannot be told apart: both
 * are left out, and the rest stays usable. */
static bool add_item(struct hosted_items *items, const struct scan_value *value,
	struct fault *why) {
	struct scan_value key;
	void *existing = NULL;
	if (!make_room(items, why)) return false;
	struct hosted_item *item = arena_zero(&items->arena, sizeof *item);
	if (!item) return fault_set(why, FAULT_TOO_LARGE, "%s: more than 16 MiB", kinds[items->kind].method);
	if (!scan_find(value, kinds[items->kind].key, &key) ||
		!scan_string(&key, &items->arena, &item->key) || !item->key.length)
		return true;
	if (!has_sound_marks(items, value)) {
		items->left_out++;
		return true;
	}
	item->definition = value->text;
	if (map_add(&items->by_key, item->key, item, &existing)) items->items[items->count++] = item;
	else if (!existing) return fault_set(why, FAULT_NO_MEMORY, "no memory for a list");
	return true;
}

bool hosted_items_add(struct hosted_items *items, struct slice result, struct slice *cursor,
	struct fault *why) {
	const char *method = kinds[items->kind].method;
	struct scan_value page, list, next;
	struct scan_walk walk;
	struct scan_member member;
	struct slice copy, behind = SLICE_NONE;
	if (!arena_copy(&items->arena, result, &copy))
		return fault_set(why, FAULT_TOO_LARGE, "%s: more than 16 MiB, or no memory for it", method);
	page = (struct scan_value){.text = copy, .type = copy.length && copy.bytes[0] == '{' ? SCAN_OBJECT : SCAN_NULL};
	if (!scan_find(&page, kinds[items->kind].member, &list) || list.type != SCAN_ARRAY)
		return fault_set(why, FAULT_BAD_INPUT, "%s: the result has no array \"%s\"", method,
			kinds[items->kind].member);
	read_life(items, &page);
	for (scan_open(&walk, &list); scan_next(&walk, &member);)
		if (!add_item(items, &member.value, why)) return false;
	if (scan_find(&page, "nextCursor", &next) && next.type != SCAN_NULL &&
		!scan_string(&next, &items->arena, &behind))
		return fault_set(why, FAULT_BAD_INPUT, "%s: nextCursor is no string", method);
	*cursor = behind;
	return true;
}
