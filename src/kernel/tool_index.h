/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tool index: the tools of all hosted servers (MGP 16.4), as they come and go, in struct search
 * (search/search.h). A server's tools are put in when its list is known, a bounded number of them in a pass,
 * and again when it has changed; they stay while the server is down, and leave with it. Quarantined ones, and
 * such as cannot be used at all, are not in it.
 *
 * A question may be answered from inside of tool_index_ask(), or later: when a server that it concerns has
 * not listed its tools yet, which is waited for TOOL_INDEX_WAIT_MS, once for each server; or when a ranker
 * (kernel/tool_embeddings.h) is asked. Loop 0. Owned by the kernel: tool_index_open(), tool_index_close().
 */
#ifndef HUSTINGS_KERNEL_TOOL_INDEX_H
#define HUSTINGS_KERNEL_TOOL_INDEX_H

#include "kernel/governed.h"
#include "search/search.h"

#define TOOL_INDEX_WAIT_MS 5000

struct tool_index; /* kernel_means->tool_index */

struct tool_index *tool_index_open(const struct kernel_means *means, struct fault *why) MUST_USE;
/* Searches that wait end unanswered: there is nobody who waits by then. NULL is fine. */
void tool_index_close(struct tool_index *index);

/* The kernel's listener calls these. */
void tool_index_changed(struct tool_index *index, struct hosted *hosted); /* it is up, or its list is old */
void tool_index_removed(struct tool_index *index, struct hosted *hosted);

/* ---- Questions ---- */

/* Lies in the asker's, which fills in the first part, and keeps it until done() or tool_index_cancel(). */
struct tool_search {
	struct search_question question; /* its slices are the asker's until then; the filter is asked late */
	/* Whether that server's tools could be among the answers: only for such is waited. NULL: for none. */
	bool (*concerns)(struct tool_search *search, struct hosted *hosted);
	/* Exactly once unless cancelled, perhaps from inside of tool_index_ask(). `answer` is good until its
	 * return. */
	void (*done)(struct tool_search *search);
	struct search_answer answer;
	bool has_vectors; /* a model's vectors had a part in it; else words alone */
	const char *note; /* why they had none, a sentence, static; NULL: none configured, or none needed */

	/* The index's, as long as it waits. */
	struct link link;
	struct tool_index *index;
	uint64_t waits_until; /* loop ms */
	struct tool_ranker *ranker;
	void *later; /* the ranker's */
};

void tool_index_ask(struct tool_index *index, struct tool_search *search);
void tool_index_cancel(struct tool_search *search); /* harmless when it is not under way */

/* Of search_categories(), over the index. */
bool tool_index_categories(struct tool_index *index, struct slice under, search_filter *filter,
	void *filter_context, search_category *each, void *context, struct fault *why) MUST_USE;
size_t tool_index_count(const struct tool_index *index);
/* A tool that is in it, as a filter sees it. False: it is not. */
bool tool_index_find(const struct tool_index *index, struct slice server, struct slice name, struct search_seen *seen);

/* ---- Looking at one tool ---- */

/* As it is now; *era (may be NULL): of which list. NULL: there is none that may be shown. Valid until the
 * return to the loop. */
const struct tool *tool_index_tool(struct hosted *hosted, struct slice name, enum hosted_era *era);

/* ---- A ranker: another way to answer `semantic` questions, beside the words (kernel/tool_embeddings.h) ---- */

/* A plain struct in its owner's, who fills it in. */
struct tool_ranker {
	/* Takes the question over, and calls tool_index_rank() for it once, now or later. False: it cannot
	 * now; search->note says why, and words alone answer. */
	bool (*ask)(struct tool_ranker *ranker, struct tool_search *search);
	/* Nobody waits for that question any more. */
	void (*cancel)(struct tool_ranker *ranker, struct tool_search *search);
	/* A tool is in the index from now on, or another definition of it; it is no more. Slices are good until
	 * the return. */
	void (*put)(struct tool_ranker *ranker, struct slice server, struct slice name, struct slice definition);
	void (*removed)(struct tool_ranker *ranker, struct slice server, struct slice name);
};
/* One at a time, before tools come; NULL: none. It hears of every tool that is there already. */
void tool_index_use(struct tool_index *index, struct tool_ranker *ranker);
/* What words alone say to that question; search->answer is filled in. */
void tool_index_words(struct tool_index *index, struct tool_search *search);
/* search->answer is what it is to be: done() follows from inside. */
void tool_index_rank(struct tool_search *search);

#endif
