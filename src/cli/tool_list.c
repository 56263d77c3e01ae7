/* SPDX-License-Identifier: Apache-2.0 */
/* Tool list: names, arguments, hints. */
#include "cli/tool_list.h"

#define SHOWN_WORDS 100 /* octets of a description */

bool tool_list_is_dangerous(const struct mcp_tool *tool) {
	return tool->hints.are_given && !tool->hints.is_read_only && tool->hints.is_destructive;
}

static bool is_required(const struct scan_value *schema, const struct scan_member *property) {
	struct scan_value required;
	struct scan_walk walk;
	struct scan_member item;
	if (!scan_find(schema, "required", &required) || required.type != SCAN_ARRAY) return false;
	for (scan_open(&walk, &required); scan_next(&walk, &item);) {
		struct slice quoted = item.value.text;
		if (item.value.type == SCAN_STRING &&
			slice_equal(slice_make(quoted.bytes + 1, quoted.length - 2), property->key))
			return true;
	}
	return false;
}

/* " title text [tags]" */
static void add_arguments(struct text *to, const struct mcp_tool *tool) {
	struct scan_value schema = {.text = tool->input_schema, .type = SCAN_OBJECT}, properties;
	struct scan_walk walk;
	struct scan_member property;
	if (!scan_find(&schema, "properties", &properties) || properties.type != SCAN_OBJECT) return;
	for (scan_open(&walk, &properties); scan_next(&walk, &property);) {
		bool required = is_required(&schema, &property);
		text_add_cstr(to, required ? " " : " [");
		text_display(to, property.key);
		if (!required) text_add_char(to, ']');
	}
}

static void add_words(struct text *to, struct slice words) {
	struct slice line = SLICE_NONE;
	words = slice_trim(words);
	if (!words.length || !slice_split(&words, '\n', &line)) return;
	size_t length = slice_cut(line, SHOWN_WORDS);
	text_add_cstr(to, "\n      ");
	text_display(to, slice_make(line.bytes, length));
	if (length < line.length || words.length) text_add_cstr(to, " ...");
}

static void add_hints(struct text *to, const struct mcp_tool *tool) {
	if (!tool->hints.are_given) return;
	if (tool->hints.is_read_only) text_add_cstr(to, "   (only reads)");
	else if (tool->hints.is_destructive) text_add_cstr(to, "   (may destroy)");
}

void tool_list_write(struct text *to, struct slice id, const struct mcp_listing *listing) {
	size_t count = mcp_listing_count(listing);
	text_display(to, id);
	text_printf(to, " (%zu tool%s)\n", count, count == 1 ? "" : "s");
	for (size_t i = 0; i < count; i++) {
		const struct mcp_tool *tool = mcp_listing_at(listing, i);
		text_add_cstr(to, "  ");
		text_display(to, tool->name);
		add_arguments(to, tool);
		add_hints(to, tool);
		add_words(to, tool->description);
		text_add_char(to, '\n');
	}
}

void tool_list_write_json(struct text *to, struct slice id, const struct mcp_listing *listing) {
	text_add_cstr(to, "{\"id\":");
	text_json(to, id);
	text_add_cstr(to, ",\"tools\":[");
	for (size_t i = 0; i < mcp_listing_count(listing); i++) {
		if (i) text_add_char(to, ',');
		text_add(to, mcp_listing_at(listing, i)->definition);
	}
	text_add_cstr(to, "]}");
}
