/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_names: the names of tools and prompts of many servers on one face: "server__tool". No two
 * (server, tool) have the same one: where cutting to MCP_NAME octets, an underscore, or a character
 * that MCP does not want in names (all but ASCII letters, digits and _-.) could make two alike, the
 * end is a part of a hash of both. The server may be a participant of a room as well. Any thread.
 */
#ifndef HUSTINGS_GATEWAY_MCP_NAMES_H
#define HUSTINGS_GATEWAY_MCP_NAMES_H

#include "wire/scan.h"

#define MCP_NAME 64

bool mcp_name_write(char name[MCP_NAME + 1], struct slice server, struct slice item) MUST_USE;
/* What may be the item's own name, if this face's name is a plain one of that server. */
bool mcp_name_is_plain(struct slice name, struct slice server, struct slice *item);

/* False: it is no hashed name of an item of that server; cheaper than to write those of all of them. */
bool mcp_name_may_be_hashed(struct slice name, struct slice server);

/* The object with its `name` replaced, everything else octet for octet. */
void mcp_name_replace(struct text *to, const struct scan_value *object, struct slice name);

#endif
