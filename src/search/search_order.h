/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Search order: a second look at the tools that came out best.
 *
 * Where a question has several words and none of the best tools has two of them, all scores are worth less: a
 * word in common with anything is no answer. A tool gains a little from a better one of its server, since
 * what is asked for in one go often lies together. Takes no memory. Loop 0; uses the index's scratch memory.
 */
#ifndef HUSTINGS_SEARCH_SEARCH_ORDER_H
#define HUSTINGS_SEARCH_SEARCH_ORDER_H

#include "search/search_rank.h"

/* Puts those that are ranked into their last order with their last scores. Those with less than `least` are
 * left out; how many remain. */
size_t search_order_run(struct search_index *index, const struct search_plan *plan, struct search_ranked *ranked,
	size_t count, float least) MUST_USE;

#endif
