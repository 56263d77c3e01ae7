/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schema applied: schemas that speak of the same instance: references, allOf, anyOf, oneOf, not, if.
 * Private to mcp/schema*.
 */
#ifndef HUSTINGS_MCP_SCHEMA_APPLIED_H
#define HUSTINGS_MCP_SCHEMA_APPLIED_H

#include "mcp/schema_run.h"

bool schema_applied_fits(struct schema_run *run, const struct schema_applied *applied,
	const struct scan_value *value, const struct schema_place *place, struct schema_marks *marks);

#endif
