/* SPDX-License-Identifier: Apache-2.0 */
/* Library calls: errands of ours, and what their answers say. */
#include "client/errand.h"
#include "client/library.h"

#include <stdlib.h>

struct hustings_call {
	struct link link; /* in its room */
	struct errand *errand;
	hustings_answered *answered;
	hustings_progressed *progressed;
	hustings_listed *listed;
	void *context;
};

static void call_free(struct hustings_call *call) {
	list_remove(&call->link);
	free(call);
}

/* The guest frees the errands. */
void library_calls_end(struct hustings_room *room) {
	LIST_EACH_SAFE(link, &room->calls)
		call_free(CONTAINER_OF(link, struct hustings_call, link));
}

void hustings_cancel(struct hustings_call *call, const char *reason) {
	errand_cancel(call->errand, slice_of(reason ? reason : "cancelled"));
	call_free(call);
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

static void call_done(void *context, const struct errand_result *result, const struct fault *why) {
	struct hustings_call *call = context;
	hustings_answered *answered = call->answered;
	void *whom = call->context;
	struct hustings_answer answer = {.code = 0};
	struct hustings_error error;
	AUTO_TEXT struct text words;
	text_init(&words, 0);
	call_free(call);
	if (why) {
		(void)library_error(&error, why);
		answered(whom, NULL, &error);
		return;
	}
	if (result->reply->result.bytes) read_result(result->reply->result, &answer, &words);
	else {
		answer.is_error = true;
		answer.code = result->reply->code;
		text_add(&words, result->reply->message);
	}
	char none[1] = "";
	answer.text = words.bytes && !text_failed(&words) ? words.bytes : none;
	answered(whom, &answer, NULL);
}

static void call_progressed(void *context, const struct scan_value *params) {
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

/* ---- Asking ---- */

static struct hustings_call *start(struct hustings_room *room, struct errand_options *options,
	const struct hustings_call *model, struct hustings_error *error) {
	struct fault why;
	struct hustings_call *call = malloc(sizeof *call);
	if (!call) {
		fault_set(&why, FAULT_NO_MEMORY, "no memory for a call");
		return library_error_null(error, &why);
	}
	*call = *model;
	list_append(&room->calls, &call->link);
	options->context = call;
	call->errand = errand_open(room->guest, options, &why);
	if (call->errand) return call;
	call_free(call);
	return library_error_null(error, &why);
}

struct hustings_call *hustings_call(struct hustings_room *room, const char *participant,
	const char *tool, const char *arguments, uint64_t deadline, hustings_answered *answered,
	hustings_progressed *progressed, void *context, struct hustings_error *error) {
	struct hustings_call model = {.answered = answered, .progressed = progressed, .context = context};
	struct errand_options options = {
		.kind = ERRAND_CALL,
		.to = slice_of(participant),
		.name = slice_of(tool),
		.body = slice_of(arguments),
		.deadline_ms = deadline,
		.done = call_done,
		.progressed = progressed ? call_progressed : NULL,
	};
	return start(room, &options, &model, error);
}

struct hustings_call *hustings_ask(struct hustings_room *room, const char *participant,
	const char *method, const char *params, uint64_t deadline, hustings_answered *answered,
	void *context, struct hustings_error *error) {
	struct hustings_call model = {.answered = answered, .context = context};
	struct errand_options options = {
		.kind = ERRAND_ASK,
		.to = slice_of(participant),
		.name = slice_of(method),
		.body = slice_of(params),
		.deadline_ms = deadline,
		.done = call_done,
	};
	return start(room, &options, &model, error);
}

struct hustings_call *hustings_fulfil(struct hustings_room *room,
	const struct hustings_proposal *proposal, uint64_t deadline, hustings_answered *answered,
	void *context, struct hustings_error *error) {
	struct hustings_call model = {.answered = answered, .context = context};
	struct errand_options options = {
		.kind = ERRAND_ASK,
		.to = slice_of(proposal->to),
		.name = slice_of(proposal->method),
		.body = library_slice(proposal->params),
		.about = slice_of(proposal->id),
		.deadline_ms = deadline,
		.done = call_done,
	};
	struct fault why;
	if (proposal->to) return start(room, &options, &model, error);
	fault_set(&why, FAULT_BAD_INPUT, "the proposal names nobody who could do it");
	return library_error_null(error, &why);
}

/* ---- Listing ---- */

static bool show_tool(const struct mcp_tool *tool, struct arena *arena,
	struct hustings_tool_seen *seen) {
	bool failed = false;
	struct slice none = SLICE("");
	*seen = (struct hustings_tool_seen){
		.name = library_string(arena, tool->name, &failed),
		.title = library_string(arena, tool->title.bytes ? tool->title : none, &failed),
		.description = library_string(arena, tool->description.bytes ? tool->description : none, &failed),
		.schema = library_json(tool->input_schema),
		.definition = library_json(tool->definition),
		.only_reads = tool->hints.is_read_only,
		.may_destroy = tool->hints.is_destructive,
	};
	return !failed;
}

static void tell_listing(const struct hustings_call *call, const struct mcp_listing *listing) {
	size_t count = mcp_listing_count(listing);
	struct arena arena;
	struct fault why;
	struct hustings_error error;
	arena_init(&arena, NULL, 0, 0);
	struct hustings_tool_seen *tools = arena_alloc(&arena, (count + 1) * sizeof *tools);
	bool is_whole = tools != NULL;
	for (size_t i = 0; is_whole && i < count; i++)
		is_whole = show_tool(mcp_listing_at(listing, i), &arena, &tools[i]);
	fault_set(&why, FAULT_NO_MEMORY, "no memory for a list of tools");
	(void)library_error(&error, &why);
	if (is_whole) call->listed(call->context, tools, count, NULL);
	else call->listed(call->context, NULL, 0, &error);
	arena_finish(&arena);
}

static void list_done(void *context, const struct errand_result *result, const struct fault *why) {
	struct hustings_call *held = context, call = *held;
	struct hustings_error error;
	call_free(held);
	if (!why) {
		tell_listing(&call, result->listing);
		return;
	}
	(void)library_error(&error, why);
	call.listed(call.context, NULL, 0, &error);
}

struct hustings_call *hustings_list(struct hustings_room *room, const char *participant,
	uint64_t deadline, hustings_listed *listed, void *context, struct hustings_error *error) {
	struct hustings_call model = {.listed = listed, .context = context};
	struct errand_options options = {
		.kind = ERRAND_LIST,
		.to = slice_of(participant),
		.deadline_ms = deadline,
		.done = list_done,
	};
	return start(room, &options, &model, error);
}
