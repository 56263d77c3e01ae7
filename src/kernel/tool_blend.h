/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tool blend: what words say of tools to a question, and what vectors say, in one list.
 *
 * A cosine alone says little: of one model 0.4 is near, of another 0.8 is far. So it counts by how far it
 * stands above the mean of all tools that the question may see, on the way from there to 1. That is a
 * relevance of 0..1 like that of words; the higher of the two counts, and the other adds a little. Both being
 * absolute, a question that nothing answers stays low, which merging by ranks would lose. Plain functions.
 */
#ifndef HUSTINGS_KERNEL_TOOL_BLEND_H
#define HUSTINGS_KERNEL_TOOL_BLEND_H

#include "search/search.h"

struct tool_near { /* by its vector */
	struct search_seen seen;
	double cosine;
};

struct tool_blend {
	struct tool_near near[SEARCH_MOST]; /* the nearest first */
	size_t count;
	double sum; /* of all cosines */
	size_t tools;
};

/* One tool that the question may see. */
void tool_blend_add(struct tool_blend *blend, const struct search_seen *seen, double cosine);
/* Into the answer of words; `most` remain. */
void tool_blend_run(const struct tool_blend *blend, struct search_answer *answer, size_t most);

#endif
