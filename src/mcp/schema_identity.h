/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schema identity: the names that schemas have ($id, anchors), and references by name or by pointer.
 * Private to mcp/schema*.
 */
#ifndef HUSTINGS_MCP_SCHEMA_IDENTITY_H
#define HUSTINGS_MCP_SCHEMA_IDENTITY_H

#include "mcp/schema_reader.h"

/* Which resource the node belongs to, or begins; what it is called there. */
bool schema_identity_read(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words) MUST_USE;
/* Where it leads; what leads nowhere is noted. May find nodes that have still to be read. */
bool schema_identity_follow(struct schema_reader *reader, struct schema_reference *reference) MUST_USE;

#endif
