/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tool feed: what fills the index of tools (kernel/tool_index.h): for each server what of it is in there, asked
 * for anew when its list is old, and put in piece by piece, so that no list stalls the loop. For
 * kernel/tool_index.c alone. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_TOOL_FEED_H
#define HUSTINGS_KERNEL_TOOL_FEED_H

#include "base/map.h"
#include "kernel/governed.h"
#include "search/search.h"

#define TOOL_FEED_PIECE 200      /* tools in one pass of the loop */
#define TOOL_FEED_AGAIN_MS 30000 /* after a list that could not be had, at the next question */
#define TOOL_FEED_PIECE_US 2000  /* as long as a pass may be held up, about */

struct tool_feeds;
struct tool_feed;

struct tool_feed_events {
	/* In the index now; taken out of it. Slices are good until the return. */
	void (*put)(void *context, struct slice server, struct slice name, struct slice definition);
	void (*removed)(void *context, struct slice server, struct slice name);
	/* Nothing more is known to come of that server. */
	void (*settled)(void *context);
};

struct tool_feed_list { /* of one era */
	struct tool_feed *feed;
	struct hosted_wait *wait;
	struct hosted_items *items; /* kept; NULL: none yet */
	uint64_t failed_at;         /* loop ms, the last time that it was asked for; 0: it has not */
};

struct tool_feed {
	struct link link;  /* of all */
	struct link queue; /* those that have something to put in */
	struct tool_feeds *feeds;
	struct hosted *hosted;
	struct tool_feed_list lists[HOSTED_ERAS];
	struct map by_name; /* struct fed_tool */
	struct link tools;  /* the same, those of the oldest round first */
	unsigned round;     /* of putting in */
	int era;            /* where the round stands, as the next */
	size_t at;
	bool is_said;        /* its name and instructions are in the index, */
	uint64_t said;       /* as they were: a digest */
	bool is_settled;     /* a round is over, or no list was to be had */
	bool was_waited_for; /* once is enough */
};

struct tool_feeds {
	const struct kernel_means *means;
	struct search *search;
	const struct tool_feed_events *events;
	void *context;
	struct map by_id;
	struct link all;
	struct link queue;
	struct deadline pump;
};

void tool_feeds_init(struct tool_feeds *feeds, const struct kernel_means *means, struct search *search,
	const struct tool_feed_events *events, void *context);
void tool_feeds_finish(struct tool_feeds *feeds);

/* NULL: it has none yet. */
struct tool_feed *tool_feeds_find(const struct tool_feeds *feeds, const struct hosted *hosted);
/* Its lists are asked for, where they are old. Without memory it is tried again the next time. */
void tool_feeds_want(struct tool_feeds *feeds, struct hosted *hosted);
/* Servers whose lists others have made newer meanwhile are put in anew, before long. */
void tool_feeds_check(struct tool_feeds *feeds);
/* Everything of it is taken out. */
void tool_feeds_forget(struct tool_feeds *feeds, struct hosted *hosted);
/* Each tool that is in the index is told of by put() once more. */
void tool_feeds_tell(struct tool_feeds *feeds);

#endif
