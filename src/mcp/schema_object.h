/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schema object: what a schema says of an object and its members. Private to mcp/schema*.
 */
#ifndef HUSTINGS_MCP_SCHEMA_OBJECT_H
#define HUSTINGS_MCP_SCHEMA_OBJECT_H

#include "mcp/schema_run.h"

bool schema_object_fits(struct schema_run *run, const struct schema_objects *objects,
	const struct scan_value *value, const struct schema_place *place, struct schema_marks *marks);

/* By length, then octets: as schema_objects.properties are sorted. */
int schema_object_order(struct slice a, struct slice b);

#endif
