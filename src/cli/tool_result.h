/* SPDX-License-Identifier: Apache-2.0 */
/* Tool result: what a tool answered (MCP tools/call), as text for people and scripts. Pure. */
#ifndef HUSTINGS_CLI_TOOL_RESULT_H
#define HUSTINGS_CLI_TOOL_RESULT_H

#include "wire/scan.h"

/* The texts of the result, each ended by a LF; other content is named in brackets; a result with
 * structured content alone is that JSON. `is_shown`: it goes to a terminal, and what could confuse
 * one is escaped. *is_error: the tool says that it failed. False: it is no result of a tool; then
 * nothing was written. */
bool tool_result_write(struct text *to, struct slice result, bool is_shown,
	bool *is_error) MUST_USE;

/* Text for a terminal: lines and tabs stay, everything else as text_display() does. */
void tool_result_show(struct text *to, struct slice text);

#endif
