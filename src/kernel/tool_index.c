/* SPDX-License-Identifier: Apache-2.0 */
/* Tool index: fed by kernel/tool_feed.c, asked by whoever searches. */
#include "kernel/tool_index.h"

#include "kernel/permissions.h"
#include "kernel/tool_feed.h"
#include "kernel/tool_sessions.h"
#include "kernel/tools.h"

#include <stdlib.h>

struct tool_index {
	const struct kernel_means *means;
	struct search *search;
	struct tool_feeds feeds;
	struct link waiting; /* struct tool_search, for a server */
	struct deadline overdue;
	struct task settled;
	struct tool_ranker *ranker;
};

static struct tool_search *search_of(struct link *link) { return CONTAINER_OF(link, struct tool_search, link); }

/* ---- What comes and goes ---- */

static void put(void *context, struct slice server, struct slice name, struct slice definition) {
	struct tool_index *index = context;
	tool_sessions_weigh(index->means->tool_sessions, server, name, definition.length);
	if (index->ranker) index->ranker->put(index->ranker, server, name, definition);
}

static void removed(void *context, struct slice server, struct slice name) {
	struct tool_index *index = context;
	tool_sessions_weigh(index->means->tool_sessions, server, name, 0);
	if (index->ranker) index->ranker->removed(index->ranker, server, name);
}

/* ---- Those who wait ---- */

static void leave(struct tool_search *search) {
	if (search->link.next) list_remove(&search->link);
}

static void answer(struct tool_index *index, struct tool_search *search) {
	leave(search);
	search->ranker = index->ranker;
	if (search->question.strategy == SEARCH_SEMANTIC && search->ranker && search->ranker->ask(search->ranker, search))
		return;
	search->ranker = NULL;
	tool_index_words(index, search);
	search->done(search);
}

static bool may_come(const struct tool_feed *feed) {
	const struct governed *governed = governed_of(feed->hosted);
	enum hosted_state state = hosted_state(feed->hosted);
	if (!governed || feed->is_settled || feed->was_waited_for) return false;
	return state == HOSTED_CONNECTED || (state == HOSTED_CONNECTING && !permissions_decision(governed->permissions));
}

/* Whether a server that it concerns has not said yet what it has. */
static bool has_to_wait(struct tool_index *index, struct tool_search *search) {
	if (!search->concerns) return false;
	LIST_EACH(link, &index->feeds.all) {
		const struct tool_feed *feed = CONTAINER_OF(link, struct tool_feed, link);
		if (may_come(feed) && search->concerns(search, feed->hosted)) return true;
	}
	return false;
}

static void look_again(struct task *task) {
	struct tool_index *index = CONTAINER_OF(task, struct tool_index, settled);
	struct link batch;
	list_init(&batch);
	list_move(&batch, &index->waiting);
	for (struct link *link; (link = list_pop(&batch));) {
		struct tool_search *search = search_of(link);
		if (has_to_wait(index, search)) list_append(&index->waiting, link);
		else answer(index, search);
	}
}

/* Who waits is answered from the loop, not in the middle of somebody else's work. */
static void settled(void *context) {
	struct tool_index *index = context;
	if (!list_is_empty(&index->waiting)) loop_later(index->means->loop, &index->settled, look_again);
}

static const struct tool_feed_events events = {.put = put, .removed = removed, .settled = settled};

/* No server is waited for twice. */
static void give_up(struct tool_index *index, struct tool_search *search) {
	LIST_EACH(link, &index->feeds.all) {
		struct tool_feed *feed = CONTAINER_OF(link, struct tool_feed, link);
		if (may_come(feed) && search->concerns(search, feed->hosted)) feed->was_waited_for = true;
	}
}

static void overdue(struct deadline *deadline) {
	struct tool_index *index = CONTAINER_OF(deadline, struct tool_index, overdue);
	uint64_t now = loop_now(index->means->loop);
	while (!list_is_empty(&index->waiting)) {
		struct tool_search *search = search_of(index->waiting.next); /* the one that came first */
		if (search->waits_until > now) {
			deadline_set(index->means->loop, &index->overdue, search->waits_until - now, overdue);
			return;
		}
		give_up(index, search);
		answer(index, search);
	}
}

/* ---- Its life ---- */

struct tool_index *tool_index_open(const struct kernel_means *means, struct fault *why) {
	struct tool_index *index = calloc(1, sizeof *index);
	if (!index) return fault_null(why, FAULT_NO_MEMORY, "no memory for the index of tools");
	index->means = means;
	list_init(&index->waiting);
	index->search = search_open(NULL, why);
	if (!index->search) {
		free(index);
		return NULL;
	}
	tool_feeds_init(&index->feeds, means, index->search, &events, index);
	return index;
}

void tool_index_close(struct tool_index *index) {
	if (!index) return;
	deadline_clear(&index->overdue);
	while (list_pop(&index->waiting)) {}
	tool_feeds_finish(&index->feeds);
	task_clear(&index->settled);
	search_close(index->search);
	free(index);
}

void tool_index_changed(struct tool_index *index, struct hosted *hosted) {
	tool_feeds_want(&index->feeds, hosted);
	settled(index);
}

void tool_index_removed(struct tool_index *index, struct hosted *hosted) {
	tool_feeds_forget(&index->feeds, hosted);
	tool_sessions_forget_server(index->means->tool_sessions, hosted_id(hosted));
	settled(index);
}

void tool_index_use(struct tool_index *index, struct tool_ranker *ranker) {
	index->ranker = ranker;
	if (ranker) tool_feeds_tell(&index->feeds);
}

/* ---- Questions ---- */

void tool_index_ask(struct tool_index *index, struct tool_search *search) {
	search->index = index;
	search->ranker = NULL;
	search->later = NULL;
	search->has_vectors = false;
	search->note = NULL;
	list_init(&search->link);
	tool_feeds_check(&index->feeds);
	if (!has_to_wait(index, search)) {
		answer(index, search);
		return;
	}
	search->waits_until = loop_now(index->means->loop) + TOOL_INDEX_WAIT_MS;
	list_append(&index->waiting, &search->link);
	if (!index->overdue.at) deadline_set(index->means->loop, &index->overdue, TOOL_INDEX_WAIT_MS, overdue);
}

void tool_index_cancel(struct tool_search *search) {
	struct tool_ranker *ranker = TAKE(search->ranker);
	if (ranker) ranker->cancel(ranker, search);
	leave(search);
}

void tool_index_words(struct tool_index *index, struct tool_search *search) {
	search_ask(index->search, &search->question, &search->answer);
}

void tool_index_rank(struct tool_search *search) {
	search->ranker = NULL;
	search->done(search);
}

bool tool_index_categories(struct tool_index *index, struct slice under, search_filter *filter,
	void *filter_context, search_category *each, void *context, struct fault *why) {
	tool_feeds_check(&index->feeds);
	return search_categories(index->search, under, filter, filter_context, each, context, why);
}

size_t tool_index_count(const struct tool_index *index) { return search_count(index->search); }

bool tool_index_find(const struct tool_index *index, struct slice server, struct slice name, struct search_seen *seen) {
	return search_find(index->search, server, name, seen);
}

const struct tool *tool_index_tool(struct hosted *hosted, struct slice name, enum hosted_era *era) {
	const struct governed *governed = governed_of(hosted);
	for (int one = 0; governed && one < HOSTED_ERAS; one++) {
		if (hosted_era_for(hosted, (enum hosted_era)one) != (enum hosted_era)one) continue;
		const struct tool *tool = tools_find(governed->tools[one], name, NULL);
		if (!tool || tool->disabled) continue;
		if (era) *era = (enum hosted_era)one;
		return tool;
	}
	return NULL;
}
