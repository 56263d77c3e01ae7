/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Search plan: what a query asks the index for: its words, and for each the terms that may stand for it with
 * how near they are. A word counts once, by the best of its terms, never by their sum. A plain value; loop 0.
 */
#ifndef HUSTINGS_SEARCH_SEARCH_PLAN_H
#define HUSTINGS_SEARCH_SEARCH_PLAN_H

#include "search/search_index.h"

#define SEARCH_QUERY 4096     /* octets that are read of a query */
#define SEARCH_ASKED 32       /* words of it that count */
#define SEARCH_CHOICES 24     /* terms for one of them */
#define SEARCH_UNKNOWN_MOST 8 /* words of it that all terms are looked through for */

struct search_choice {
	uint32_t term;
	float nearness; /* 0..1 */
	float weight;   /* what a tool gets that has it in full */
};

struct search_asked {
	char text[2 * SEARCH_WORD + 1]; /* a stem, or two with a blank between them */
	uint8_t length;
	bool is_pair;       /* of words in a row that mean something together */
	bool is_known;      /* the word itself is a term */
	float weight;       /* how much it says, 0..1; of a word without choices too */
	bool is_understood; /* known, or there are other words for it */
	uint8_t count;
	struct search_choice choices[SEARCH_CHOICES];
};

struct search_plan {
	struct search_asked asked[SEARCH_ASKED];
	size_t count;
	enum search_deed deed;
};

/* is_exact: words as they are alone, without others for them. */
void search_plan_make(struct search_plan *plan, const struct search_index *index, const struct search_words *words,
	struct slice query, bool is_exact);
#endif
