/* SPDX-License-Identifier: Apache-2.0 */
/* Tool wish: member by member. */
#include "kernel/tool_wish.h"

#include "wire/jsonrpc.h"

#define TRACE 128 /* octets of a task_trace_id */
#define HELP 3800 /* octets of all that is said besides which a search looks at */

static bool find(const struct scan_value *object, const char *name, struct scan_value *value) {
	return object->type == SCAN_OBJECT && scan_find(object, name, value) && value->type != SCAN_NULL;
}

/* False: the list is not as it is to be. */
static bool read_list(const struct scan_value *list, struct arena *arena, struct slice *words, size_t *count) {
	struct scan_walk walk;
	struct scan_member member;
	if (list->type != SCAN_ARRAY || scan_count(list) > TOOL_WISH_MOST) return false;
	for (scan_open(&walk, list); scan_next(&walk, &member); (*count)++) {
		struct slice word;
		if (!scan_string(&member.value, arena, &word) || !arena_copy(arena, word, &words[*count])) return false;
		words[*count] = slice_trim(words[*count]);
		if (!words[*count].length || words[*count].length > TOOL_WISH_WORDS) return false;
	}
	return true;
}

static bool refuse_list(struct mgp_ask *ask, const char *name) {
	mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.requirements.%s: an array of at most %d strings is due, each of 1 to %d octets",
		name, TOOL_WISH_MOST, TOOL_WISH_WORDS);
	return false;
}

static bool read_capabilities(struct mgp_ask *ask, const struct scan_value *requirements, struct arena *arena,
	struct tool_wish *wish) {
	struct scan_value list;
	if (!find(requirements, "capabilities", &list) || (list.type == SCAN_ARRAY && scan_count(&list) == 0)) {
		mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.requirements.capabilities: at least one is due, each in a few words");
		return false;
	}
	return read_list(&list, arena, wish->capabilities, &wish->count) || refuse_list(ask, "capabilities");
}

static bool read_types(struct mgp_ask *ask, const struct scan_value *requirements, const char *name,
	struct arena *arena, struct text *help) {
	struct slice words[TOOL_WISH_MOST];
	struct scan_value list;
	size_t count = 0;
	if (!find(requirements, name, &list)) return true;
	if (!read_list(&list, arena, words, &count)) return refuse_list(ask, name);
	for (size_t i = 0; i < count; i++) {
		text_add_char(help, ' ');
		text_add(help, words[i]);
	}
	return true;
}

static bool read_risk(struct mgp_ask *ask, const struct scan_value *requirements, struct arena *arena,
	struct tool_wish *wish) {
	struct scan_value value;
	struct slice word;
	if (!find(requirements, "preferred_risk_level", &value)) return true;
	wish->has_risk = scan_string(&value, arena, &word) && risk_level_read(word, &wish->risk);
	if (!wish->has_risk)
		mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.requirements.preferred_risk_level: safe, moderate or dangerous is due");
	return wish->has_risk;
}

static bool read_context(struct mgp_ask *ask, struct text *help) {
	struct slice context, reason;
	if (!mgp_ask_word(ask, "context", false, &context) || !mgp_ask_word(ask, "reason", false, &reason)) return false;
	if (context.length > TOOL_WISH_CONTEXT || reason.length > TOOL_WISH_CONTEXT) {
		mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.%s: it has at most %d octets",
			context.length > TOOL_WISH_CONTEXT ? "context" : "reason", TOOL_WISH_CONTEXT);
		return false;
	}
	text_add_char(help, ' ');
	text_add(help, context);
	return true;
}

static bool read_trace(struct mgp_ask *ask, struct arena *arena, struct tool_wish *wish) {
	struct slice word;
	if (!mgp_ask_word(ask, "task_trace_id", false, &word)) return false;
	if (word.length <= TRACE && arena_copy(arena, word, &wish->trace)) return true;
	mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.task_trace_id: it has at most %d octets", TRACE);
	return false;
}

bool tool_wish_read(struct mgp_ask *ask, struct arena *arena, struct tool_wish *wish) {
	struct scan_value requirements = {.type = SCAN_NONE};
	AUTO_TEXT struct text help = {0};
	text_init(&help, 0);
	if (find(&ask->params, "requirements", &requirements) && requirements.type != SCAN_OBJECT) {
		mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.requirements: an object is due");
		return false;
	}
	if (!read_capabilities(ask, &requirements, arena, wish) || !read_types(ask, &requirements, "input_types", arena, &help) ||
		!read_types(ask, &requirements, "output_types", arena, &help) || !read_risk(ask, &requirements, arena, wish) ||
		!read_context(ask, &help) || !read_trace(ask, arena, wish))
		return false;
	if (!text_failed(&help) && arena_copy(arena, slice_trim(text_slice(&help)), &wish->help)) return true;
	struct fault why;
	(void)fault_set(&why, FAULT_NO_MEMORY, "no memory for the request: try again");
	mgp_ask_fail(ask, &why);
	return false;
}

bool tool_wish_query(const struct tool_wish *wish, struct slice capability, struct arena *arena, struct slice *query) {
	AUTO_TEXT struct text words = {0};
	text_init(&words, 0);
	text_add(&words, capability);
	text_add_char(&words, ' ');
	text_add(&words, slice_make(wish->help.bytes, slice_cut(wish->help, HELP)));
	return !text_failed(&words) && arena_copy(arena, text_slice(&words), query);
}
