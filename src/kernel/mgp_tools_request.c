/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mgp_tools_request: one search a capability, by its own words; where several tools fit, one more with
 * everything that was said besides; then what was chosen is loaded. Where that takes long, others have their
 * turn between two capabilities.
 */
#include "kernel/mgp_tools_request.h"

#include "base/clock.h"
#include "kernel/tool_creation.h"
#include "kernel/tool_filter.h"
#include "kernel/tool_index.h"
#include "kernel/tool_roster.h"
#include "kernel/tool_shown.h"
#include "kernel/tool_wish.h"
#include "wire/jsonrpc.h"

#include <stdlib.h>

#define CANDIDATES 8
#define NEAR 0.8          /* of the best, as far as candidates go */
#define HELP 0.3          /* what everything else that was said counts beside the capability's words */
#define TOO_RISKY 0.1     /* a level above the preferred one costs */
#define NOT_CONNECTED 0.3 /* and a server that is down */
#define PIECE_US 2000     /* of searching in one go */

enum outcome {
	UNMET,
	MET,
	WAITS, /* for a permission */
};

struct candidate {
	struct slice server, name; /* in the arena */
	double score;
	bool waits;
};

struct wanted {
	struct slice capability;
	enum outcome outcome;
	struct candidate chosen;
	uint64_t tokens; /* that it has added */
};

struct tool_request {
	struct mgp_ask *ask;
	struct arena arena;
	struct call_asker asker;
	struct tool_wish wish;
	struct tool_filter filter;
	struct tool_search search;
	struct wanted wanted[TOOL_WISH_MOST];
	size_t at;
	struct candidate candidates[CANDIDATES]; /* of the capability at hand */
	size_t count;
	uint64_t piece_us;     /* when this go began, monotonic */
	struct deadline pause; /* until the next go */
	char lent[1024];       /* to the arena */
};

static void next(struct tool_request *request);

static void request_free(struct tool_request *request) {
	deadline_clear(&request->pause);
	arena_finish(&request->arena);
	free(request);
}

static void no_memory(struct mgp_ask *ask) {
	struct fault why;
	(void)fault_set(&why, FAULT_NO_MEMORY, "no memory for the request: try again");
	mgp_ask_fail(ask, &why);
}

/* Nothing was answered yet. */
static void give_up(struct tool_request *request) {
	struct mgp_ask *ask = request->ask;
	request_free(request);
	no_memory(ask);
}

/* ---- Choosing ---- */

static double worth(const struct tool_request *request, const struct hosted *hosted, const struct tool *tool,
	double relevance) {
	const struct tool_wish *wish = &request->wish;
	if (wish->has_risk && tool->security && tool->security->risk > wish->risk)
		relevance -= TOO_RISKY * (double)(tool->security->risk - wish->risk);
	return hosted_state(hosted) == HOSTED_CONNECTED ? relevance : relevance - NOT_CONNECTED;
}

static bool add_candidate(struct tool_request *request, const struct search_hit *hit) {
	struct hosted *hosted = hosted_find(request->ask->means->servers, hit->tool.server);
	const struct tool *tool = hosted ? tool_index_tool(hosted, hit->tool.name, NULL) : NULL;
	struct candidate *one = &request->candidates[request->count];
	if (!tool) return true;
	if (!arena_copy(&request->arena, hit->tool.server, &one->server) ||
		!arena_copy(&request->arena, hit->tool.name, &one->name))
		return false;
	one->waits = tool_leave_of(governed_of(hosted), tool, NULL) == TOOL_DEFERRED;
	one->score = worth(request, hosted, tool, hit->relevance);
	request->count++;
	return true;
}

/* A tool that was made for this task is what was asked for, whatever its words are. */
static bool take_created(struct tool_request *request) {
	struct wanted *wanted = &request->wanted[request->at];
	struct slice server, name;
	if (!tool_creation_find(request->ask, &request->asker, &request->wish, wanted->capability, &server, &name)) return true;
	if (!arena_copy(&request->arena, server, &wanted->chosen.server) ||
		!arena_copy(&request->arena, name, &wanted->chosen.name))
		return false;
	wanted->outcome = MET;
	return true;
}

static void go_on(struct deadline *deadline) {
	struct tool_request *request = CONTAINER_OF(deadline, struct tool_request, pause);
	request->piece_us = clock_monotonic_us();
	next(request);
}

/* What may be called now goes before what waits for a permission. */
static void choose(struct tool_request *request) {
	struct wanted *wanted = &request->wanted[request->at];
	const struct candidate *best = NULL;
	for (size_t i = 0; i < request->count; i++) {
		const struct candidate *one = &request->candidates[i];
		bool is_better = !best || (best->waits && !one->waits) || (best->waits == one->waits && one->score > best->score);
		if (is_better) best = one;
	}
	if (best) {
		wanted->chosen = *best;
		wanted->outcome = best->waits ? WAITS : MET;
	} else if (!take_created(request)) { /* its list may have come meanwhile */
		give_up(request);
		return;
	}
	request->at++;
	if (request->at < request->wish.count && clock_monotonic_us() - request->piece_us >= PIECE_US)
		deadline_set(request->ask->means->loop, &request->pause, 1, go_on);
	else
		next(request);
}

static void helped(struct tool_search *search) {
	struct tool_request *request = CONTAINER_OF(search, struct tool_request, search);
	for (size_t i = 0; i < search->answer.count; i++) {
		const struct search_hit *hit = &search->answer.hits[i];
		for (size_t k = 0; k < request->count; k++) {
			struct candidate *one = &request->candidates[k];
			if (slice_equal(one->server, hit->tool.server) && slice_equal(one->name, hit->tool.name))
				one->score += HELP * hit->relevance;
		}
	}
	choose(request);
}

static void look(struct tool_request *request, struct slice query, void (*done)(struct tool_search *search)) {
	request->search.question.query = query;
	request->search.done = done;
	tool_index_ask(request->ask->means->tool_index, &request->search);
}

static void looked(struct tool_search *search) {
	struct tool_request *request = CONTAINER_OF(search, struct tool_request, search);
	const struct search_answer *answer = &search->answer;
	struct slice everything;
	request->count = 0;
	for (size_t i = 0; i < answer->count && request->count < CANDIDATES; i++) {
		double relevance = answer->hits[i].relevance;
		if (relevance < MGP_TOOLS_MET || relevance < NEAR * answer->hits[0].relevance) break;
		if (!add_candidate(request, &answer->hits[i])) {
			give_up(request);
			return;
		}
	}
	if (request->count < 2 || !request->wish.help.length) {
		choose(request);
		return;
	}
	if (tool_wish_query(&request->wish, request->wanted[request->at].capability, &request->arena, &everything))
		look(request, everything, helped);
	else
		give_up(request);
}

/* ---- Answering ---- */

static const struct tool *tool_of(const struct tool_request *request, const struct candidate *chosen,
	struct hosted **hosted) {
	*hosted = hosted_find(request->ask->means->servers, chosen->server);
	return *hosted ? tool_index_tool(*hosted, chosen->name, NULL) : NULL;
}

static bool is_twice(const struct tool_request *request, size_t at) {
	const struct candidate *one = &request->wanted[at].chosen;
	for (size_t i = 0; i < at; i++) {
		const struct candidate *other = &request->wanted[i].chosen;
		if (request->wanted[i].outcome == request->wanted[at].outcome && slice_equal(one->server, other->server) &&
			slice_equal(one->name, other->name))
			return true;
	}
	return false;
}

static void load(struct tool_request *request) {
	struct tool_sessions *sessions = request->ask->means->tool_sessions;
	struct hosted *hosted;
	for (size_t i = 0; i < request->wish.count; i++) {
		struct wanted *wanted = &request->wanted[i];
		const struct tool *tool = wanted->outcome == MET ? tool_of(request, &wanted->chosen, &hosted) : NULL;
		if (tool && !is_twice(request, i))
			wanted->tokens = tool_sessions_load(sessions, &request->asker, wanted->chosen.server, wanted->chosen.name,
				tool->definition.length);
	}
}

/* What did not fit beside the others has left again. */
static bool is_loaded(const struct tool_request *request, const struct wanted *wanted) {
	enum tool_standing standing = tool_sessions_standing(request->ask->means->tool_sessions, &request->asker,
		wanted->chosen.server, wanted->chosen.name);
	return wanted->outcome == MET && (standing == TOOL_CACHED || standing == TOOL_PINNED);
}

static void write_loaded(const struct tool_request *request, struct text *to) {
	struct hosted *hosted;
	const char *before = "";
	text_add_cstr(to, ",\"tools_loaded\":[");
	for (size_t i = 0; i < request->wish.count; i++) {
		const struct wanted *wanted = &request->wanted[i];
		const struct tool *tool = is_loaded(request, wanted) ? tool_of(request, &wanted->chosen, &hosted) : NULL;
		if (!tool || is_twice(request, i)) continue;
		const struct tool_showing showing = {
			.asker = &request->asker,
			.client = request->ask->client,
			.hosted = hosted,
			.tool = tool,
			.relevance = -1,
		};
		text_add_cstr(to, before);
		tool_show(to, &showing);
		before = ",";
	}
	text_add_char(to, ']');
}

static void write_unavailable(const struct tool_request *request, struct text *to) {
	const char *before = "";
	bool is_truncated = false;
	text_add_cstr(to, ",\"tools_unavailable\":[");
	for (size_t i = 0; i < request->wish.count; i++) {
		const struct wanted *wanted = &request->wanted[i];
		if (wanted->outcome == WAITS || is_loaded(request, wanted)) continue;
		is_truncated = is_truncated || wanted->outcome == MET;
		text_add_cstr(to, before);
		text_json(to, wanted->capability);
		before = ",";
	}
	text_printf(to, "]%s", is_truncated ? ",\"truncated\":true" : "");
}

static void write_waiting_one(const struct tool_request *request, const struct wanted *wanted, struct text *to) {
	struct hosted *hosted;
	const struct tool *tool = tool_of(request, &wanted->chosen, &hosted);
	struct slice permission = SLICE_NONE;
	if (tool) (void)tool_leave_of(governed_of(hosted), tool, &permission);
	if (permission.length) permissions_want(governed_of(hosted)->permissions, permission);
	const char *decision = hosted && governed_of(hosted) ? permissions_decision(governed_of(hosted)->permissions) : NULL;
	text_add_cstr(to, "{\"capability\":");
	text_json(to, wanted->capability);
	text_add_cstr(to, ",\"name\":");
	text_json(to, wanted->chosen.name);
	text_add_cstr(to, ",\"server_id\":");
	text_json(to, wanted->chosen.server);
	text_add_cstr(to, ",\"permission\":");
	text_json(to, permission);
	if (decision) text_printf(to, ",\"decision_id\":\"%s\"", decision);
	text_add_char(to, '}');
}

static void write_waiting(const struct tool_request *request, struct text *to) {
	const char *before = ",\"pending\":[";
	for (size_t i = 0; i < request->wish.count; i++) {
		if (request->wanted[i].outcome != WAITS) continue;
		text_add_cstr(to, before);
		write_waiting_one(request, &request->wanted[i], to);
		before = ",";
	}
	if (before[1] == '\0') text_add_char(to, ']');
}

static void write_sums(const struct tool_request *request, struct text *to) {
	AUTO(tool_roster) roster = tool_roster_read(request->ask->means, &request->asker, request->ask->hosted);
	uint64_t tokens = 0;
	for (size_t i = 0; i < request->wish.count; i++)
		if (is_loaded(request, &request->wanted[i])) tokens += request->wanted[i].tokens;
	if (!roster) to->failed = true;
	text_printf(to, ",\"session_tools_count\":%zu,\"context_tokens_added\":%llu", roster ? roster->count : 0,
		(unsigned long long)tokens);
}

static const char *status_of(const struct tool_request *request) {
	size_t loaded = 0, waiting = 0, count = request->wish.count;
	for (size_t i = 0; i < count; i++) {
		loaded += is_loaded(request, &request->wanted[i]);
		waiting += request->wanted[i].outcome == WAITS;
	}
	if (loaded == count) return "fulfilled";
	if (waiting && loaded + waiting == count) return "pending_approval";
	if (loaded) return "partial";
	return waiting ? "pending_approval" : "unavailable";
}

static void answer(struct tool_request *request) {
	struct mgp_ask *ask = request->ask;
	AUTO_TEXT struct text result = {0}, creation = {0};
	text_init(&result, 0);
	text_init(&creation, 0);
	load(request);
	const char *status = status_of(request);
	if (strcmp(status, "unavailable") == 0 && tool_creation_offer(ask, &request->asker, &request->wish, &creation)) status = "creating";
	text_printf(&result, "{\"status\":\"%s\"", status);
	write_loaded(request, &result);
	write_unavailable(request, &result);
	write_waiting(request, &result);
	write_sums(request, &result);
	if (creation.length) {
		text_add_cstr(&result, ",\"creation\":");
		text_add(&result, text_slice(&creation));
	}
	text_add_char(&result, '}');
	if (text_failed(&creation)) result.failed = true;
	request_free(request);
	mgp_ask_answer(ask, &result);
}

static void next(struct tool_request *request) {
	for (; request->at < request->wish.count; request->at++) {
		if (!take_created(request)) {
			give_up(request);
			return;
		}
		if (request->wanted[request->at].outcome == UNMET) break;
	}
	if (request->at < request->wish.count) look(request, request->wanted[request->at].capability, looked);
	else answer(request);
}

/* ---- The beginning ---- */

static void cancel(struct mgp_ask *ask) {
	struct tool_request *request = ask->later;
	tool_index_cancel(&request->search);
	request_free(request);
}

static bool concerns(struct tool_search *search, struct hosted *hosted) {
	return tool_filter_concerns(&CONTAINER_OF(search, struct tool_request, search)->filter, hosted);
}

static bool keep_asker(struct tool_request *request, const struct call_asker *asker) {
	request->asker = *asker;
	return arena_copy(&request->arena, asker->principal, &request->asker.principal) &&
		arena_copy(&request->arena, asker->session, &request->asker.session) &&
		arena_copy(&request->arena, asker->kind, &request->asker.kind);
}

void mgp_tools_request(struct mgp_ask *ask) {
	struct tool_request *request = calloc(1, sizeof *request);
	if (!request) {
		no_memory(ask);
		return;
	}
	arena_init(&request->arena, request->lent, sizeof request->lent, 0);
	request->ask = ask;
	if (!keep_asker(request, &ask->asker)) {
		give_up(request);
		return;
	}
	if (!tool_wish_read(ask, &request->arena, &request->wish)) {
		request_free(request);
		return;
	}
	for (size_t i = 0; i < request->wish.count; i++) request->wanted[i].capability = request->wish.capabilities[i];
	request->filter = (struct tool_filter){.means = ask->means, .asker = &request->asker, .only = ask->hosted};
	request->search.question = (struct search_question){
		.strategy = SEARCH_SEMANTIC,
		.most = 2 * CANDIDATES,
		.filter = tool_filter_passes,
		.context = &request->filter,
	};
	request->search.concerns = concerns;
	request->piece_us = clock_monotonic_us();
	ask->later = request;
	ask->cancel = cancel;
	next(request);
}
