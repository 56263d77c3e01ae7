/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tool creation: where no tool fits what an agent needs for a task, it may be told to make one (MGP 16.6,
 * `creating`): [kernel] creating, off where nothing is said. It is offered only to who may use a server that
 * holds `code_execution`, and under the policy auto_approve. The agent writes a server and asks for it by
 * mgp/discovery/register under the name that it was told; what the code does is looked at first (MGP 7), it
 * runs in the sandbox, and the next request of the same task finds its tool.
 *
 * Offers are bounded in number and time (TOOL_CREATIONS, TOOL_CREATION_MS). Loop 0. Owned by the kernel.
 */
#ifndef HUSTINGS_KERNEL_TOOL_CREATION_H
#define HUSTINGS_KERNEL_TOOL_CREATION_H

#include "kernel/mgp_ask.h"
#include "kernel/tool_wish.h"

#define TOOL_CREATIONS 256
#define TOOL_CREATION_MS (60 * 60 * 1000)

struct tool_creations; /* kernel_means->tool_creations */

struct tool_creations *tool_creations_open(const struct kernel_means *means, struct fault *why) MUST_USE;
void tool_creations_close(struct tool_creations *creations); /* NULL is fine */
void tool_creations_allow(struct tool_creations *creations, bool is_allowed);

/* False: nothing is to be made. Else a JSON object that tells the agent what to do. */
bool tool_creation_offer(struct mgp_ask *ask, const struct call_asker *asker, const struct tool_wish *wish,
	struct text *to);
/* The tool that was made for that capability of this task. False: none. */
bool tool_creation_find(struct mgp_ask *ask, const struct call_asker *asker, const struct tool_wish *wish,
	struct slice capability, struct slice *server, struct slice *name);
/* Whether a registration is one that was offered, with code that may run: nobody is asked then. False with
 * `why` set (code not FAULT_NONE): its code is not allowed. */
struct hosted_settings;
bool tool_creation_allows(const struct kernel_means *means, const struct call_asker *asker,
	const struct hosted_settings *settings, bool *is_offered, struct fault *why);

#endif
