/* SPDX-License-Identifier: Apache-2.0 */
/* Search: what is asked goes to a plan, the plan to the ranks. */
#include "search/search.h"

#include "search/search_categories.h"
#include "search/search_order.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

#define NAMED 4      /* what a tool scores that was asked for by its very name */
#define LOOKED_AT 64 /* tools that are put into order, where fewer are asked for */
#define HIGH 0.75    /* a score from which on the next costs more */
#define LEAST 0.02f  /* a score below is none */
#define SEVERAL 3    /* words of a question from which on */
#define FITS 0.1f    /* a best score below says that nothing fits */

struct search {
	struct search_index index;
	struct search_words *words;
	struct search_plan plan;
	struct search_ranked ranked[SEARCH_MOST];
};

struct search *search_open(const struct search_options *options, struct fault *why) {
	uint32_t most = options && options->most_tools ? options->most_tools : SEARCH_TOOLS;
	struct search_words *words = search_words_open(why);
	if (!words) return NULL;
	struct search *search = calloc(1, sizeof *search);
	if (!search) {
		search_words_close(words);
		return fault_null(why, FAULT_NO_MEMORY, "no memory for the tool index");
	}
	search->words = words;
	search_index_init(&search->index, most < SEARCH_NUMBERS ? most : SEARCH_NUMBERS - 1);
	return search;
}

void search_close(struct search *search) {
	if (!search) return;
	search_index_finish(&search->index);
	search_words_close(search->words);
	free(search);
}

/* ---- Changes ---- */

static bool fits(struct slice text, const char *what, struct fault *why) {
	if (text.length == 0) return fault_set(why, FAULT_BAD_INPUT, "%s of the tool index is empty", what);
	if (memchr(text.bytes, '\0', text.length)) return fault_set(why, FAULT_BAD_INPUT, "%s of the tool index holds a NUL", what);
	if (text.length <= SEARCH_NAME_OCTETS) return true;
	return fault_set(why, FAULT_TOO_LARGE, "%s of the tool index has more than %d octets", what, SEARCH_NAME_OCTETS);
}

bool search_server(struct search *search, struct slice server, struct slice title, struct slice text, struct fault *why) {
	if (!fits(server, "a server's id", why)) return false;
	search_record_server(&search->index.record, search->words, server, title, text);
	return search_index_server(&search->index, server, why);
}

bool search_put(struct search *search, struct slice server, struct slice name, struct slice definition, struct fault *why) {
	if (!fits(server, "a server's id", why) || !fits(name, "a tool's name", why)) return false;
	if (search_record_tool(&search->index.record, search->words, server, name, definition, why))
		return search_index_put(&search->index, search->words, server, name, why);
	search_remove(search, server, name);
	return false;
}

void search_remove(struct search *search, struct slice server, struct slice name) {
	search_index_remove(&search->index, server, name);
}

void search_remove_server(struct search *search, struct slice server) {
	search_index_remove_server(&search->index, server);
}

size_t search_count(const struct search *search) {
	return search->index.tool_count;
}

size_t search_octets(const struct search *search) {
	return search->index.octets + search->index.terms.octets;
}

/* ---- Questions ---- */

static struct search_seen seen_of(const struct search_tool *tool) {
	return (struct search_seen){
		.server = search_tool_server(tool),
		.name = search_tool_name(tool),
		.categories = search_tool_categories(tool),
	};
}

bool search_find(const struct search *search, struct slice server, struct slice name, struct search_seen *seen) {
	const struct search_site *site = map_find(&search->index.sites, server);
	const struct search_tool *tool = site ? map_find(&site->by_name, name) : NULL;
	if (tool) *seen = seen_of(tool);
	return tool != NULL;
}

static bool is_let_through(const struct search_question *question, const struct search_tool *tool) {
	struct search_seen seen = seen_of(tool);
	return !question->filter || question->filter(question->context, &seen);
}

static bool filter(void *context, const struct search_tool *tool) {
	return is_let_through(context, tool);
}

bool search_stands_under(const struct search_seen *tool, struct slice category) {
	struct slice rest = tool->categories, path;
	while (slice_split(&rest, '\0', &path)) {
		if (path.length < category.length || path.length == 0) continue;
		if (path.length > category.length && category.length > 0 && path.bytes[category.length] != '/') continue;
		if (slice_equal_ignoring_case(slice_make(path.bytes, category.length), category)) return true;
	}
	return false;
}

bool search_categories(struct search *search, struct slice under, search_filter *filters, void *filter_context,
	search_category *each, void *context, struct fault *why) {
	struct search_question question = {.filter = filters, .context = filter_context};
	under = slice_trim(under);
	while (under.length > 0 && under.bytes[under.length - 1] == '/') under.length--;
	return search_categories_each(&search->index, under, filters ? filter : NULL, &question, each, context, why);
}

static size_t browse(struct search *search, const struct search_question *question, size_t most) {
	struct slice path = slice_trim(question->query);
	size_t count = 0;
	while (path.length > 0 && path.bytes[path.length - 1] == '/') path.length--;
	for (uint32_t i = 0; i < search->index.tool_places; i++) {
		const struct search_tool *tool = search->index.tools[i];
		if (!tool || !search_index_sees_tool(&search->index, tool)) continue;
		struct search_seen seen = seen_of(tool);
		struct search_ranked one = {.tool = tool, .score = 1};
		if (path.length == 0 || search_stands_under(&seen, path))
			count = search_rank_keep(search->ranked, count, most, one);
	}
	return count;
}

static size_t put_first(struct search *search, size_t count, size_t most,
	const struct search_tool *tool) {
	if (!tool || !search_index_sees_tool(&search->index, tool)) return count;
	for (size_t i = 0; i < count; i++) {
		if (search->ranked[i].tool != tool) continue;
		memmove(&search->ranked[i], &search->ranked[i + 1], (--count - i) * sizeof search->ranked[0]);
		break;
	}
	return search_rank_keep(search->ranked, count, most, (struct search_ranked){.tool = tool, .score = NAMED});
}

/* "server.name" or "server__name", wherever the server's id ends. */
static const struct search_tool *named_in_full(const struct search *search, struct slice query) {
	for (size_t i = 1; i + 1 < query.length; i++) {
		size_t between = query.bytes[i] == '.' ? 1 : query.bytes[i] == '_' && query.bytes[i + 1] == '_' ? 2
														: 0;
		if (between == 0) continue;
		const struct search_site *site = map_find(&search->index.sites, slice_make(query.bytes, i));
		size_t from = i + between;
		const struct search_tool *tool = site ? map_find(&site->by_name, slice_make(query.bytes + from, query.length - from)) : NULL;
		if (tool) return tool;
	}
	return NULL;
}

/* Tools of that very name come first, whatever the words say. */
static size_t put_named_first(struct search *search, const struct search_question *question, size_t count, size_t most) {
	struct slice query = slice_trim(question->query);
	if (query.length == 0 || query.length > 2 * SEARCH_NAME_OCTETS + 2) return count;
	for (uint32_t i = 0; i < search->index.site_places; i++) {
		const struct search_site *site = search->index.by_number[i];
		if (site) count = put_first(search, count, most, map_find(&site->by_name, query));
	}
	return put_first(search, count, most, named_in_full(search, query));
}

static uint64_t now_ns(void) {
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static size_t rank(struct search *search, const struct search_question *question, size_t most) {
	bool is_exact = question->strategy == SEARCH_KEYWORD;
	search_plan_make(&search->plan, &search->index, search->words, question->query, is_exact);
	size_t count = search_rank_run(&search->index, &search->plan, LEAST, search->ranked, most > LOOKED_AT ? most : LOOKED_AT);
	count = search_order_run(&search->index, &search->plan, search->ranked, count, LEAST);
	if (!is_exact && search->plan.count >= SEVERAL && count > 0 && search->ranked[0].score < FITS) count = 0;
	if (count > most) count = most;
	return put_named_first(search, question, count, most);
}

/* What a score has over HIGH comes nearer and nearer to 1, so that two that differ do so in an answer. */
static double relevance_of(double score) {
	if (score >= NAMED) return 1;
	return score <= HIGH ? score : 1 - (1 - HIGH) * exp((HIGH - score) / (1 - HIGH));
}

void search_ask(struct search *search, const struct search_question *question, struct search_answer *answer) {
	uint64_t began = now_ns();
	size_t most = question->most && question->most < SEARCH_MOST ? question->most : SEARCH_MOST;
	search_index_look(&search->index, question->filter ? filter : NULL, (void *)question);
	answer->count = question->strategy == SEARCH_CATEGORY ? browse(search, question, most) : rank(search, question, most);
	for (size_t i = 0; i < answer->count; i++) {
		answer->hits[i] = (struct search_hit){.tool = seen_of(search->ranked[i].tool),
			.relevance = relevance_of(search->ranked[i].score)};
	}
	answer->total_available = search->index.seen_tools;
	answer->milliseconds = (double)(now_ns() - began) / 1e6;
}
