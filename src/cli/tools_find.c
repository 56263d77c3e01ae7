/* SPDX-License-Identifier: Apache-2.0 */
/* Tools find: one question by MGP, its answer as rows. */
#include "cli/tools_find.h"

#include "cli/face_ask.h"
#include "cli/table.h"
#include "mcp/mgp.h"
#include "wire/scan.h"

#include <stdio.h>

#define MOST 100        /* results (docs/protocol.md) */
#define SHOWN_WORDS 100 /* octets of a description */
#define MEMORY ((size_t)16 * 1024 * 1024)

static const struct table_column columns[] = {
	{"score", "SCORE"},
	{"tool", "TOOL"},
	{"risk", "RISK"},
	{"description", "WHAT IT DOES"},
	{0},
};

bool tools_find_is_meant(const struct command_line *line) {
	return command_has(line, "find") || command_has(line, "category");
}

/* ---- The answer ---- */

static struct slice words_of(const struct scan_value *object, const char *name, struct arena *arena) {
	struct scan_value value;
	struct slice words;
	return scan_find(object, name, &value) && scan_string(&value, arena, &words) ? words : SLICE_NONE;
}

static void add_member(struct text *to, const char *name, struct slice words) {
	text_printf(to, ",\"%s\":", name);
	if (words.length) text_json(to, words);
	else text_add_cstr(to, "null");
}

/* The first sentence or so, on one line, to the end of a word. */
static struct slice shorten(struct slice words) {
	struct slice rest = slice_trim(words), line = SLICE_NONE;
	if (!slice_split(&rest, '\n', &line)) return SLICE_NONE;
	size_t length = slice_cut(line, SHOWN_WORDS), end = length;
	while (length < line.length && end > 0 && line.bytes[end] != ' ') end--;
	return slice_make(line.bytes, end > 0 ? end : length);
}

static void add_row(struct text *rows, const struct scan_value *tool, struct arena *arena) {
	struct scan_value score, security;
	AUTO_TEXT struct text name = {0};
	text_init(&name, 0);
	text_add(&name, words_of(tool, "server_id", arena));
	text_add_char(&name, '.');
	text_add(&name, words_of(tool, "name", arena));
	bool has_score = scan_find(tool, "relevance_score", &score) && score.type == SCAN_NUMBER;
	bool has_security = scan_find(tool, "security", &security) && security.type == SCAN_OBJECT;
	text_printf(rows, "{\"score\":%.*s", SLICE_ARGS(has_score ? score.text : SLICE("null")));
	add_member(rows, "tool", text_slice(&name));
	add_member(rows, "risk", has_security ? words_of(&security, "risk_level", arena) : SLICE_NONE);
	add_member(rows, "description", shorten(words_of(tool, "description", arena)));
	text_add_char(rows, '}');
	if (text_failed(&name)) rows->failed = true;
}

bool tools_find_write(struct slice result, struct text *to, size_t *count, struct fault *why) {
	struct scan_value root, tools;
	struct scan_fault fault;
	struct scan_walk walk;
	struct scan_member member;
	struct arena arena;
	AUTO_TEXT struct text rows = {0};
	if (!scan_check(result, SCAN_DEPTH, &root, &fault) || !scan_find(&root, "tools", &tools) ||
		tools.type != SCAN_ARRAY)
		return fault_set(why, FAULT_IO, "the answer holds no tools");
	text_init(&rows, 0);
	arena_init(&arena, NULL, 0, MEMORY);
	text_add_cstr(&rows, "{\"tools\":[");
	*count = 0;
	for (scan_open(&walk, &tools); scan_next(&walk, &member);) {
		if ((*count)++) text_add_char(&rows, ',');
		add_row(&rows, &member.value, &arena);
	}
	text_add_cstr(&rows, "]}");
	arena_finish(&arena);
	if (text_failed(&rows)) return fault_set(why, FAULT_NO_MEMORY, "no memory for the table");
	return *count == 0 || table_write(text_slice(&rows), "tools", columns, to, why);
}

/* ---- The question ---- */

static void write_params(const struct command_line *line, uint64_t most, struct text *to) {
	const char *strategy = command_value(line, "strategy"), *category = NULL, *before = "[";
	const char *query = command_value(line, "find");
	text_add_cstr(to, "{\"query\":");
	text_json(to, slice_of(query ? query : ""));
	if (strategy || !query) text_printf(to, ",\"strategy\":");
	if (strategy || !query) text_json(to, slice_of(strategy ? strategy : "category"));
	if (most) text_printf(to, ",\"max_results\":%llu", (unsigned long long)most);
	if (command_has(line, "category")) text_add_cstr(to, ",\"filter\":{\"categories\":");
	for (size_t at = 0; (category = command_next(line, "category", &at)); before = ",") {
		text_add_cstr(to, before);
		text_json(to, slice_of(category));
	}
	text_add_cstr(to, command_has(line, "category") ? "]}}" : "}");
}

static bool ask(const struct command_line *line, const char *server, uint64_t most, uint64_t timeout_ms,
	struct text *result, struct fault *why) {
	struct reach reach = {0};
	AUTO_TEXT struct text params = {0}, capabilities = {0};
	text_init(&params, 0);
	text_init(&capabilities, 0);
	write_params(line, most, &params);
	text_add_cstr(&capabilities, "{\"extensions\":{\"" MGP_EXTENSION "\":");
	mgp_write(&capabilities, MGP_SECURITY | MGP_TOOL_DISCOVERY);
	text_add_cstr(&capabilities, "}}");
	const struct face_question question = {
		.reach = &reach,
		.server = server,
		.method = "mgp/tools/discover",
		.params = text_slice(&params),
		.capabilities = text_slice(&capabilities),
		.timeout_ms = timeout_ms,
	};
	if (text_failed(&params) || text_failed(&capabilities))
		return fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	bool done = reach_find(line, false, &reach, why) && face_ask(&question, result, why);
	reach_finish(&reach);
	return done;
}

/* Whether a member of the answer stands there as that word. */
static bool says(struct slice result, const char *name, const char *word) {
	struct scan_value root, value;
	struct scan_fault fault;
	return scan_check(result, SCAN_DEPTH, &root, &fault) && scan_find(&root, name, &value) && slice_is(value.text, word);
}

static void say_more(const struct command_line *line, struct slice result, size_t count) {
	bool is_cut = says(result, "truncated", "true"), is_filtered = command_has(line, "category");
	if (count && is_cut)
		fprintf(stderr, "hustings: more tools fit than an answer holds: --server and --category narrow\n");
	else if (is_cut)
		fprintf(stderr, "hustings: what fits is larger than an answer may be: raise "
				"kernel.tool_context_budget.discovery_reserve, or see it with `hustings tools`\n");
	else if (count == 0 && is_filtered)
		fprintf(stderr, "hustings: no tool of that category that you may use fits: leave --category out, or see all with "
				"`hustings tools`\n");
	else if (count == 0 && says(result, "total_available", "0"))
		fprintf(stderr, "hustings: there is no tool that you may use: `hustings access --help` tells who grants them\n");
	else if (count == 0)
		fprintf(stderr, "hustings: no tool that you may use fits: say in a few words what it should do, or see all with "
				"`hustings tools`\n");
}

int tools_find_run(const struct command_line *line, const char *server, uint64_t timeout_ms) {
	AUTO_TEXT struct text result = {0}, shown = {0};
	struct fault why;
	uint64_t most;
	size_t count = 0;
	text_init(&result, 0);
	text_init(&shown, 0);
	/* Without a number the best are shown as an agent gets them; of a category everything. */
	uint64_t otherwise = command_has(line, "find") ? 0 : MOST;
	if (!command_number(line, "max", 1, MOST, otherwise, &most)) return COMMAND_USAGE;
	if (!ask(line, server, most, timeout_ms, &result, &why) ||
		!tools_find_write(text_slice(&result), &shown, &count, &why))
		return command_fail(&why);
	bool as_json = command_has(line, "json");
	if (as_json) text_add_char(&result, '\n');
	else say_more(line, text_slice(&result), count);
	return command_print(text_slice(as_json ? &result : &shown)) ? COMMAND_FINE : COMMAND_FAILED;
}
