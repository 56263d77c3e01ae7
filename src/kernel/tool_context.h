/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tool context: which tools stand in the context of one client's model, besides those that are pinned
 * (MGP 16.7). Cached ones are in the order of their use, and the sum of their tokens is bounded: beyond, the
 * least recently used one leaves. Found ones are those of the last answer. Lies in kernel/tool_sessions.c's
 * own. A name that is no server's or no tool's is never in it. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_TOOL_CONTEXT_H
#define HUSTINGS_KERNEL_TOOL_CONTEXT_H

#include "base/list.h"
#include "base/map.h"
#include "hosted/hosted.h"
#include "kernel/tools.h"

#define TOOL_SESSION_TOOLS 256 /* cached ones of one client, whatever they cost */

/* Octets of a tool's name beside its server's, with something between. */
#define TOOL_KEY (HOSTED_ID + 1 + TOOLS_NAME)

struct tool_in_context {
	struct link link;
	struct slice key, server, tool; /* behind the struct */
	uint64_t tokens;
	bool is_cached; /* else found */
};

struct tool_context {
	struct map by_key;
	struct link cached; /* the least recently used one first */
	struct link found;
	size_t count; /* cached ones */
	uint64_t tokens;
};

/* `between` NUL: no two tools have the same key. False: it cannot be a tool. */
bool tool_key_write(char key[TOOL_KEY], struct slice server, struct slice tool, char between, struct slice *written);

void tool_context_init(struct tool_context *context);
void tool_context_finish(struct tool_context *context);
/* NULL: it is not there. */
const struct tool_in_context *tool_context_find(const struct tool_context *context, struct slice server,
	struct slice tool);
/* It is the most recently used one; then those that are over `limit` leave, itself too where it alone is.
 * True: other tools are there than before. Without memory nothing is new. */
bool tool_context_use(struct tool_context *context, struct slice server, struct slice tool, uint64_t tokens,
	uint64_t limit);
/* The found ones before are forgotten, and then each new one is noted; what is cached stays so. */
void tool_context_forget_found(struct tool_context *context);
void tool_context_find_new(struct tool_context *context, struct slice server, struct slice tool, uint64_t tokens);
/* False: it is not cached. */
bool tool_context_evict(struct tool_context *context, struct slice server, struct slice tool);
/* The limit is another one: true when somebody has left. */
bool tool_context_trim(struct tool_context *context, uint64_t limit);
/* No tool of that server is left: true when there was one. */
bool tool_context_forget_server(struct tool_context *context, struct slice server);

#endif
