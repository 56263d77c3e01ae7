/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Search: the index of all tools of all servers (MGP 16.4), and questions to it (16.5).
 *
 * Tools are put in and taken out one by one as servers come and go. Nothing is learned from a model: a
 * question finds tools by their words, by other words for them, by words that are misspelt or begun, and by
 * what they do. Three strategies: keyword is the tool of that name first, then words as they are; semantic is
 * all of the above; category lists what stands under a category, without a query everything.
 *
 * The filter is asked before anything is ranked or counted, so what it leaves out leaves no trace. Scores are
 * absolute: where nothing fits they are low or there is no answer at all. Any octets may be asked, in any
 * language; every part is bounded (SEARCH_* here and in search_plan.h, search_record.h). No input or output.
 * Owned; copies what it is given. Loop 0.
 */
#ifndef HUSTINGS_SEARCH_SEARCH_H
#define HUSTINGS_SEARCH_SEARCH_H

#include "base/fault.h"
#include "base/slice.h"

#define SEARCH_TOOLS 262144    /* tools, where the options say no less */
#define SEARCH_MOST 100        /* answers to one question */
#define SEARCH_NAME_OCTETS 256 /* of a tool's name and of a server's id */

struct search;

struct search_options {
	uint32_t most_tools; /* 0: SEARCH_TOOLS */
};

enum search_strategy {
	SEARCH_KEYWORD,
	SEARCH_SEMANTIC,
	SEARCH_CATEGORY,
	SEARCH_STRATEGIES
};

/* A tool as a filter and an answer see it; valid until the next change of the index. */
struct search_seen {
	struct slice server, name;
	struct slice categories; /* one after the other, each ended by NUL; lower case */
};

/* Whether the question may see that tool at all. */
typedef bool search_filter(void *context, const struct search_seen *tool);

struct search_question {
	struct slice query;
	enum search_strategy strategy;
	size_t most;           /* 0 or more than SEARCH_MOST: SEARCH_MOST */
	search_filter *filter; /* NULL: every tool */
	void *context;
};

struct search_hit {
	struct search_seen tool;
	double relevance; /* 0..1 */
};

struct search_answer {
	struct search_hit hits[SEARCH_MOST]; /* the best first */
	size_t count;
	size_t total_available; /* tools that the filter let through */
	double milliseconds;
};

struct search *search_open(const struct search_options *options, struct fault *why) MUST_USE; /* NULL: the defaults */
void search_close(struct search *search);                                                     /* NULL is fine */

/* A tool that is in it, as a filter sees it. False: it is not. */
bool search_find(const struct search *search, struct slice server, struct slice name, struct search_seen *seen);

/* What a server says of itself; its tools are found by that too. Stays until search_remove_server(). */
bool search_server(struct search *search, struct slice server, struct slice title, struct slice text,
	struct fault *why) MUST_USE;
/* A tool by its definition, a JSON object; replaces the one of that name. Categories and keywords are the
 * definition's own or those in _meta["dev.hustings/mgp"], else derived from server and deed. False: the tool
 * is not in the index (bad_input, too_large, full, no_memory). */
bool search_put(struct search *search, struct slice server, struct slice name, struct slice definition,
	struct fault *why) MUST_USE;
/* Nothing happens where there is none. */
void search_remove(struct search *search, struct slice server, struct slice name);
void search_remove_server(struct search *search, struct slice server);

void search_ask(struct search *search, const struct search_question *question, struct search_answer *answer);

/* Every category below `under` (length 0: all) that a tool let through by the filter stands in or under, and
 * how many tools do, in the order of names; at most 1,024, others are left out. */
typedef void search_category(void *context, struct slice path, size_t tools);
bool search_categories(struct search *search, struct slice under, search_filter *filter, void *filter_context,
	search_category *each, void *context, struct fault *why) MUST_USE;
/* Whether the tool stands under that category: the path itself or one that it begins. */
bool search_stands_under(const struct search_seen *tool, struct slice category);

size_t search_count(const struct search *search);
/* Octets of memory that the index takes, without the words it knows before any tool. */
size_t search_octets(const struct search *search);

#endif
