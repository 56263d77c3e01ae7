/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_names: the names of tools and prompts of many servers on one face: "server__tool". No two
 * (server, tool) have the same one: where cutting to MCP_NAME octets or an underscore could make two
 * alike, the end is a part of a hash of both. Any thread.
 */
#ifndef HUSTINGS_GATEWAY_MCP_NAMES_H
#define HUSTINGS_GATEWAY_MCP_NAMES_H

#include "base/text.h"

#define MCP_NAME 64

bool mcp_name_write(char name[MCP_NAME + 1], struct slice server, struct slice item) MUST_USE;
/* What may be the item's own name, if this face's name is a plain one of that server. */
bool mcp_name_is_plain(struct slice name, struct slice server, struct slice *item);

#endif
