/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tool sessions: which tools stand in the context of a client's model (MGP 16.7), and how many tokens they
 * cost there (16.8). A session is a client's: of a principal, and of its MCP session where it has one.
 *
 * Pinned tools are configured ([kernel] pinned) and never leave. Cached ones were called, or loaded by
 * mgp/tools/request; over the limit the least recently used one leaves. Found ones (mgp/tools/discover) are
 * those of the last answer alone. Tokens are an estimate: a quarter of the octets of the definition
 * (docs/protocol.md). Bounded: TOOL_SESSIONS, the least recently used one goes. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_TOOL_SESSIONS_H
#define HUSTINGS_KERNEL_TOOL_SESSIONS_H

#include "kernel/call_run.h"

#define TOOL_SESSIONS 4096
#define TOOL_SESSION_TOOLS 256

struct tool_sessions; /* the kernel's: kernel_means->tool_sessions */

enum tool_standing {
	TOOL_UNKNOWN, /* not in the context */
	TOOL_FOUND,
	TOOL_CACHED,
	TOOL_PINNED,
};

/* [kernel.tool_context_budget] (MGP 16.8), in tokens. */
struct tool_budget {
	uint64_t max_tokens, pinned_reserve, discovery_reserve, cache_limit;
};
#define TOOL_BUDGET \
	{ .max_tokens = 8000, .pinned_reserve = 2000, .discovery_reserve = 3000, .cache_limit = 3000 }

/* Octets over four, rounded up. */
uint64_t tool_tokens(size_t octets);
enum tool_standing tool_sessions_standing(const struct tool_sessions *sessions, const struct call_asker *asker,
	struct slice server, struct slice tool);
/* It was called by that client: it is cached. `octets`: of its definition. */
void tool_sessions_use(struct tool_sessions *sessions, const struct call_asker *asker, struct slice server,
	struct slice tool, size_t octets);
/* The client's session is over. */
void tool_sessions_end(struct tool_sessions *sessions, struct slice principal, struct slice session);

#endif
