/* SPDX-License-Identifier: Apache-2.0 */
/* Tool filter: read from params, asked for each tool. */
#include "kernel/tool_filter.h"

#include "kernel/tool_index.h"
#include "wire/jsonrpc.h"

/* ---- Reading ---- */

static void refuse(struct mgp_ask *ask, const char *name, const char *due) {
	mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.filter.%s: %s", name, due);
}

static bool take_category(struct arena *arena, const struct scan_value *value, struct slice *category) {
	struct slice word;
	return scan_string(value, arena, &word) && word.length && word.length <= TOOL_FILTER_CATEGORY &&
		arena_copy(arena, word, category);
}

static bool read_categories(struct mgp_ask *ask, struct arena *arena, const struct scan_value *list,
	struct tool_filter *filter) {
	struct scan_walk walk;
	struct scan_member member;
	static const char due[] = "an array of at most 32 strings of 1 to 128 octets is due";
	if (list->type != SCAN_ARRAY || scan_count(list) > TOOL_FILTER_CATEGORIES) {
		refuse(ask, "categories", due);
		return false;
	}
	for (scan_open(&walk, list); scan_next(&walk, &member);)
		if (!take_category(arena, &member.value, &filter->categories[filter->category_count++])) {
			refuse(ask, "categories", due);
			return false;
		}
	filter->has_categories = filter->category_count > 0;
	return true;
}

static bool read_status(struct slice word, enum hosted_state *status) {
	for (int one = 0; one < HOSTED_STATES; one++) {
		if (!slice_is(word, hosted_state_word((enum hosted_state)one))) continue;
		*status = (enum hosted_state)one;
		return true;
	}
	return false;
}

static bool find(const struct scan_value *object, const char *name, struct scan_value *value) {
	return scan_find(object, name, value) && value->type != SCAN_NULL;
}

bool tool_filter_read(struct mgp_ask *ask, struct arena *arena, struct tool_filter *filter) {
	struct scan_value object, value;
	struct slice word;
	if (ask->params.type != SCAN_OBJECT || !find(&ask->params, "filter", &object)) return true;
	if (object.type != SCAN_OBJECT) {
		mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.filter: an object is due");
		return false;
	}
	if (find(&object, "categories", &value) && !read_categories(ask, arena, &value, filter)) return false;
	if (find(&object, "risk_level_max", &value)) {
		filter->has_risk = scan_string(&value, arena, &word) && risk_level_read(word, &filter->risk_most);
		if (!filter->has_risk) refuse(ask, "risk_level_max", "safe, moderate or dangerous is due");
		if (!filter->has_risk) return false;
	}
	if (find(&object, "status", &value)) {
		filter->has_status = scan_string(&value, arena, &word) && read_status(word, &filter->status);
		if (!filter->has_status)
			refuse(ask, "status", "registered, connecting, connected, draining, disconnected, error or restarting is due");
		if (!filter->has_status) return false;
	}
	return true;
}

/* ---- Asking ---- */

enum tool_leave tool_leave_of(const struct governed *governed, const struct tool *tool, struct slice *permission) {
	enum tool_leave leave = TOOL_ALLOWED;
	for (size_t i = 0; tool->security && i < tool->security->permission_count; i++) {
		struct slice name = tool->security->permissions[i];
		if (permissions_allow(governed->permissions, name)) continue;
		bool is_open = permissions_state(governed->permissions, name) == PERMISSION_DEFERRED;
		if (permission && (leave == TOOL_ALLOWED || !is_open)) *permission = name;
		leave = is_open ? TOOL_DEFERRED : TOOL_DENIED;
		if (!is_open) break;
	}
	return leave;
}

bool tool_filter_concerns(const struct tool_filter *filter, struct hosted *hosted) {
	const struct governed *governed = governed_of(hosted);
	const struct call_asker *asker = filter->asker;
	if (!governed || (filter->only && filter->only != hosted)) return false;
	return asker->is_admin || asker->is_local || asker->is_in_room ||
		access_has_any(filter->means->access, asker->principal, hosted_id(hosted), governed->policy.access);
}

static bool has_category(const struct tool_filter *filter, const struct search_seen *seen) {
	for (size_t i = 0; i < filter->category_count; i++)
		if (search_stands_under(seen, filter->categories[i])) return true;
	return !filter->has_categories;
}

bool tool_filter_passes(void *context, const struct search_seen *seen) {
	const struct tool_filter *filter = context;
	struct hosted *hosted = hosted_find(filter->means->servers, seen->server);
	if (!hosted || !governed_of(hosted) || (filter->only && filter->only != hosted)) return false;
	if (filter->has_status && hosted_state(hosted) != filter->status) return false;
	if (!call_asker_may(filter->asker, governed_of(hosted), seen->name) || !has_category(filter, seen)) return false;
	const struct tool *tool = tool_index_tool(hosted, seen->name, NULL);
	if (!tool || tool_leave_of(governed_of(hosted), tool, NULL) == TOOL_DENIED) return false;
	return !filter->has_risk || (tool->security && tool->security->risk <= filter->risk_most);
}
