/* SPDX-License-Identifier: Apache-2.0 */
/* Flow tool: what its function calls: a function a kind of answer, and the ways to end. */
#include "client/flow_tool_pass.h"
#include "mcp/mcp_reply.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

_Static_assert((int)HUSTINGS_STEP_CUSTOM == (int)PROMPT_CUSTOM, "kinds of steps are types of prompts");

/* ---- Answers ---- */

static bool hand_out(struct hustings_flow *flow, const struct scan_value *value, const char **words) {
	struct slice text, copy;
	*words = NULL;
	if (value->type != SCAN_STRING) return true;
	if (scan_string(value, &flow->arena, &text) && arena_copy(&flow->arena, text, &copy)) {
		*words = copy.bytes;
		return true;
	}
	flow_tool_pass_fail(flow, "no memory for an answer");
	return false;
}

static bool ask_words(struct hustings_flow *flow, const char *name, enum prompt_type type,
	const struct hustings_field *field, const char **answer) {
	struct scan_value value;
	return flow_tool_pass_ask(flow, name, type, field, &value) && hand_out(flow, &value, answer);
}

bool hustings_ask_text(struct hustings_flow *flow, const char *name,
	const struct hustings_field *field, const char **answer) {
	return ask_words(flow, name, PROMPT_TEXT, field, answer);
}

bool hustings_ask_choice(struct hustings_flow *flow, const char *name,
	const struct hustings_field *field, const char **answer) {
	return ask_words(flow, name, PROMPT_CHOICE, field, answer);
}

bool hustings_ask_date(struct hustings_flow *flow, const char *name,
	const struct hustings_field *field, const char **answer) {
	return ask_words(flow, name, PROMPT_DATE, field, answer);
}

bool hustings_ask_number(struct hustings_flow *flow, const char *name,
	const struct hustings_field *field, double *answer) {
	struct scan_value value;
	if (!flow_tool_pass_ask(flow, name, PROMPT_NUMBER, field, &value)) return false;
	if (!scan_number(&value, answer)) *answer = NAN;
	return true;
}

bool hustings_ask_confirm(struct hustings_flow *flow, const char *name,
	const struct hustings_field *field, bool *answer) {
	struct scan_value value;
	if (!flow_tool_pass_ask(flow, name, PROMPT_CONFIRM, field, &value)) return false;
	if (!scan_boolean(&value, answer)) *answer = false;
	return true;
}

static bool file_words(struct hustings_flow *flow, const struct scan_value *file, const char *name,
	const char *otherwise, const char **words) {
	struct scan_value value = {.type = SCAN_NONE};
	if (file->type == SCAN_OBJECT && !scan_find(file, name, &value)) value.type = SCAN_NONE;
	if (!hand_out(flow, &value, words)) return false;
	if (!*words) *words = otherwise;
	return true;
}

bool hustings_ask_file(struct hustings_flow *flow, const char *name,
	const struct hustings_field *field, struct hustings_file *answer) {
	struct scan_value file, size;
	if (!flow_tool_pass_ask(flow, name, PROMPT_FILE, field, &file)) return false;
	*answer = (struct hustings_file){.uri = NULL};
	if (file.type == SCAN_OBJECT && scan_find(&file, "size", &size) && !scan_number(&size, &answer->octets))
		answer->octets = 0;
	return file_words(flow, &file, "uri", NULL, &answer->uri) && file_words(flow, &file, "name", "", &answer->name) &&
		file_words(flow, &file, "mimeType", "", &answer->type);
}

bool hustings_ask_custom(struct hustings_flow *flow, const char *name,
	const struct hustings_field *field, struct hustings_json *answer) {
	struct scan_value value;
	if (!flow_tool_pass_ask(flow, name, PROMPT_CUSTOM, field, &value)) return false;
	*answer = value.type == SCAN_NULL ? library_json(SLICE_NONE) : library_json(value.text);
	return true;
}

/* ---- Back ---- */

/* How many answers are to be taken back; 0: there is none of that name. */
static unsigned answers_since(const struct flow_session *session, const char *name) {
	AUTO_TEXT struct text array = {0};
	struct scan_walk walk;
	struct scan_member member;
	struct scan_value value;
	char lent[512];
	struct arena arena;
	struct slice own;
	unsigned at = 0, found = 0;
	text_init(&array, 0);
	text_add_char(&array, '[');
	text_add(&array, text_slice(&session->history));
	text_add_char(&array, ']');
	if (text_failed(&array)) return 0;
	const struct scan_value turns = {.text = text_slice(&array), .type = SCAN_ARRAY};
	arena_init(&arena, lent, sizeof lent, 0);
	for (scan_open(&walk, &turns); scan_next(&walk, &member); at++)
		if (scan_path(&member.value, &value, "prompt", "name", NULL) && scan_string(&value, &arena, &own) &&
			slice_is(own, name))
			found = at + 1;
	arena_finish(&arena);
	return found ? at - found + 1 : 0;
}

bool hustings_flow_back(struct hustings_flow *flow, const char *name) {
	struct flow_session *session = flow->session;
	struct flow_refusal refusal;
	if (flow->is_done) return false;
	unsigned due = name ? answers_since(session, name) : session->turns > 0;
	if (!due) return false;
	flow->is_done = true;
	for (; due; due--) {
		if (flow_session_back(session, flow->now, &refusal)) continue;
		flow_session_fail(session, refusal.message, flow->now);
		return false;
	}
	flow->went_back = true;
	return true;
}

/* ---- On the way, and the end ---- */

void hustings_flow_progress(struct hustings_flow *flow, unsigned current, unsigned total, const char *message) {
	struct slice words = SLICE_NONE;
	if (flow->is_done || (message && !arena_copy(&flow->arena, slice_of(message), &words))) return;
	flow->has_progress = true;
	flow->progress = (struct prompt_progress){.current = current, .total = total, .message = words};
}

void hustings_flow_text(struct hustings_flow *flow, const char *words) {
	AUTO_TEXT struct text result = {0};
	text_init(&result, 0);
	mcp_reply_write_text(&result, slice_of(words), false);
	flow_tool_pass_end(flow, true, &result);
}

static bool read_json(const char *json, struct scan_value *root) {
	struct scan_fault fault;
	return json && scan_check(slice_of(json), SCAN_DEPTH / 2, root, &fault);
}

void hustings_flow_json(struct hustings_flow *flow, const char *json) {
	AUTO_TEXT struct text result = {0};
	struct scan_value root;
	if (!read_json(json, &root)) {
		hustings_flow_fail(flow, "the answer is no sound JSON");
		return;
	}
	text_init(&result, 0);
	mcp_reply_write_json(&result, root.text);
	flow_tool_pass_end(flow, true, &result);
}

void hustings_flow_answer(struct hustings_flow *flow, const char *json) {
	AUTO_TEXT struct text result = {0};
	struct scan_value root, value;
	bool is_error = false;
	if (!read_json(json, &root) || root.type != SCAN_OBJECT) {
		hustings_flow_fail(flow, "the answer is no sound JSON object");
		return;
	}
	if (scan_find(&root, "isError", &value) && !scan_boolean(&value, &is_error)) is_error = false;
	text_init(&result, 0);
	text_add(&result, root.text);
	flow_tool_pass_end(flow, !is_error, &result);
}

void hustings_flow_fail(struct hustings_flow *flow, const char *format, ...) {
	AUTO_TEXT struct text result = {0};
	char words[1000];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(words, sizeof words, format, arguments);
	va_end(arguments);
	text_init(&result, 0);
	mcp_reply_write_text(&result, slice_of(words), true);
	flow_tool_pass_end(flow, false, &result);
}

const char *hustings_flow_from(const struct hustings_flow *flow) { return flow->from; }

struct hustings_json hustings_flow_known(const struct hustings_flow *flow) {
	return library_json(text_slice(&flow->session->given));
}
