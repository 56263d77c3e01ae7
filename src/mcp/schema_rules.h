/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schema rules: keywords without schemas in them are read into a node. Private to mcp/schema*.
 */
#ifndef HUSTINGS_MCP_SCHEMA_RULES_H
#define HUSTINGS_MCP_SCHEMA_RULES_H

#include "mcp/schema_reader.h"

/* type, const, enum, and those of numbers and strings. */
bool schema_rules_read(struct schema_reader *reader, struct schema_node *node,
	const struct schema_words *words) MUST_USE;
/* A count, 0 or more; left alone where it does not stand there or is none (noted). */
void schema_rules_count(struct schema_reader *reader, const struct schema_words *words,
	enum schema_keyword keyword, size_t *count);

#endif
