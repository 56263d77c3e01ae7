/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tool sessions: which tools stand in the context of a client's model (MGP 16.7), and how many tokens they
 * cost there (16.8). A session is a client's: of a principal, and of its MCP session where it has one.
 *
 * Pinned tools are configured ([kernel] pinned) and never leave. Cached ones were called, or loaded by
 * mgp/tools/request; over the limit the least recently used one leaves. Found ones (mgp/tools/discover) are
 * those of the last answer alone. Tokens are an estimate: a quarter of the octets of the definition
 * (docs/protocol.md). Bounded: TOOL_SESSIONS, the least recently used one goes. Whether a client may still
 * use what stands here is not asked here. Loop 0.
 *
 * Owned by the kernel: tool_sessions_open(), tool_sessions_close().
 */
#ifndef HUSTINGS_KERNEL_TOOL_SESSIONS_H
#define HUSTINGS_KERNEL_TOOL_SESSIONS_H

#include "kernel/call_run.h"

#define TOOL_SESSIONS 4096
#define TOOL_PINNED_MOST 64 /* names in [kernel] pinned that count */

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

struct tool_sessions *tool_sessions_open(struct log *log, struct fault *why) MUST_USE;
void tool_sessions_close(struct tool_sessions *sessions); /* NULL is fine */
/* What is configured, at the start and after; `pinned` ("server.tool") may be NULL, and is copied. False: all
 * is as before. */
bool tool_sessions_change(struct tool_sessions *sessions, const struct tool_budget *budget,
	const char *const *pinned, struct fault *why) MUST_USE;
const struct tool_budget *tool_sessions_budget(const struct tool_sessions *sessions);

enum tool_standing tool_sessions_standing(const struct tool_sessions *sessions, const struct call_asker *asker,
	struct slice server, struct slice tool);
/* It was called by that client: it is cached. `octets`: of its definition. */
void tool_sessions_use(struct tool_sessions *sessions, const struct call_asker *asker, struct slice server,
	struct slice tool, size_t octets);
/* The client's session is over. */
void tool_sessions_end(struct tool_sessions *sessions, struct slice principal, struct slice session);

/* ---- For the methods of MGP 16 ---- */

/* As tool_sessions_use(); the tokens that this costs the client's context, which are 0 where it stood there. */
uint64_t tool_sessions_load(struct tool_sessions *sessions, const struct call_asker *asker, struct slice server,
	struct slice tool, size_t octets);
struct tool_found {
	struct slice server, tool;
	size_t octets;
};
/* These were found, and those found before are forgotten. */
void tool_sessions_find(struct tool_sessions *sessions, const struct call_asker *asker,
	const struct tool_found *found, size_t count);
/* False: it is not cached. */
bool tool_sessions_evict(struct tool_sessions *sessions, const struct call_asker *asker, struct slice server,
	struct slice tool);
/* Each cached one, the most recently used one first. Nothing may be changed meanwhile. */
typedef void tool_cached(void *context, struct slice server, struct slice tool, uint64_t tokens);
void tool_sessions_each(const struct tool_sessions *sessions, const struct call_asker *asker, tool_cached *each,
	void *context);
/* By number from 0 on, as configured; length 0 behind the last. */
struct slice tool_sessions_pinned_at(const struct tool_sessions *sessions, size_t at);
/* Tokens of the cached ones, whether the client may still use them or not. */
uint64_t tool_sessions_cached_tokens(const struct tool_sessions *sessions, const struct call_asker *asker);
/* What an answer of finds may cost a client in whose context so many tokens of tools stand (kernel/tool_roster.h: of those
 * that it may use; others, pinned as they are, leave no trace in what fits). */
uint64_t tool_sessions_room(const struct tool_sessions *sessions, uint64_t used);

/* ---- For the index ---- */

/* A tool that is there now, or is not (octets 0): what the pinned ones cost is known by that. */
void tool_sessions_weigh(struct tool_sessions *sessions, struct slice server, struct slice tool, size_t octets);
void tool_sessions_forget_server(struct tool_sessions *sessions, struct slice server);

/* Other tools stand in a client's context than before: a list that it has seen is old. Told from inside of
 * the functions above, perhaps several times in a row; nothing of this file is to be called meanwhile. */
struct tool_listener {
	struct link link;
	void (*changed)(struct tool_listener *listener, struct slice principal, struct slice session);
};
void tool_sessions_listen(struct tool_sessions *sessions, struct tool_listener *listener);
void tool_sessions_unlisten(struct tool_listener *listener); /* harmless twice, and when zeroed */

#endif
