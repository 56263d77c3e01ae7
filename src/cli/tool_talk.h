/* SPDX-License-Identifier: Apache-2.0 */
/* Tool talk: what a command asks before a call, and prints after it. */
#ifndef HUSTINGS_CLI_TOOL_TALK_H
#define HUSTINGS_CLI_TOOL_TALK_H

#include "base/fault.h"
#include "base/text.h"

/* Asks the person at the terminal whether a tool that may destroy something is to be called. */
bool tool_talk_confirm(struct slice tool);
/* A result on stdout, on stderr when the tool says that it failed; `as_json`, or when it is no result
 * of a tool: as it came. *has_failed: the tool says so, or it could not be printed. */
bool tool_talk_print(struct slice result, bool as_json, bool *has_failed, struct fault *why) MUST_USE;

#endif
