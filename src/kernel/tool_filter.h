/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tool filter: which tools of the index an asker may find, before anything is ranked or counted (MGP 16.5): those
 * that it may use, that could be called, and that its own `filter` lets through. Plain data in its owner's; what
 * it points to is the owner's too. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_TOOL_FILTER_H
#define HUSTINGS_KERNEL_TOOL_FILTER_H

#include "kernel/mgp_ask.h"
#include "search/search.h"

#define TOOL_FILTER_CATEGORIES 32 /* in one filter */
#define TOOL_FILTER_CATEGORY 128  /* octets of one */

struct tool_filter {
	const struct kernel_means *means;
	const struct call_asker *asker;
	struct hosted *only; /* the server whose face it is; NULL: all */
	bool has_categories; /* one of them */
	struct slice categories[TOOL_FILTER_CATEGORIES];
	size_t category_count;
	bool has_risk;
	enum risk_level risk_most;
	bool has_status;
	enum hosted_state status;
};

/* params.filter, into the arena. False: answered. */
bool tool_filter_read(struct mgp_ask *ask, struct arena *arena, struct tool_filter *filter);
/* A search_filter, whose context is the struct tool_filter. */
bool tool_filter_passes(void *filter, const struct search_seen *tool);
/* Whether the asker could find anything of that server. */
bool tool_filter_concerns(const struct tool_filter *filter, struct hosted *hosted);

enum tool_leave {
	TOOL_ALLOWED,
	TOOL_DEFERRED, /* a permission that it needs is undecided */
	TOOL_DENIED,
};
/* By the permissions that the tool itself needs. `permission` (may be NULL): the one that it is about. */
enum tool_leave tool_leave_of(const struct governed *governed, const struct tool *tool, struct slice *permission);

#endif
