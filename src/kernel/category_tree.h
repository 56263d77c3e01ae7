/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Category tree: the categories of all tools that a filter lets through, with how many tools stand in or under
 * each (MGP 16.3), as members of an answer: "categories": rows of a path ("files/read") and a number, in the
 * order of names. What does not fit into `tokens` is left to the uppermost level, and "truncated" says so.
 * Plain function, loop 0.
 */
#ifndef HUSTINGS_KERNEL_CATEGORY_TREE_H
#define HUSTINGS_KERNEL_CATEGORY_TREE_H

#include "kernel/tool_filter.h"
#include "kernel/tool_index.h"

/* Below `under`; length 0: all. */
void category_tree_write(struct text *to, struct tool_index *index, struct slice under, struct tool_filter *filter,
	uint64_t tokens);

#endif
