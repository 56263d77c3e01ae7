/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schema members: the keywords that speak of an object are read into a node. Private to mcp/schema*.
 */
#ifndef HUSTINGS_MCP_SCHEMA_MEMBERS_H
#define HUSTINGS_MCP_SCHEMA_MEMBERS_H

#include "mcp/schema_reader.h"

bool schema_members_read(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words) MUST_USE;

#endif
