/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: a definition, a NUL, a name, a NUL, a query (what is missing is empty). A tool that can be put
 * in is counted and gone when it is taken out; every answer is bounded, its scores are in order and within
 * 0..1, and the index is as it was when all is done.
 */
#include "search/search.h"

#include <stdlib.h>

#define MUST(what) \
	do { \
		if (!(what)) abort(); \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct search_answer answer;

static void check(struct search *search, struct slice query, enum search_strategy strategy) {
	struct search_question question = {.query = query, .strategy = strategy};
	search_ask(search, &question, &answer);
	MUST(answer.count <= SEARCH_MOST && answer.count <= search_count(search));
	MUST(answer.total_available == search_count(search));
	for (size_t i = 0; i < answer.count; i++) {
		MUST(answer.hits[i].relevance > 0 && answer.hits[i].relevance <= 1);
		MUST(i == 0 || answer.hits[i].relevance <= answer.hits[i - 1].relevance);
		MUST(answer.hits[i].tool.name.length > 0);
	}
}

static void path_seen(void *context, struct slice path, size_t tools) {
	(void)context;
	MUST(path.length > 0 && tools > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	static struct search *search;
	struct slice all = slice_make(data, size), definition = SLICE_NONE, name = SLICE_NONE;
	struct fault why = {0};
	if (!search) search = search_open(NULL, &why);
	MUST(search);
	MUST(search_put(search, SLICE("files"), SLICE("read_file"), SLICE("{\"description\":\"Read a file\"}"), &why));
	if (!slice_split(&all, '\0', &definition) || !slice_split(&all, '\0', &name)) name = definition;
	bool is_put = search_put(search, SLICE("fuzz"), name, definition, &why);
	MUST(is_put || (why.code != FAULT_NONE && why.text[0]));
	MUST(search_count(search) == (is_put ? 2u : 1u));
	MUST(search_server(search, SLICE("fuzz"), name, definition, &why));
	for (unsigned i = 0; i < SEARCH_STRATEGIES; i++) {
		check(search, all, i);
		check(search, name, i);
		check(search, definition, i);
	}
	MUST(search_categories(search, all, NULL, NULL, path_seen, NULL, &why));
	search_remove_server(search, SLICE("fuzz"));
	MUST(search_count(search) == 1);
	check(search, definition, SEARCH_SEMANTIC);
	return 0;
}
