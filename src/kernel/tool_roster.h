/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tool roster: what stands in one client's context now, of what it may use still (MGP 16.7): pinned tools that
 * there are, and cached ones, the most recently used first. A tool is named by its own name, and by
 * "server.tool" where two of the list have the same. Owned; valid until the return to the loop. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_TOOL_ROSTER_H
#define HUSTINGS_KERNEL_TOOL_ROSTER_H

#include "kernel/tool_context.h"
#include "kernel/tool_filter.h"
#include "kernel/tool_sessions.h"

struct tool_roster_row {
	struct hosted *hosted;
	struct slice tool;
	uint64_t tokens;
	bool is_pinned;
	bool is_ambiguous;
};

struct tool_roster {
	size_t count;
	uint64_t tokens;
	struct tool_roster_row rows[TOOL_PINNED_MOST + TOOL_SESSION_TOOLS];
};

/* `only`: the server whose face it is; NULL: all. NULL: no memory. */
struct tool_roster *tool_roster_read(const struct kernel_means *means, const struct call_asker *asker,
	struct hosted *only) MUST_USE;
void tool_roster_free(struct tool_roster *roster); /* NULL is fine */
AUTO_RELEASE(tool_roster, tool_roster_free)

/* JSON array of the names of the pinned ones, or of the others. */
void tool_roster_write(struct text *to, const struct tool_roster *roster, bool pinned);
void tool_roster_write_name(struct text *to, const struct tool_roster_row *row);
/* The row that the name means: the tool's own, "server.tool", or as it is called at the client's face. NULL:
 * none; *is_ambiguous: or more than one. */
struct mgp_client;
const struct tool_roster_row *tool_roster_find(const struct tool_roster *roster, struct mgp_client *client,
	struct slice name, bool *is_ambiguous);

#endif
