/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel: what governs the hosted servers (MGP): who may use them, what they may do, what of that is
 * written down. It stands beside struct hosted_servers, which runs them, and has a struct governed for each.
 *
 * Loop 0. Owned: kernel_open() after hosted_servers_open() and before servers are added, kernel_close()
 * after the faces are closed and before hosted_servers_close().
 */
#ifndef HUSTINGS_KERNEL_KERNEL_H
#define HUSTINGS_KERNEL_KERNEL_H

#include "kernel/call.h"
#include "kernel/embedding_provider.h"
#include "store/store.h"

struct kernel;
struct tool_budget;     /* tool_sessions.h */
struct audit_forwarder; /* audit_forwarder.h */

struct kernel_options {
	struct loop *loop;
	struct log *log;
	struct hosted_servers *servers;
	struct state *state;
	struct spool *spool; /* of loop 0 */
	struct store *store; /* whose audit events are forwarded */
	struct inbox *inbox;
	struct policy policy; /* [kernel] */
	bool is_open;         /* MCPx open mode */
	const char *const *register_allow;
	struct flow_settings flow; /* [flow] */
	struct slice secret;       /* of the house; length 0: one of this run alone, and what is sealed is lost with it */
};

struct kernel *kernel_open(const struct kernel_options *options, struct fault *why) MUST_USE;
void kernel_close(struct kernel *kernel); /* NULL is fine */
/* [kernel] anew; servers keep what is their own. */
void kernel_change(struct kernel *kernel, const struct policy *policy);
/* [flow] anew, for sessions that begin from now on. */
void kernel_change_flow(struct kernel *kernel, const struct flow_settings *settings);
/* Which tools stand in a client's context (MGP 16.7, 16.8), and whether agents may make some (16.6). `pinned` may
 * be NULL, and is copied. False: all is as before. */
bool kernel_change_tools(struct kernel *kernel, const struct tool_budget *budget, const char *const *pinned,
	bool may_create, struct fault *why) MUST_USE;
/* The server that audit events are forwarded to, as in audit_forwarder_aim(). */
bool kernel_forward_audit(struct kernel *kernel, const char *server, struct fault *why) MUST_USE;
const struct audit_forwarder *kernel_audit_forwarder(const struct kernel *kernel);
/* [kernel.embeddings], at the start and when it has changed; no url: none. False: words alone find tools. */
bool kernel_use_embeddings(struct kernel *kernel, const struct embeddings_settings *settings, struct fault *why) MUST_USE;
/* Opened after the kernel was; NULL before it is closed. */
void kernel_use_registry(struct kernel *kernel, struct registry *registry);
/* It is about to, and decisions rest (inbox_rest()): calls that wait for people end. */
void kernel_drain(struct kernel *kernel);
/* The gateway ends: servers that are stopped from now on hear "kernel_shutdown" (MGP 11.4), and nothing runs for a
 * guided session any more. */
void kernel_says_good_bye(struct kernel *kernel);
/* This one is stopped because its configuration has changed. */
void kernel_replaces(struct kernel *kernel, struct hosted *hosted);
const struct kernel_means *kernel_means(const struct kernel *kernel);

#endif
