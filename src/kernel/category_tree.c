/* SPDX-License-Identifier: Apache-2.0 */
/* Category tree: written whole and shallow at once; one of both is taken. */
#include "kernel/category_tree.h"

struct rows {
	struct text *to;
	size_t depth;  /* of slashes in a path that is written; SIZE_MAX: any */
	size_t octets; /* at most */
	bool is_cut;
};

struct both {
	struct rows whole, shallow;
};

static size_t depth_of(struct slice path) {
	size_t depth = 0;
	for (size_t i = 0; i < path.length; i++) depth += path.bytes[i] == '/';
	return depth;
}

static void add(struct rows *rows, struct slice path, size_t tools) {
	size_t before = rows->to->length;
	if (rows->is_cut || (rows->depth != SIZE_MAX && depth_of(path) > rows->depth)) return;
	text_add_cstr(rows->to, before ? ",{\"category\":" : "{\"category\":");
	text_json(rows->to, path);
	text_printf(rows->to, ",\"tools\":%zu}", tools);
	if (text_failed(rows->to) || rows->to->length <= rows->octets) return;
	rows->is_cut = true;
	rows->to->length = before;
}

static void row(void *context, struct slice path, size_t tools) {
	struct both *both = context;
	add(&both->whole, path, tools);
	add(&both->shallow, path, tools);
}

void category_tree_write(struct text *to, struct tool_index *index, struct slice under, struct tool_filter *filter,
	uint64_t tokens) {
	AUTO_TEXT struct text whole = {0}, shallow = {0};
	size_t octets = tokens < SIZE_MAX / 4 ? (size_t)tokens * 4 : SIZE_MAX;
	struct both both = {
		.whole = {.to = &whole, .depth = SIZE_MAX, .octets = octets},
		.shallow = {.to = &shallow, .depth = under.length ? depth_of(under) + 1 : 0, .octets = octets},
	};
	struct fault why;
	text_init(&whole, 0);
	text_init(&shallow, 0);
	if (!tool_index_categories(index, under, tool_filter_passes, filter, row, &both, &why) || text_failed(&whole) ||
		text_failed(&shallow)) {
		to->failed = true;
		return;
	}
	text_add_cstr(to, "\"categories\":[");
	text_add(to, text_slice(both.whole.is_cut ? &shallow : &whole));
	text_printf(to, "]%s", both.whole.is_cut ? ",\"truncated\":true" : "");
}
