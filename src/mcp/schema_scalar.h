/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Schema scalar: what a schema says of an instance's type, of its value as a whole, and of numbers and
 * strings. Private to mcp/schema*. Each says what is wrong and answers false.
 */
#ifndef HUSTINGS_MCP_SCHEMA_SCALAR_H
#define HUSTINGS_MCP_SCHEMA_SCALAR_H

#include "mcp/schema_run.h"

bool schema_scalar_type(struct schema_run *run, const struct schema_node *node,
	const struct scan_value *value, const struct schema_place *place);
/* const and enum */
bool schema_scalar_value(struct schema_run *run, const struct schema_node *node,
	const struct scan_value *value, const struct schema_place *place);
bool schema_scalar_number(struct schema_run *run, const struct schema_numbers *numbers,
	const struct scan_value *value, const struct schema_place *place);
bool schema_scalar_string(struct schema_run *run, const struct schema_strings *strings,
	const struct scan_value *value, const struct schema_place *place);

/* The one bit of the instance's type (SCHEMA_NUMBER for whole numbers too). */
unsigned schema_scalar_type_of(const struct scan_value *value);
bool schema_scalar_type_fits(unsigned types, const struct scan_value *value);

#endif
