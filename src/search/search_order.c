/* SPDX-License-Identifier: Apache-2.0 */
/* Search order: how sure the best are, then every tool beside others of its server. */
#include "search/search_order.h"

#define FULL_SHARE 0.4f    /* of a word's weight: so much counts as having the word */
#define ALIKE_COUNTS 0.5f  /* what a word counts that no tool has, and one looks like */
#define SEVERAL 3          /* words of a question from which on one of them is not enough */
#define SURE 2             /* so many of them are */
#define HALF_SURE 0.7f     /* what scores are worth with one and a half */
#define UNSURE 0.4f        /* and with less */
#define SURE_TOOLS 5       /* of the best, one of which has them */
#define SERVER_SHARE 0.15f /* what a tool takes from a better one of its server */

/* Where the tools that are looked at lie in `ranked`, plus one, by their numbers. */
static void mark(struct search_index *index, const struct search_ranked *ranked, size_t count, bool is_on) {
	for (size_t i = 0; i < count; i++) index->scratch.totals[ranked[i].tool->number] = is_on ? (float)(i + 1) : 0;
}

static uint32_t sum_sites(struct search_index *index, const struct search_asked *asked) {
	struct search_scratch *scratch = &index->scratch;
	uint32_t count = 0;
	for (size_t i = 0; i < asked->count; i++) {
		const struct search_postings *sites = &index->terms.list[asked->choices[i].term]->postings[SEARCH_SERVER];
		for (uint32_t j = 0; j < sites->count; j++)
			search_rank_raise(&scratch->sites[sites->items[j] >> 8],
				asked->choices[i].weight * (float)(sites->items[j] & 255) / 255, sites->items[j] >> 8,
				scratch->touched_sites, &count);
	}
	return count;
}

static void sum_tools(const struct search_index *index, const struct search_asked *asked, float *gives) {
	for (size_t i = 0; i < asked->count; i++) {
		const struct search_postings *tools = &index->terms.list[asked->choices[i].term]->postings[SEARCH_TOOL];
		for (uint32_t j = 0; j < tools->count; j++) {
			float at = index->scratch.totals[tools->items[j] >> 8];
			if (at == 0) continue;
			float weight = asked->choices[i].weight * (float)(tools->items[j] & 255) / 255;
			if (gives[(size_t)at - 1] < weight) gives[(size_t)at - 1] = weight;
		}
	}
}

/* Adds to each tool what it has of the word. */
static void look_at(struct search_index *index, const struct search_asked *asked, const struct search_ranked *ranked,
	size_t count, float *had) {
	float gives[SURE_TOOLS] = {0};
	struct search_scratch *scratch = &index->scratch;
	sum_tools(index, asked, gives);
	uint32_t touched = sum_sites(index, asked);
	for (size_t i = 0; i < count; i++)
		if (search_rank_both(gives[i], scratch->sites[ranked[i].tool->site->number]) > FULL_SHARE * asked->weight)
			had[i] += asked->is_understood ? 1 : ALIKE_COUNTS;
	for (uint32_t i = 0; i < touched; i++) scratch->sites[scratch->touched_sites[i]] = 0;
}

/* How much the scores are worth, 0..1, by how many words of the question the best tools have. */
static float sureness(struct search_index *index, const struct search_plan *plan, const struct search_ranked *ranked,
	size_t count) {
	float had[SURE_TOOLS] = {0}, most = 0;
	if (plan->count < SEVERAL) return 1;
	if (count > SURE_TOOLS) count = SURE_TOOLS;
	mark(index, ranked, count, true);
	for (size_t i = 0; i < plan->count; i++) look_at(index, &plan->asked[i], ranked, count, had);
	mark(index, ranked, count, false);
	for (size_t i = 0; i < count; i++)
		if (most < had[i]) most = had[i];
	return most >= SURE ? 1 : most > 1 ? HALF_SURE
					   : UNSURE;
}

/* From the best on, so that what a tool takes is not what it gave. */
static void lean_on_server(struct search_ranked *ranked, size_t count) {
	for (size_t i = count; i-- > 1;) {
		for (size_t j = 0; j < i; j++) {
			if (ranked[j].tool->site != ranked[i].tool->site) continue;
			ranked[i].score += SERVER_SHARE * (ranked[j].score - ranked[i].score);
			break;
		}
	}
}

size_t search_order_run(struct search_index *index, const struct search_plan *plan, struct search_ranked *ranked,
	size_t count, float least) {
	float share = sureness(index, plan, ranked, count);
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) ranked[i].score *= share;
	lean_on_server(ranked, count);
	for (size_t i = 0; i < count; i++)
		if (ranked[i].score >= least) kept = search_rank_keep(ranked, kept, count, ranked[i]);
	return kept;
}
