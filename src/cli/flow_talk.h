/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow talk: one guided session (MCP Flow) from its start to its result, with the user on stdin and stderr, or a
 * script on stdin and stdout.
 */
#ifndef HUSTINGS_CLI_FLOW_TALK_H
#define HUSTINGS_CLI_FLOW_TALK_H

#include "cli/flow_link.h"

struct flow_wishes {
	const char *tool;
	struct slice arguments; /* JSON object: what is known already */
	bool as_json;           /* prompts and the result as lines of JSON, answers as such */
};

/* *has_failed: the tool says so; it has been printed. FAULT_CLOSED: the user has given up, and it was cancelled. */
bool flow_talk(struct flow_link *link, const struct flow_wishes *wishes, bool *has_failed, struct fault *why) MUST_USE;

#endif
