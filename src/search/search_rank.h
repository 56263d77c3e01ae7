/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Search rank: the tools that answer a plan, the best first.
 *
 * For each word of the plan a tool counts with the best of its terms, its own or its server's. The sum over
 * the sum of what all words weigh is the score, 0..1, whatever else the index holds: a query of which the
 * index knows little scores low. What does the other deed than was asked for counts less. Tools that the
 * question may not see have no part in it (search_index_look()). Loop 0; uses the index's scratch memory.
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
size_t search_rank_run(struct search_index *index, const struct search_plan *plan, float least, struct search_ranked *ranked, size_t most);
/* Puts one in where it belongs; the new count. Ties go by server, then by name. */
size_t search_rank_keep(struct search_ranked *ranked, size_t count, size_t most, struct search_ranked one);

/* The more of both; who had none before is told. */
void search_rank_raise(float *held, float value, uint32_t who, uint32_t *touched, uint32_t *count);
/* What a word gives a tool that has it itself, and of whose server it is. */
float search_rank_both(float own, float site);

#endif
