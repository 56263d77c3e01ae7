/* SPDX-License-Identifier: Apache-2.0 */
/* Tool feed: a round over a server's lists puts in what is new, and takes out what was not met on the way. */
#include "kernel/tool_feed.h"

#include "base/clock.h"
#include "kernel/tools.h"

#include <stdlib.h>

struct fed_tool {
	struct link link;
	struct slice name; /* behind the struct */
	unsigned round;    /* in which it was met last */
	uint64_t digest;   /* of its definition */
};

static void pump(struct deadline *deadline);

static struct fed_tool *fed_of(struct link *link) { return CONTAINER_OF(link, struct fed_tool, link); }

/* ---- One tool ---- */

static void take_out(struct tool_feed *feed, struct fed_tool *fed) {
	struct tool_feeds *feeds = feed->feeds;
	struct slice server = hosted_id(feed->hosted);
	search_remove(feeds->search, server, fed->name);
	feeds->events->removed(feeds->context, server, fed->name);
	map_remove(&feed->by_name, fed->name);
	list_remove(&fed->link);
	free(fed);
}

static struct fed_tool *fed_make(struct tool_feed *feed, struct slice name) {
	struct fed_tool *fed = calloc(1, sizeof *fed + name.length);
	if (!fed) return NULL;
	memcpy(fed + 1, name.bytes, name.length);
	fed->name = slice_make(fed + 1, name.length);
	list_init(&fed->link);
	if (map_add(&feed->by_name, fed->name, fed, NULL)) return fed;
	free(fed);
	return NULL;
}

/* What was met in this round stands at the end. */
static void meet(struct tool_feed *feed, struct fed_tool *fed) {
	fed->round = feed->round;
	list_remove(&fed->link);
	list_append(&feed->tools, &fed->link);
}

static void put(struct tool_feed *feed, const struct tool *tool) {
	struct tool_feeds *feeds = feed->feeds;
	struct slice server = hosted_id(feed->hosted);
	struct fed_tool *fed = map_find(&feed->by_name, tool->name);
	uint64_t digest = map_digest(0, tool->definition);
	struct fault why = {.text = "no memory"};
	if (fed && (fed->round == feed->round || fed->digest == digest)) {
		meet(feed, fed);
		return;
	}
	if (!fed) fed = fed_make(feed, tool->name);
	if (!fed || !search_put(feeds->search, server, tool->name, tool->definition, &why)) {
		log_write(feeds->means->log, LOG_WARNING, "server %.*s: its tool %.*s cannot be found by searching: %s",
			SLICE_ARGS(server), SLICE_ARGS(tool->name), why.text);
		if (fed) take_out(feed, fed);
		return;
	}
	fed->digest = digest;
	meet(feed, fed);
	feeds->events->put(feeds->context, server, tool->name, tool->definition);
}

static void put_item(struct tool_feed *feed, enum hosted_era era, const struct hosted_item *item) {
	struct governed *governed = governed_of(feed->hosted);
	const struct tool *tool = governed ? tools_find(governed->tools[era], item->key, NULL) : NULL;
	if (tool && !tool->disabled) put(feed, tool);
}

/* ---- One server's round ---- */

static const struct hosted_facts *facts_of(const struct hosted *hosted) {
	return hosted_facts(hosted, hosted_era_for(hosted, HOSTED_LEGACY));
}

static void say_server(struct tool_feed *feed) {
	const struct hosted_facts *facts = facts_of(feed->hosted);
	struct slice name = facts ? facts->name : SLICE_NONE, text = facts ? facts->instructions : SLICE_NONE;
	uint64_t said = map_digest(map_digest(0, name), text);
	struct fault why;
	if (feed->is_said && feed->said == said) return;
	if (!search_server(feed->feeds->search, hosted_id(feed->hosted), name, text, &why)) {
		log_write(feed->feeds->means->log, LOG_WARNING, "server %.*s: its tools are found by their own words alone: %s",
			SLICE_ARGS(hosted_id(feed->hosted)), why.text);
		return;
	}
	feed->is_said = true;
	feed->said = said;
}

static void begin(struct tool_feed *feed) {
	struct tool_feeds *feeds = feed->feeds;
	say_server(feed);
	feed->round++;
	feed->era = 0;
	feed->at = 0;
	list_remove(&feed->queue);
	list_append(&feeds->queue, &feed->queue);
	if (!feeds->pump.at) deadline_set(feeds->means->loop, &feeds->pump, 1, pump);
}

/* The next thing to do of its round; false: it is over. */
static bool step(struct tool_feed *feed) {
	for (; feed->era < HOSTED_ERAS; feed->era++, feed->at = 0) {
		const struct hosted_items *items = feed->lists[feed->era].items;
		if (!items || feed->at >= hosted_items_count(items)) continue;
		put_item(feed, (enum hosted_era)feed->era, hosted_items_at(items, feed->at++));
		return true;
	}
	if (list_is_empty(&feed->tools) || fed_of(feed->tools.next)->round == feed->round) return false;
	take_out(feed, fed_of(feed->tools.next));
	return true;
}

static void settle(struct tool_feed *feed) {
	feed->is_settled = true;
	feed->feeds->events->settled(feed->feeds->context);
}

static void pump(struct deadline *deadline) {
	struct tool_feeds *feeds = CONTAINER_OF(deadline, struct tool_feeds, pump);
	uint64_t ends_at = clock_monotonic_us() + TOOL_FEED_PIECE_US;
	for (unsigned done = 0; !list_is_empty(&feeds->queue) && done < TOOL_FEED_PIECE; done++) {
		struct tool_feed *feed = CONTAINER_OF(feeds->queue.next, struct tool_feed, queue);
		if (!step(feed)) {
			list_remove(&feed->queue);
			settle(feed);
		}
		if (clock_monotonic_us() >= ends_at) break;
	}
	if (!list_is_empty(&feeds->queue)) deadline_set(feeds->means->loop, &feeds->pump, 1, pump);
}

/* ---- Its lists ---- */

static void listed(void *context, struct hosted_items *items, const struct fault *why) {
	struct tool_feed_list *list = context;
	struct tool_feed *feed = list->feed;
	list->wait = NULL;
	list->failed_at = items ? 0 : loop_now(feed->feeds->means->loop);
	if (!items) {
		log_write(feed->feeds->means->log, LOG_DEBUG, "server %.*s: its tools cannot be found by searching yet: %s",
			SLICE_ARGS(hosted_id(feed->hosted)), why->text);
		settle(feed);
		return;
	}
	hosted_items_drop(list->items);
	list->items = hosted_items_keep(items);
	begin(feed);
}

static void ask(struct tool_feed *feed, enum hosted_era era) {
	struct tool_feed_list *list = &feed->lists[era];
	struct fault why;
	if (list->wait) return;
	list->wait = hosted_items_ask(feed->hosted, era, HOSTED_TOOLS, 0, listed, list, &why);
	list->failed_at = list->wait ? 0 : loop_now(feed->feeds->means->loop);
}

static struct tool_feed *feed_make(struct tool_feeds *feeds, struct hosted *hosted) {
	struct tool_feed *feed = calloc(1, sizeof *feed);
	if (!feed) return NULL;
	feed->feeds = feeds;
	feed->hosted = hosted;
	for (int era = 0; era < HOSTED_ERAS; era++) feed->lists[era].feed = feed;
	map_init(&feed->by_name);
	list_init(&feed->tools);
	list_init(&feed->queue);
	if (map_add(&feeds->by_id, hosted_id(hosted), feed, NULL)) {
		list_append(&feeds->all, &feed->link);
		return feed;
	}
	free(feed);
	return NULL;
}

struct tool_feed *tool_feeds_find(const struct tool_feeds *feeds, const struct hosted *hosted) {
	return map_find(&feeds->by_id, hosted_id(hosted));
}

/* In which eras it is to be asked: as long as that is not known, in the first. */
static bool speaks(const struct hosted *hosted, enum hosted_era era) {
	return hosted_is_known(hosted) ? hosted_speaks(hosted, era) : era == hosted_era_for(hosted, HOSTED_LEGACY);
}

void tool_feeds_want(struct tool_feeds *feeds, struct hosted *hosted) {
	struct tool_feed *feed = tool_feeds_find(feeds, hosted);
	if (!feed) feed = feed_make(feeds, hosted);
	if (!feed || hosted_state(hosted) != HOSTED_CONNECTED) return;
	for (int era = 0; era < HOSTED_ERAS; era++)
		if (speaks(hosted, (enum hosted_era)era)) ask(feed, (enum hosted_era)era);
}

/* ---- All of them ---- */

void tool_feeds_init(struct tool_feeds *feeds, const struct kernel_means *means, struct search *search,
	const struct tool_feed_events *events, void *context) {
	*feeds = (struct tool_feeds){.means = means, .search = search, .events = events, .context = context};
	map_init(&feeds->by_id);
	list_init(&feeds->all);
	list_init(&feeds->queue);
}

static void feed_free(struct tool_feed *feed) {
	for (int era = 0; era < HOSTED_ERAS; era++) {
		if (feed->lists[era].wait) hosted_items_cancel(feed->lists[era].wait);
		hosted_items_drop(feed->lists[era].items);
	}
	LIST_EACH_SAFE(link, &feed->tools) take_out(feed, fed_of(link));
	map_finish(&feed->by_name);
	list_remove(&feed->queue);
	list_remove(&feed->link);
	map_remove(&feed->feeds->by_id, hosted_id(feed->hosted));
	free(feed);
}

void tool_feeds_forget(struct tool_feeds *feeds, struct hosted *hosted) {
	struct tool_feed *feed = tool_feeds_find(feeds, hosted);
	if (!feed) return;
	feed_free(feed);
	search_remove_server(feeds->search, hosted_id(hosted));
}

void tool_feeds_finish(struct tool_feeds *feeds) {
	deadline_clear(&feeds->pump);
	LIST_EACH_SAFE(link, &feeds->all) feed_free(CONTAINER_OF(link, struct tool_feed, link));
	map_finish(&feeds->by_id);
}

/* A list that was fetched for somebody else, or in an era that was not known before. */
static bool is_behind(struct tool_feed *feed, enum hosted_era era) {
	const struct tool_feed_list *list = &feed->lists[era];
	bool has_just_failed = list->failed_at && loop_now(feed->feeds->means->loop) - list->failed_at < TOOL_FEED_AGAIN_MS;
	if (list->wait || has_just_failed || !speaks(feed->hosted, era)) return false;
	return !list->items || hosted_items_known(feed->hosted, era, HOSTED_TOOLS) != list->items;
}

void tool_feeds_check(struct tool_feeds *feeds) {
	LIST_EACH(link, &feeds->all) {
		struct tool_feed *feed = CONTAINER_OF(link, struct tool_feed, link);
		if (hosted_state(feed->hosted) != HOSTED_CONNECTED) continue;
		for (int era = 0; era < HOSTED_ERAS; era++)
			if (is_behind(feed, (enum hosted_era)era)) ask(feed, (enum hosted_era)era);
	}
}

void tool_feeds_tell(struct tool_feeds *feeds) {
	LIST_EACH(link, &feeds->all) {
		struct tool_feed *feed = CONTAINER_OF(link, struct tool_feed, link);
		void *each;
		for (size_t at = 0; map_each(&feed->by_name, &at, &each);) ((struct fed_tool *)each)->digest++;
		begin(feed);
	}
}
