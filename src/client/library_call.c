/* SPDX-License-Identifier: Apache-2.0 */
/* Library call: one end for all that was asked. */
#include "client/library_call.h"

#include "client/catalog.h"
#include "client/library.h"

#include <stdlib.h>

struct hustings_call *library_call_make(struct link *list, const struct hustings_call *model,
	struct hustings_error *error) {
	struct fault why;
	struct hustings_call *call = malloc(sizeof *call);
	if (!call) {
		free(model->again);
		fault_set(&why, FAULT_NO_MEMORY, "no memory for a call");
		return library_error_null(error, &why);
	}
	*call = *model;
	list_append(list, &call->link);
	return call;
}

void library_call_free(struct hustings_call *call) {
	list_remove(&call->link);
	deadline_clear(&call->waiting);
	free(call->owner);
	free(call->authorization);
	free(call->again);
	free(call);
}

void hustings_cancel(struct hustings_call *call, const char *reason) {
	call->cancel(call, slice_of(reason ? reason : "cancelled"));
	library_call_free(call);
}

/* ---- Answers ---- */

/* The text parts of a CallToolResult, a line each. */
static void gather_text(const struct scan_value *result, struct text *to) {
	struct scan_value content, value;
	struct scan_walk walk;
	struct scan_member part;
	char lent[1024];
	struct arena arena;
	struct slice words;
	if (!scan_find(result, "content", &content) || content.type != SCAN_ARRAY) return;
	arena_init(&arena, lent, sizeof lent, 0);
	for (scan_open(&walk, &content); scan_next(&walk, &part);) {
		if (!scan_find(&part.value, "type", &value) || !slice_is(value.text, "\"text\"")) continue;
		if (!scan_find(&part.value, "text", &value) || !scan_string(&value, &arena, &words)) continue;
		if (to->length) text_add_char(to, '\n');
		text_add(to, words);
	}
	arena_finish(&arena);
}

static void read_result(struct slice json, struct hustings_answer *answer, struct text *words) {
	struct scan_value result, value;
	struct scan_fault fault;
	answer->json = library_json(json);
	if (!scan_check(json, SCAN_DEPTH, &result, &fault)) return;
	if (scan_find(&result, "isError", &value)) (void)!scan_boolean(&value, &answer->is_error);
	gather_text(&result, words);
}

void library_call_answered(struct hustings_call *call, const struct peer_reply *reply,
	const struct fault *why) {
	hustings_answered *answered = call->answered;
	void *whom = call->context;
	struct hustings_answer answer = {.code = 0};
	struct hustings_error error;
	AUTO_TEXT struct text words = {0};
	text_init(&words, 0);
	library_call_free(call);
	if (why) {
		(void)library_error(&error, why);
		answered(whom, NULL, &error);
		return;
	}
	if (reply->result.bytes) read_result(reply->result, &answer, &words);
	else {
		answer.is_error = true;
		answer.code = reply->code;
		answer.data = library_json(reply->data);
		text_add(&words, reply->message);
	}
	char none[1] = "";
	answer.text = words.bytes && !text_failed(&words) ? words.bytes : none;
	answered(whom, &answer, NULL);
}

void library_call_progressed(void *context, const struct scan_value *params) {
	const struct hustings_call *call = context;
	char lent[512];
	struct arena arena;
	struct scan_value value;
	struct slice words = SLICE_NONE;
	double progress = 0, total = 0;
	bool failed = false;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_sound = scan_find(params, "progress", &value) && scan_number(&value, &progress);
	if (scan_find(params, "total", &value)) (void)!scan_number(&value, &total);
	if (scan_find(params, "message", &value)) (void)!scan_string(&value, &arena, &words);
	if (is_sound)
		call->progressed(call->context, progress, total, library_string(&arena, words, &failed));
	arena_finish(&arena);
}

/* ---- Lists ---- */

static const char *string_or_none(struct arena *arena, struct slice words, bool *failed) {
	return library_string(arena, words.bytes ? words : SLICE(""), failed);
}

static bool show_tool(const struct mcp_tool *tool, struct arena *arena,
	struct hustings_tool_seen *seen) {
	bool failed = false;
	*seen = (struct hustings_tool_seen){
		.name = library_string(arena, tool->name, &failed),
		.title = string_or_none(arena, tool->title, &failed),
		.description = string_or_none(arena, tool->description, &failed),
		.schema = library_json(tool->input_schema),
		.definition = library_json(tool->definition),
		.only_reads = tool->hints.is_read_only,
		.may_destroy = tool->hints.is_destructive,
	};
	return !failed;
}

static void error_no_memory(struct hustings_error *error) {
	struct fault why;
	fault_set(&why, FAULT_NO_MEMORY, "no memory for a list");
	(void)library_error(error, &why);
}

static void tell_listing(const struct hustings_call *call, const struct mcp_listing *listing,
	const struct conversation *server) {
	size_t count = mcp_listing_count(listing), shown = 0;
	struct arena arena;
	struct hustings_error error;
	arena_init(&arena, NULL, 0, 0);
	struct hustings_tool_seen *tools = arena_alloc(&arena, (count + 1) * sizeof *tools);
	bool is_whole = tools != NULL;
	for (size_t i = 0; is_whole && i < count; i++) {
		const struct mcp_tool *tool = mcp_listing_at(listing, i);
		if (!server || catalog_is_callable(server, tool))
			is_whole = show_tool(tool, &arena, &tools[shown++]);
	}
	error_no_memory(&error);
	if (is_whole) call->listed(call->context, tools, shown, NULL);
	else call->listed(call->context, NULL, 0, &error);
	arena_finish(&arena);
}

void library_call_listed(struct hustings_call *held, const struct mcp_listing *listing,
	const struct conversation *server, const struct fault *why) {
	struct hustings_call call = *held;
	struct hustings_error error;
	library_call_free(held);
	if (!why) {
		tell_listing(&call, listing, server);
		return;
	}
	(void)library_error(&error, why);
	call.listed(call.context, NULL, 0, &error);
}

static bool show_item(const struct mcp_item *item, struct arena *arena,
	struct hustings_item *seen) {
	bool failed = false;
	*seen = (struct hustings_item){
		.key = library_string(arena, item->key, &failed),
		.name = string_or_none(arena, item->name, &failed),
		.title = string_or_none(arena, item->title, &failed),
		.description = string_or_none(arena, item->description, &failed),
		.definition = library_json(item->definition),
	};
	return !failed;
}

void library_call_items(struct hustings_call *held, const struct mcp_items *items,
	const struct fault *why) {
	struct hustings_call call = *held;
	struct hustings_error error;
	struct arena arena;
	size_t count = why ? 0 : mcp_items_count(items);
	library_call_free(held);
	arena_init(&arena, NULL, 0, 0);
	struct hustings_item *seen = arena_alloc(&arena, (count + 1) * sizeof *seen);
	bool is_whole = seen != NULL;
	for (size_t i = 0; is_whole && i < count; i++)
		is_whole = show_item(mcp_items_at(items, i), &arena, &seen[i]);
	error_no_memory(&error);
	if (why) (void)library_error(&error, why);
	if (is_whole && !why) call.items_listed(call.context, seen, count, NULL);
	else call.items_listed(call.context, NULL, 0, &error);
	arena_finish(&arena);
}

void library_call_failed(struct hustings_call *call, const struct fault *why) {
	if (call->listed) library_call_listed(call, NULL, NULL, why);
	else if (call->items_listed) library_call_items(call, NULL, why);
	else library_call_answered(call, NULL, why);
}
