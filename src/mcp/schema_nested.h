/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schema nested: keywords of arrays and objects, and those with schemas in them, are read into a node.
 * Private to mcp/schema*.
 */
#ifndef HUSTINGS_MCP_SCHEMA_NESTED_H
#define HUSTINGS_MCP_SCHEMA_NESTED_H

#include "mcp/schema_reader.h"

bool schema_nested_read(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words) MUST_USE;
/* $defs and definitions: read because they are there, for the names in them. */
bool schema_nested_definitions(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words) MUST_USE;

#endif
