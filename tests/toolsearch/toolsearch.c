/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Toolsearch: the index of tools, fed from catalogue files and asked from stdin.
 *
 * toolsearch --tools FILE [--tools FILE]... [--strategy keyword|semantic|category] [--figures]
 *
 * A catalogue is a JSON array of objects with server_id, name and what a definition has; server_name and
 * server_description may say more of the server. Each line of stdin is {"id","query","k"}, each answer one
 * line {"id","tools":[{"server_id","name","relevance_score"}...],"total_available","ms"}. A line that is no such
 * question is answered with {"id","error"}, and the next one is read. --figures: one line on stderr about the
 * index. Exits 2 when a file cannot be read.
 */
#include "base/clock.h"
#include "search/search.h"
#include "wire/scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define USAGE "usage: toolsearch --tools FILE [--tools FILE]... [--strategy keyword|semantic|category] [--figures]\n"
#define FILE_MOST ((size_t)256 * 1024 * 1024)
#define MEMORY ((size_t)1024 * 1024)

static const char *const strategies[SEARCH_STRATEGIES] = {"keyword", "semantic", "category"};

static int fail(const char *what, const char *why) {
	fprintf(stderr, "toolsearch: %s: %s\n", what, why);
	return 2;
}

static bool read_file(const char *path, struct text *to) {
	char block[65536];
	FILE *file = fopen(path, "rb");
	if (!file) return false;
	for (size_t got; (got = fread(block, 1, sizeof block, file)) > 0;) text_add(to, slice_make(block, got));
	bool is_read = !ferror(file);
	fclose(file);
	return is_read && !text_failed(to);
}

static struct slice string_of(const struct scan_value *object, const char *name, struct arena *arena) {
	struct scan_value found;
	struct slice text;
	return scan_find(object, name, &found) && scan_string(&found, arena, &text) ? text : SLICE_NONE;
}

/* The server's own words come with every one of its tools: they are told once in a row. */
static bool put(struct search *search, const struct scan_value *tool, struct text *last, struct fault *why) {
	struct arena arena;
	arena_init(&arena, NULL, 0, MEMORY);
	struct slice server = string_of(tool, "server_id", &arena), name = string_of(tool, "name", &arena);
	bool is_put = true;
	if (!slice_equal(server, text_slice(last))) {
		text_clear(last);
		text_add(last, server);
		is_put = search_server(search, server, string_of(tool, "server_name", &arena),
			string_of(tool, "server_description", &arena), why);
	}
	is_put = is_put && search_put(search, server, name, tool->text, why);
	arena_finish(&arena);
	return is_put;
}

static bool load(struct search *search, const char *path, struct fault *why) {
	AUTO_TEXT struct text file = {0}, last = {0};
	struct scan_value root;
	struct scan_fault unsound;
	struct scan_walk walk;
	struct scan_member member;
	text_init(&file, FILE_MOST);
	text_init(&last, 0);
	if (!read_file(path, &file)) return fault_set(why, FAULT_IO, "it cannot be read");
	if (!scan_check(text_slice(&file), SCAN_DEPTH, &root, &unsound) || root.type != SCAN_ARRAY)
		return fault_set(why, FAULT_BAD_INPUT, "it is no JSON array");
	for (scan_open(&walk, &root); scan_next(&walk, &member);)
		if (!put(search, &member.value, &last, why)) return false;
	return true;
}

static void write_answer(struct slice id, const struct search_answer *answer) {
	AUTO_TEXT struct text line = {0};
	text_init(&line, 0);
	text_printf(&line, "{\"id\":%.*s,\"tools\":[", SLICE_ARGS(id));
	for (size_t i = 0; i < answer->count; i++) {
		text_add_cstr(&line, i ? ",{\"server_id\":" : "{\"server_id\":");
		text_json(&line, answer->hits[i].tool.server);
		text_add_cstr(&line, ",\"name\":");
		text_json(&line, answer->hits[i].tool.name);
		text_printf(&line, ",\"relevance_score\":%.3f}", answer->hits[i].relevance);
	}
	text_printf(&line, "],\"total_available\":%zu,\"ms\":%.4f}\n", answer->total_available, answer->milliseconds);
	if (text_failed(&line)) return;
	fwrite(line.bytes, 1, line.length, stdout);
	fflush(stdout);
}

static void refuse(struct slice id, const char *why) {
	printf("{\"id\":%.*s,\"error\":\"%s\"}\n", SLICE_ARGS(id.bytes ? id : SLICE("null")), why);
	fflush(stdout);
}

/* Why a line is no question; NULL: it is one. *most is left alone where it does not say k. */
static const char *read_question(struct slice line, struct scan_value *root, struct slice *id, struct slice *query,
	int64_t *most, struct arena *arena) {
	struct scan_value value;
	struct scan_fault unsound;
	*id = SLICE_NONE;
	if (!scan_check(line, SCAN_DEPTH, root, &unsound) || root->type != SCAN_OBJECT) return "the line is no JSON object";
	if (!scan_find(root, "id", &value)) return "id is missing";
	*id = value.text;
	if (!scan_find(root, "query", &value) || !scan_string(&value, arena, query)) return "query has to be a string";
	if (scan_find(root, "k", &value) && (!scan_integer(&value, most) || *most < 1)) return "k has to be 1 or more";
	return NULL;
}

static void ask(struct search *search, struct slice line, enum search_strategy strategy) {
	static struct search_answer answer;
	struct scan_value root;
	struct slice id, query = SLICE_NONE;
	struct arena arena;
	int64_t most = 10;
	arena_init(&arena, NULL, 0, MEMORY);
	const char *why = read_question(line, &root, &id, &query, &most, &arena);
	struct search_question question = {
		.query = query,
		.strategy = strategy,
		.most = most < SEARCH_MOST ? (size_t)most : SEARCH_MOST,
	};
	if (why) {
		refuse(id, why);
	} else {
		search_ask(search, &question, &answer);
		write_answer(id, &answer);
	}
	arena_finish(&arena);
}

static void answer_all(struct search *search, enum search_strategy strategy) {
	AUTO_FREE char *line = NULL;
	size_t capacity = 0;
	for (ssize_t length; (length = getline(&line, &capacity, stdin)) > 0;)
		ask(search, slice_trim(slice_make(line, (size_t)length - (line[length - 1] == '\n'))), strategy);
}

static bool strategy_read(const char *word, enum search_strategy *strategy) {
	for (unsigned i = 0; i < SEARCH_STRATEGIES; i++) {
		if (strcmp(word, strategies[i]) != 0) continue;
		*strategy = i;
		return true;
	}
	return false;
}

static int run(struct search *search, int count, char **arguments) {
	enum search_strategy strategy = SEARCH_SEMANTIC;
	struct fault why = {0};
	bool wants_figures = false;
	uint64_t began = clock_monotonic_us();
	for (int i = 1; i < count; i++) {
		bool has_value = i + 1 < count;
		if (strcmp(arguments[i], "--figures") == 0) {
			wants_figures = true;
		} else if (has_value && strcmp(arguments[i], "--tools") == 0) {
			if (!load(search, arguments[++i], &why)) return fail(arguments[i], why.text);
		} else if (!has_value || strcmp(arguments[i], "--strategy") != 0 || !strategy_read(arguments[++i], &strategy)) {
			fputs(USAGE, stderr);
			return 2;
		}
	}
	if (wants_figures)
		fprintf(stderr, "%zu tools, %zu octets of index for each, read in %.0f ms\n", search_count(search),
			search_count(search) ? search_octets(search) / search_count(search) : 0,
			(double)(clock_monotonic_us() - began) / 1000);
	answer_all(search, strategy);
	return 0;
}

int main(int count, char **arguments) {
	struct fault why = {0};
	struct search *search = search_open(NULL, &why);
	if (!search) return fail("the index", why.text);
	int status = run(search, count, arguments);
	search_close(search);
	return status;
}
