/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp_tools: a question read, asked, and answered within the budget. */
#include "kernel/mgp_tools.h"

#include "base/clock.h"
#include "kernel/category_tree.h"
#include "kernel/tool_filter.h"
#include "kernel/tool_index.h"
#include "kernel/tool_roster.h"
#include "kernel/tool_sessions.h"
#include "kernel/tool_shown.h"
#include "wire/jsonrpc.h"

#include <stdlib.h>

#define LEFT_OUT_NAMED 8 /* tools that did not fit into an answer */

/* One mgp/tools/discover until it is answered. What its asker lent is copied. */
struct discovery {
	struct mgp_ask *ask;
	struct arena arena;
	struct call_asker asker;
	struct tool_filter filter;
	struct tool_search search;
	enum search_strategy strategy; /* as it was asked for */
	bool is_few;                   /* no more are asked for than who does not say how many gets */
	uint64_t began_us;
	char lent[512]; /* to the arena */
};

static const char *const strategies[SEARCH_STRATEGIES] = {
	[SEARCH_KEYWORD] = "keyword",
	[SEARCH_SEMANTIC] = "semantic",
	[SEARCH_CATEGORY] = "category",
};

static void discovery_free(struct discovery *discovery) {
	arena_finish(&discovery->arena);
	free(discovery);
}

/* ---- Reading ---- */

static bool read_word(struct mgp_ask *ask, const char *name, struct slice *word) {
	struct scan_value value;
	*word = SLICE_NONE;
	if (ask->params.type == SCAN_OBJECT && scan_find(&ask->params, name, &value) && value.type != SCAN_STRING) {
		mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.%s: a string is due", name);
		return false;
	}
	return mgp_ask_word(ask, name, false, word);
}

static bool read_strategy(struct mgp_ask *ask, enum search_strategy *strategy) {
	struct slice word;
	*strategy = SEARCH_SEMANTIC;
	if (!read_word(ask, "strategy", &word)) return false;
	for (int one = 0; one < SEARCH_STRATEGIES; one++)
		if (slice_is(word, strategies[one])) {
			*strategy = (enum search_strategy)one;
			return true;
		}
	if (!word.bytes) return true;
	mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.strategy: keyword, semantic or category is due");
	return false;
}

static bool read_most(struct mgp_ask *ask, size_t *most) {
	struct scan_value value;
	int64_t number;
	*most = MGP_TOOLS_FEW;
	if (ask->params.type != SCAN_OBJECT || !scan_find(&ask->params, "max_results", &value)) return true;
	if (scan_integer(&value, &number) && number >= 1 && number <= SEARCH_MOST) {
		*most = (size_t)number;
		return true;
	}
	mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.max_results: a whole number from 1 to %d is due", SEARCH_MOST);
	return false;
}

static bool read_query(struct mgp_ask *ask, struct slice *query) {
	if (!read_word(ask, "query", query)) return false;
	*query = slice_trim(*query);
	if (query->length <= MGP_TOOLS_QUERY) return true;
	mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.query: it has %zu octets, and %d are the most: ask for one step, in a few words",
		query->length, MGP_TOOLS_QUERY);
	return false;
}

/* Slices that are good as long as the discovery. */
static bool keep_asker(struct discovery *discovery, const struct call_asker *asker) {
	discovery->asker = *asker;
	return arena_copy(&discovery->arena, asker->principal, &discovery->asker.principal) &&
		arena_copy(&discovery->arena, asker->session, &discovery->asker.session) &&
		arena_copy(&discovery->arena, asker->kind, &discovery->asker.kind);
}

static void no_memory(struct mgp_ask *ask) {
	struct fault why;
	(void)fault_set(&why, FAULT_NO_MEMORY, "no memory for the search: try again");
	mgp_ask_fail(ask, &why);
}

static struct discovery *discovery_make(struct mgp_ask *ask) {
	struct discovery *discovery = calloc(1, sizeof *discovery);
	if (!discovery) {
		no_memory(ask);
		return NULL;
	}
	arena_init(&discovery->arena, discovery->lent, sizeof discovery->lent, 0);
	discovery->ask = ask;
	discovery->began_us = clock_monotonic_us();
	discovery->filter = (struct tool_filter){.means = ask->means, .asker = &discovery->asker, .only = ask->hosted};
	if (keep_asker(discovery, &ask->asker)) return discovery;
	discovery_free(discovery);
	no_memory(ask);
	return NULL;
}

/* ---- Answering ---- */

/* In tokens. Without memory to see what stands in the context already, `to` has failed. */
static uint64_t room_of(const struct discovery *discovery, struct text *to) {
	const struct mgp_ask *ask = discovery->ask;
	AUTO(tool_roster) roster = tool_roster_read(ask->means, &discovery->asker, ask->hosted);
	if (!roster) to->failed = true;
	return roster ? tool_sessions_room(ask->means->tool_sessions, roster->tokens) : 0;
}

/* False: it is there no more. */
static bool write_hit(const struct discovery *discovery, const struct search_hit *hit, struct text *to) {
	struct hosted *hosted = hosted_find(discovery->ask->means->servers, hit->tool.server);
	const struct tool_showing showing = {
		.asker = &discovery->asker,
		.client = discovery->ask->client,
		.hosted = hosted,
		.tool = hosted ? tool_index_tool(hosted, hit->tool.name, NULL) : NULL,
		.relevance = hit->relevance,
	};
	if (showing.tool) tool_show(to, &showing);
	return showing.tool != NULL;
}

static void note_found(struct tool_found *found, size_t *count, const struct discovery *discovery,
	const struct search_hit *hit) {
	struct hosted *hosted = hosted_find(discovery->ask->means->servers, hit->tool.server);
	const struct tool *tool = hosted ? tool_index_tool(hosted, hit->tool.name, NULL) : NULL;
	if (!tool) return;
	found[(*count)++] = (struct tool_found){.server = hit->tool.server, .tool = hit->tool.name, .octets = tool->definition.length};
}

/* Those that are worth it beside the best; who asks for many gets lesser ones too, but no noise. */
static bool is_worth_it(const struct discovery *discovery, const struct search_hit *hit) {
	const struct search_answer *answer = &discovery->search.answer;
	return hit->relevance >= answer->hits[0].relevance / (discovery->is_few ? 2 : 4);
}

/* Who asks for few gets the best one whatever it costs, and of the others what one step is worth. */
static bool is_enough(const struct discovery *discovery, uint64_t used, uint64_t tokens) {
	const struct tool_budget *budget = tool_sessions_budget(discovery->ask->means->tool_sessions);
	return discovery->is_few && used && used + tokens > budget->discovery_reserve * MGP_TOOLS_SHARE / 100;
}

/* What would have been an answer, so that one can ask for it alone by this name, or know that it is there. */
static void write_left_out(struct text *to, const struct search_hit *hit) {
	AUTO_TEXT struct text name = {0};
	text_init(&name, 0);
	text_add(&name, hit->tool.server);
	text_add_char(&name, '.');
	text_add(&name, hit->tool.name);
	if (to->length) text_add_char(to, ',');
	text_json(to, text_slice(&name));
	if (text_failed(&name)) to->failed = true;
}

static void write_tools(const struct discovery *discovery, struct text *to) {
	const struct search_answer *answer = &discovery->search.answer;
	struct tool_sessions *sessions = discovery->ask->means->tool_sessions;
	uint64_t room = room_of(discovery, to), used = 0;
	struct tool_found found[SEARCH_MOST];
	size_t count = 0, left_out = 0;
	AUTO_TEXT struct text names = {0};
	text_init(&names, 0);
	text_add_cstr(to, "{\"tools\":[");
	for (size_t i = 0; i < answer->count && is_worth_it(discovery, &answer->hits[i]); i++) {
		AUTO_TEXT struct text entry = {0};
		text_init(&entry, 0);
		if (!write_hit(discovery, &answer->hits[i], &entry)) continue;
		uint64_t tokens = tool_tokens(entry.length);
		if (is_enough(discovery, used, tokens)) break;
		if (used + tokens > room) {
			if (left_out++ < LEFT_OUT_NAMED) write_left_out(&names, &answer->hits[i]);
			continue;
		}
		used += tokens;
		if (text_failed(&entry)) to->failed = true;
		if (count) text_add_char(to, ',');
		text_add(to, text_slice(&entry));
		note_found(found, &count, discovery, &answer->hits[i]);
	}
	text_add_char(to, ']');
	if (left_out) {
		text_add_cstr(to, ",\"truncated\":true,\"left_out\":[");
		text_add(to, text_slice(&names));
		text_add_char(to, ']');
	}
	if (text_failed(&names)) to->failed = true;
	if (!text_failed(to)) tool_sessions_find(sessions, &discovery->asker, found, count);
}

/* What words alone have found is said, since `semantic` promises more. */
static void write_source(const struct discovery *discovery, struct text *to) {
	const struct tool_search *search = &discovery->search;
	if (discovery->strategy != SEARCH_SEMANTIC) return;
	text_printf(to, ",\"semantic_source\":\"%s\"", search->has_vectors ? "embeddings" : "lexical");
	if (search->has_vectors || !discovery->asker.mgp.is_active) return;
	text_add_cstr(to, ",\"note\":");
	text_json(to, slice_of(search->note ? search->note : "no embeddings are configured: found by words and what stands for them"));
}

static void finish(struct discovery *discovery, struct text *result, size_t total) {
	struct mgp_ask *ask = discovery->ask;
	text_printf(result, ",\"total_available\":%zu,\"search_strategy\":\"%s\"", total, strategies[discovery->strategy]);
	write_source(discovery, result);
	text_printf(result, ",\"query_time_ms\":%llu}",
		(unsigned long long)((clock_monotonic_us() - discovery->began_us + 999) / 1000));
	discovery_free(discovery);
	mgp_ask_answer(ask, result);
}

static void found(struct tool_search *search) {
	struct discovery *discovery = CONTAINER_OF(search, struct discovery, search);
	AUTO_TEXT struct text result = {0};
	text_init(&result, 0);
	write_tools(discovery, &result);
	finish(discovery, &result, search->answer.total_available);
}

/* An empty query: where one could look (MGP 16.3). */
static void browsed(struct tool_search *search) {
	struct discovery *discovery = CONTAINER_OF(search, struct discovery, search);
	AUTO_TEXT struct text result = {0};
	discovery->strategy = SEARCH_CATEGORY;
	text_init(&result, 0);
	uint64_t room = room_of(discovery, &result);
	text_add_cstr(&result, "{\"tools\":[],");
	category_tree_write(&result, discovery->ask->means->tool_index, SLICE_NONE, &discovery->filter, room);
	finish(discovery, &result, search->answer.total_available);
}

/* ---- The methods ---- */

static void cancel(struct mgp_ask *ask) {
	struct discovery *discovery = ask->later;
	tool_index_cancel(&discovery->search);
	discovery_free(discovery);
}

static bool concerns(struct tool_search *search, struct hosted *hosted) {
	return tool_filter_concerns(&CONTAINER_OF(search, struct discovery, search)->filter, hosted);
}

static void start(struct discovery *discovery, struct slice query, size_t most, void (*done)(struct tool_search *search)) {
	struct mgp_ask *ask = discovery->ask;
	struct tool_search *search = &discovery->search;
	search->question = (struct search_question){
		.query = query,
		.strategy = discovery->strategy,
		.most = most,
		.filter = tool_filter_passes,
		.context = &discovery->filter,
	};
	search->concerns = concerns;
	search->done = done;
	ask->later = discovery;
	ask->cancel = cancel;
	tool_index_ask(ask->means->tool_index, search);
}

void mgp_tools_discover(struct mgp_ask *ask) {
	struct slice query, kept;
	enum search_strategy strategy;
	size_t most;
	if (!read_query(ask, &query) || !read_strategy(ask, &strategy) || !read_most(ask, &most)) return;
	struct discovery *discovery = discovery_make(ask);
	if (!discovery) return;
	discovery->is_few = most <= MGP_TOOLS_FEW;
	discovery->strategy = strategy;
	if (!arena_copy(&discovery->arena, query, &kept)) {
		discovery_free(discovery);
		no_memory(ask);
		return;
	}
	if (!tool_filter_read(ask, &discovery->arena, &discovery->filter)) {
		discovery_free(discovery);
		return;
	}
	bool is_browsing = kept.length == 0;
	if (is_browsing) discovery->strategy = SEARCH_CATEGORY;
	start(discovery, kept, is_browsing && !discovery->filter.has_categories ? 1 : most,
		is_browsing && !discovery->filter.has_categories ? browsed : found);
}

static void counted(struct tool_search *search) {
	struct discovery *discovery = CONTAINER_OF(search, struct discovery, search);
	struct mgp_ask *ask = discovery->ask;
	AUTO_TEXT struct text result = {0};
	text_init(&result, 0);
	text_add_char(&result, '{');
	category_tree_write(&result, ask->means->tool_index, search->question.query, &discovery->filter,
		room_of(discovery, &result));
	text_printf(&result, ",\"total_available\":%zu}", search->answer.total_available);
	discovery_free(discovery);
	mgp_ask_answer(ask, &result);
}

void mgp_tools_categories(struct mgp_ask *ask) {
	struct slice under, kept;
	if (!read_word(ask, "under", &under)) return;
	if (under.length > MGP_TOOLS_QUERY) {
		mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.under: a category has at most %d octets", MGP_TOOLS_QUERY);
		return;
	}
	struct discovery *discovery = discovery_make(ask);
	if (!discovery) return;
	if (!arena_copy(&discovery->arena, under, &kept)) {
		discovery_free(discovery);
		no_memory(ask);
		return;
	}
	discovery->strategy = SEARCH_CATEGORY;
	start(discovery, kept, 1, counted);
}
