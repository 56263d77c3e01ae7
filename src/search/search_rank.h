/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Search rank: the tools that answer a plan, the best first.
 *
 * For each word of the plan a tool counts with the best of its terms, its own or its server's. The sum over
 * the sum of what all words weigh is the score, 0..1, whatever else the index holds: a query of which the
 * index knows little scores low. What does the other deed than was asked for counts less. Tools that the
 * filter leaves out are out before anything is counted. Loop 0; uses the index's scratch memory.
 */
#ifndef HUSTINGS_SEARCH_SEARCH_RANK_H
#define HUSTINGS_SEARCH_SEARCH_RANK_H

#include "search/search_plan.h"

struct search_ranked {
	const struct search_tool *tool;
	float score;
};

typedef bool search_rank_filter(void *context, const struct search_tool *tool);

/* At most `most` of them with a score of at least `least`; how many. */
size_t search_rank_run(struct search_index *index, const struct search_plan *plan, search_rank_filter *filter,
	void *context, float least, struct search_ranked *ranked, size_t most);
/* Puts one in where it belongs; the new count. Ties go by server, then by name. */
size_t search_rank_keep(struct search_ranked *ranked, size_t count, size_t most, struct search_ranked one);

#endif
