/* SPDX-License-Identifier: Apache-2.0 */
/* Search categories: every path and its beginnings, counted, in the order of names. */
#include "search/search_categories.h"

#include <stdlib.h>

struct counted {
	struct slice path; /* lies in a tool's categories */
	size_t tools;
	const struct search_tool *last; /* a tool counts once under one path */
};

struct counting {
	struct counted *list;
	struct map by_path;
	size_t count;
	const struct search_tool *tool;
	struct slice under;
};

static bool is_below(struct slice path, struct slice under) {
	if (under.length == 0) return true;
	return path.length > under.length && path.bytes[under.length] == '/' &&
		slice_equal_ignoring_case(slice_make(path.bytes, under.length), under);
}

static bool count_path(struct counting *counting, struct slice path) {
	struct counted *counted = map_find(&counting->by_path, path);
	if (!is_below(path, counting->under)) return true;
	if (!counted) {
		if (counting->count == SEARCH_CATEGORIES) return true;
		counted = &counting->list[counting->count];
		if (!map_add(&counting->by_path, path, counted, NULL)) return false;
		*counted = (struct counted){.path = path};
		counting->count++;
	}
	if (counted->last != counting->tool) counted->tools++;
	counted->last = counting->tool;
	return true;
}

/* "a/b/c" stands under "a" and "a/b" as well. */
static bool count_tool(struct counting *counting, const struct search_tool *tool) {
	struct slice rest = search_tool_categories(tool), path;
	counting->tool = tool;
	while (slice_split(&rest, '\0', &path)) {
		for (size_t i = 1; i < path.length; i++)
			if (path.bytes[i] == '/' && !count_path(counting, slice_make(path.bytes, i))) return false;
		if (path.length > 0 && !count_path(counting, path)) return false;
	}
	return true;
}

static int compare(const void *a, const void *b) {
	struct slice first = ((const struct counted *)a)->path, second = ((const struct counted *)b)->path;
	int order = memcmp(first.bytes, second.bytes, first.length < second.length ? first.length : second.length);
	return order ? order : (first.length > second.length) - (first.length < second.length);
}

static bool count_all(struct counting *counting, const struct search_index *index, search_rank_filter *filter, void *context) {
	for (uint32_t i = 0; i < index->tool_places; i++) {
		const struct search_tool *tool = index->tools[i];
		if (tool && (!filter || filter(context, tool)) && !count_tool(counting, tool)) return false;
	}
	return true;
}

bool search_categories_each(const struct search_index *index, struct slice under, search_rank_filter *filter,
	void *filter_context, search_categories_seen *each, void *context, struct fault *why) {
	AUTO_FREE struct counted *list = calloc(SEARCH_CATEGORIES, sizeof *list);
	struct counting counting = {.list = list, .under = under};
	if (!list) return fault_set(why, FAULT_NO_MEMORY, "no memory to count categories");
	map_init(&counting.by_path);
	bool is_counted = count_all(&counting, index, filter, filter_context);
	map_finish(&counting.by_path);
	if (!is_counted) return fault_set(why, FAULT_NO_MEMORY, "no memory to count categories");
	qsort(list, counting.count, sizeof *list, compare);
	for (size_t i = 0; i < counting.count; i++) each(context, list[i].path, list[i].tools);
	return true;
}
