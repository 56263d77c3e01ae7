/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Search near: terms of the index that look like a word: misspelt (one letter wrong, missing, too many or two
 * turned around; two such in long words), begun, standing inside another, sharing most of its threes of
 * letters, or of the same root. One walk over all terms, which looks at a few bits of each first. Loop 0.
 */
#ifndef HUSTINGS_SEARCH_SEARCH_NEAR_H
#define HUSTINGS_SEARCH_SEARCH_NEAR_H

#include "search/search_index.h"

#define SEARCH_NEAR 6 /* terms at most */

struct search_near {
	uint32_t term;
	float nearness; /* 0..1 */
};

/* The nearest first; how many. */
size_t search_near_find(const struct search_index *index, struct slice stem, struct search_near near[SEARCH_NEAR]);
/* Other terms of the same root. */
size_t search_near_roots(const struct search_index *index, struct slice stem, struct search_near near[SEARCH_NEAR]);
/* Letters to change from one to the other, `most` + 1 where it is more. */
unsigned search_near_distance(struct slice a, struct slice b, unsigned most);

#endif
