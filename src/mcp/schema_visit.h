/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schema visit: one instance held against one schema, all keywords of it. Private to mcp/schema*.
 */
#ifndef HUSTINGS_MCP_SCHEMA_VISIT_H
#define HUSTINGS_MCP_SCHEMA_VISIT_H

#include "mcp/schema_run.h"

/* `place` NULL: the whole instance. `marks`, where somebody keeps them, are this instance's. */
bool schema_visit(struct schema_run *run, const struct schema_node *node,
	const struct scan_value *value, const struct schema_place *place, struct schema_marks *marks);

#endif
