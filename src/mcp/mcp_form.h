/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_form: what is filled into the form of an elicitation (MCP 2025-11-25, elicitation). Plain
 * functions, any thread.
 */
#ifndef HUSTINGS_MCP_MCP_FORM_H
#define HUSTINGS_MCP_MCP_FORM_H

#include "wire/scan.h"

/* The content as it was filled in, and for each property of the schema that it leaves out, the
 * `default` that the schema gives. Both objects, or SCAN_NONE. */
void mcp_form_write(struct text *to, const struct scan_value *schema,
	const struct scan_value *content);

#endif
