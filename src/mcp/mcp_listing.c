/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_listing: each page is copied once into the arena, tools are spans of it. */
#include "mcp/mcp_listing.h"

#include "base/map.h"

#include <stdlib.h>

struct mcp_listing {
	unsigned references;
	struct arena arena;
	struct map by_name; /* of the tools */
	struct mcp_tool **tools;
	size_t count;
	size_t capacity;
};

struct mcp_listing *mcp_listing_open(struct fault *why) {
	struct mcp_listing *listing = calloc(1, sizeof *listing);
	if (!listing) return fault_null(why, FAULT_NO_MEMORY, "no memory for a list of tools");
	listing->references = 1;
	arena_init(&listing->arena, NULL, 0, MCP_LISTING_OCTETS);
	map_init(&listing->by_name);
	return listing;
}

void mcp_listing_limit(struct mcp_listing *listing, size_t octets) {
	arena_finish(&listing->arena);
	arena_init(&listing->arena, NULL, 0, octets < MCP_LISTING_OCTETS ? octets : MCP_LISTING_OCTETS);
}

size_t mcp_listing_octets(const struct mcp_listing *listing) {
	return listing->arena.taken + listing->capacity * sizeof *listing->tools;
}

struct mcp_listing *mcp_listing_keep(struct mcp_listing *listing) {
	listing->references++;
	return listing;
}

void mcp_listing_drop(struct mcp_listing *listing) {
	if (!listing || --listing->references) return;
	arena_finish(&listing->arena);
	map_finish(&listing->by_name);
	free(listing->tools);
	free(listing);
}

static bool bad(const struct mcp_listing *listing, struct fault *why, const char *what) {
	return fault_set(why, FAULT_BAD_INPUT, "tools/list: tool %zu %s", listing->count + 1, what);
}

static void read_hint(const struct scan_value *annotations, const char *name, bool *hint) {
	struct scan_value value;
	if (scan_find(annotations, name, &value)) (void)!scan_boolean(&value, hint);
}

static struct mcp_hints read_hints(const struct scan_value *tool) {
	struct mcp_hints hints = {.is_destructive = true, .is_open_world = true};
	struct scan_value annotations;
	if (!scan_find(tool, "annotations", &annotations) || annotations.type != SCAN_OBJECT) return hints;
	hints.are_given = true;
	read_hint(&annotations, "readOnlyHint", &hints.is_read_only);
	read_hint(&annotations, "destructiveHint", &hints.is_destructive);
	read_hint(&annotations, "idempotentHint", &hints.is_idempotent);
	read_hint(&annotations, "openWorldHint", &hints.is_open_world);
	if (hints.is_read_only) hints.is_destructive = false;
	return hints;
}

/* False: it is there and no string, or there is no memory. */
static bool read_words(struct mcp_listing *listing, const struct scan_value *tool, const char *name,
	struct slice *words) {
	struct scan_value value;
	*words = SLICE_NONE;
	return !scan_find(tool, name, &value) || value.type == SCAN_NULL ||
		scan_string(&value, &listing->arena, words);
}

static bool read_tool(struct mcp_listing *listing, const struct scan_value *value,
	struct mcp_tool *tool, struct fault *why) {
	struct scan_value schema;
	if (value->type != SCAN_OBJECT) return bad(listing, why, "is no object");
	if (!read_words(listing, value, "name", &tool->name) || tool->name.length == 0)
		return bad(listing, why, "has no name");
	if (!read_words(listing, value, "title", &tool->title))
		return bad(listing, why, "has a title that is no string");
	if (!read_words(listing, value, "description", &tool->description))
		return bad(listing, why, "has a description that is no string");
	if (!scan_find(value, "inputSchema", &schema) || schema.type != SCAN_OBJECT)
		return bad(listing, why, "has no inputSchema");
	tool->input_schema = schema.text;
	if (scan_find(value, "outputSchema", &schema) && schema.type == SCAN_OBJECT)
		tool->output_schema = schema.text;
	tool->definition = value->text;
	tool->hints = read_hints(value);
	return true;
}

static bool make_room(struct mcp_listing *listing, struct fault *why) {
	if (listing->count >= MCP_LISTING_TOOLS)
		return fault_set(why, FAULT_TOO_LARGE, "tools/list: more than %d tools", MCP_LISTING_TOOLS);
	if (listing->count < listing->capacity) return true;
	size_t capacity = listing->capacity ? listing->capacity * 2 : 16;
	struct mcp_tool **tools = realloc(listing->tools, capacity * sizeof *tools);
	if (!tools) return fault_set(why, FAULT_NO_MEMORY, "no memory for a list of tools");
	listing->tools = tools;
	listing->capacity = capacity;
	return true;
}

static bool add_tool(struct mcp_listing *listing, const struct scan_value *value,
	struct fault *why) {
	void *existing = NULL;
	if (!make_room(listing, why)) return false;
	struct mcp_tool *tool = arena_zero(&listing->arena, sizeof *tool);
	if (!tool) return fault_set(why, FAULT_TOO_LARGE, "tools/list: more than %zu octets, or no memory for it",
		listing->arena.limit);
	if (!read_tool(listing, value, tool, why)) return false;
	if (!map_add(&listing->by_name, tool->name, tool, &existing))
		return existing ? bad(listing, why, "has the name of another one")
				: fault_set(why, FAULT_NO_MEMORY, "no memory for a list of tools");
	listing->tools[listing->count++] = tool;
	return true;
}

static bool add_page(struct mcp_listing *listing, const struct scan_value *page,
	struct slice *cursor, struct fault *why) {
	struct scan_value tools, next;
	struct scan_walk walk;
	struct scan_member member;
	struct slice behind = SLICE_NONE;
	if (!scan_find(page, "tools", &tools) || tools.type != SCAN_ARRAY)
		return fault_set(why, FAULT_BAD_INPUT, "tools/list: the result has no array \"tools\"");
	for (scan_open(&walk, &tools); scan_next(&walk, &member);)
		if (!add_tool(listing, &member.value, why)) return false;
	if (scan_find(page, "nextCursor", &next) && next.type != SCAN_NULL &&
		!scan_string(&next, &listing->arena, &behind))
		return fault_set(why, FAULT_BAD_INPUT, "tools/list: nextCursor is no string");
	*cursor = behind;
	return true;
}

bool mcp_listing_add(struct mcp_listing *listing, struct slice result, struct slice *cursor,
	struct fault *why) {
	struct scan_value page;
	struct scan_fault fault;
	struct slice copy;
	if (!arena_copy(&listing->arena, result, &copy))
		return fault_set(why, FAULT_TOO_LARGE, "tools/list: more than %zu octets, or no memory for it",
			listing->arena.limit);
	if (!scan_check(copy, SCAN_DEPTH, &page, &fault))
		return fault_set(why, FAULT_BAD_INPUT, "tools/list: octet %zu: %s", fault.offset, fault.what);
	if (page.type != SCAN_OBJECT)
		return fault_set(why, FAULT_BAD_INPUT, "tools/list: the result is no object");
	return add_page(listing, &page, cursor, why);
}

size_t mcp_listing_count(const struct mcp_listing *listing) { return listing->count; }

const struct mcp_tool *mcp_listing_at(const struct mcp_listing *listing, size_t at) {
	return listing->tools[at];
}

const struct mcp_tool *mcp_listing_find(const struct mcp_listing *listing, struct slice name) {
	return map_find(&listing->by_name, name);
}
