/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tool list: the tools of a participant, as lines for people or JSON. What the server says of them
 * is a stranger's: shown harmless, and cut. Pure.
 */
#ifndef HUSTINGS_CLI_TOOL_LIST_H
#define HUSTINGS_CLI_TOOL_LIST_H

#include "mcp/mcp_listing.h"

/* "notes (2 tools)", then a line each: name and arguments (optional ones in brackets), what it says
 * it does, whether it only reads or destroys. */
void tool_list_write(struct text *to, struct slice id, const struct mcp_listing *listing);
/* {"id":"notes","tools":[...]}, the definitions as they came. */
void tool_list_write_json(struct text *to, struct slice id, const struct mcp_listing *listing);
/* Whether a call of it is to be confirmed: it is marked destructive (MCP tool annotations). */
bool tool_list_is_dangerous(const struct mcp_tool *tool);

#endif
