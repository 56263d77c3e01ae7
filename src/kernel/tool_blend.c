/* SPDX-License-Identifier: Apache-2.0 */
/* Tool blend: cosines become relevances, relevances one list. */
#include "kernel/tool_blend.h"

#include <math.h>

#define BELOW 0.15 /* of the way from the mean to 1: what is not above is chance */
#define ABOVE 0.60 /* there it is near */
#define HIGH 0.75  /* from here on the next costs more, so that two that differ stay apart */
#define LESS 0.95  /* what a model says counts, beside words that are the tool's very own */
#define OTHER 0.3  /* how much of what is left to 1 the lesser of the two may add */
#define LEAST 0.02 /* a relevance below is none */

void tool_blend_add(struct tool_blend *blend, const struct search_seen *seen, double cosine) {
	size_t at = blend->count;
	blend->sum += cosine;
	blend->tools++;
	if (at == SEARCH_MOST && cosine <= blend->near[at - 1].cosine) return;
	if (at < SEARCH_MOST) blend->count++;
	else at--;
	for (; at > 0 && blend->near[at - 1].cosine < cosine; at--) blend->near[at] = blend->near[at - 1];
	blend->near[at] = (struct tool_near){.seen = *seen, .cosine = cosine};
}

static double relevance_of(const struct tool_blend *blend, double cosine) {
	double mean = blend->sum / (double)blend->tools;
	if (mean >= 0.999) return 0; /* all alike, or a single one: nothing stands out */
	double way = ((cosine - mean) / (1 - mean) - BELOW) / (ABOVE - BELOW);
	if (way < HIGH) return way < 0 ? 0 : way;
	return 1 - (1 - HIGH) * exp((HIGH - way) / (1 - HIGH));
}

static double both(double words, double vectors) {
	vectors *= LESS;
	double more = words > vectors ? words : vectors, less = words > vectors ? vectors : words;
	return more + (1 - more) * OTHER * less;
}

static bool is_same(const struct search_seen *a, const struct search_seen *b) {
	return slice_equal(a->name, b->name) && slice_equal(a->server, b->server);
}

static const struct tool_near *near_of(const struct tool_blend *blend, const struct search_seen *seen) {
	for (size_t i = 0; i < blend->count; i++)
		if (is_same(&blend->near[i].seen, seen)) return &blend->near[i];
	return NULL;
}

static bool is_in(const struct search_answer *answer, size_t count, const struct search_seen *seen) {
	for (size_t i = 0; i < count; i++)
		if (is_same(&answer->hits[i].tool, seen)) return true;
	return false;
}

static int compare(struct slice a, struct slice b) {
	int octets = memcmp(a.bytes, b.bytes, a.length < b.length ? a.length : b.length);
	return octets ? octets : a.length < b.length ? -1
						     : a.length > b.length;
}

static bool is_before(const struct search_hit *a, const struct search_hit *b) {
	if (a->relevance != b->relevance) return a->relevance > b->relevance;
	int servers = compare(a->tool.server, b->tool.server);
	return servers ? servers < 0 : compare(a->tool.name, b->tool.name) < 0;
}

/* Keeps the list in order; the least gives way where it is full. */
static size_t keep(struct search_hit *hits, size_t count, struct search_hit hit) {
	size_t at = count;
	if (count == SEARCH_MOST && !is_before(&hit, &hits[count - 1])) return count;
	if (count < SEARCH_MOST) count++;
	else at--;
	for (; at > 0 && is_before(&hit, &hits[at - 1]); at--) hits[at] = hits[at - 1];
	hits[at] = hit;
	return count;
}

void tool_blend_run(const struct tool_blend *blend, struct search_answer *answer, size_t most) {
	struct search_hit hits[SEARCH_MOST];
	size_t count = 0;
	if (blend->tools == 0) return;
	for (size_t i = 0; i < answer->count; i++) {
		const struct tool_near *near = near_of(blend, &answer->hits[i].tool);
		struct search_hit hit = answer->hits[i];
		if (near) hit.relevance = both(hit.relevance, relevance_of(blend, near->cosine));
		count = keep(hits, count, hit);
	}
	for (size_t i = 0; i < blend->count; i++) {
		struct search_hit hit = {.tool = blend->near[i].seen};
		hit.relevance = both(0, relevance_of(blend, blend->near[i].cosine));
		if (hit.relevance >= LEAST && !is_in(answer, answer->count, &hit.tool)) count = keep(hits, count, hit);
	}
	answer->count = count < most ? count : most;
	memcpy(answer->hits, hits, answer->count * sizeof hits[0]);
}
