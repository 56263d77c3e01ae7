/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Search categories: the hierarchy of categories that tools stand under, each path and each beginning of a
 * path once, with how many tools it has (MGP 16.3, the category index). Counted when it is asked for; the
 * paths lie in the tools. Loop 0.
 */
#ifndef HUSTINGS_SEARCH_SEARCH_CATEGORIES_H
#define HUSTINGS_SEARCH_SEARCH_CATEGORIES_H

#include "search/search_rank.h"

#define SEARCH_CATEGORIES 1024 /* told at most; others are left out */

typedef void search_categories_seen(void *context, struct slice path, size_t tools);

/* Those below `under` (length 0: all) of tools that the filter lets through. False: no memory. */
bool search_categories_each(const struct search_index *index, struct slice under, search_rank_filter *filter,
	void *filter_context, search_categories_seen *each, void *context, struct fault *why) MUST_USE;

#endif
