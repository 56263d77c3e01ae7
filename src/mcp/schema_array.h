/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schema array: what a schema says of an array and its elements. Private to mcp/schema*.
 */
#ifndef HUSTINGS_MCP_SCHEMA_ARRAY_H
#define HUSTINGS_MCP_SCHEMA_ARRAY_H

#include "mcp/schema_run.h"

bool schema_array_fits(struct schema_run *run, const struct schema_arrays *arrays,
	const struct scan_value *value, const struct schema_place *place, struct schema_marks *marks);

#endif
