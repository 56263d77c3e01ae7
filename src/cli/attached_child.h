/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attached child: an MCP server as a child of ours on stdio: started, introduced to once (MCP
 * 2025-06-18, without elicitation and sampling, so that many callers can share it), then asked by
 * attached_child_ask(). Every open call of it ends when it ends.
 *
 * Owned: attached_child_close(). One thread. No callback comes before attached_child_open()
 * returned, none after the close; the owner may close it in `ended`, nowhere else.
 */
#ifndef HUSTINGS_CLI_ATTACHED_CHILD_H
#define HUSTINGS_CLI_ATTACHED_CHILD_H

#include "mcp/peer.h"

#define ATTACHED_START_MS 120000 /* until initialize must be answered: npx may have to fetch first */

struct attached_child;

struct attached_child_events {
	void (*ready)(void *context);
	void (*told)(void *context, const struct jsonrpc *notification);
	void (*said)(void *context, struct slice line); /* on stderr, or no JSON-RPC on stdout */
	/* Once. It is gone, with all its descendants; its calls have ended. */
	void (*ended)(void *context, const struct fault *why);
};

/* `arguments` and `environment` as in net/child.h. */
struct attached_child *attached_child_open(struct loop *loop, const char *const *arguments,
	const char *const *environment, const struct attached_child_events *events, void *context,
	struct fault *why) MUST_USE;
void attached_child_close(struct attached_child *child); /* ends it at once; NULL is fine */
/* Asks it to end: stdin closed, SIGTERM after `patience_ms`, SIGKILL after as long again. */
void attached_child_stop(struct attached_child *child, uint64_t patience_ms);

bool attached_child_is_ready(const struct attached_child *child);
/* Its result of initialize, JSON text; empty before it is ready. */
struct slice attached_child_facts(const struct attached_child *child);
/* Any request; see peer_ask(). Without a deadline of ours unless `request` names one. */
struct peer_call *attached_child_ask(struct attached_child *child,
	const struct peer_request *request, struct fault *why) MUST_USE;

#endif
