/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_header: what the head of a modern request says beside its body, so that whoever stands between
 * need not read JSON (MCP 2026-07-28, transports): Mcp-Method, Mcp-Name, and Mcp-Param-* for the
 * arguments that a tool's input schema marks with `x-mcp-header`. Plain functions, any thread.
 */
#ifndef HUSTINGS_MCP_MCP_HEADER_H
#define HUSTINGS_MCP_MCP_HEADER_H

#include "wire/scan.h"

#define MCP_HEADER_PARAMS 64 /* marked arguments of one tool */

/* "Name: value"; what is no plain ASCII, or has blanks at an end, goes as =?base64?...?=. */
void mcp_header_write(struct text *to, const char *name, struct slice value);
/* A value as it came, out of its wrapping where it has one. False: a wrapping without sound base64
 * in it, or no memory. */
bool mcp_header_read(struct slice value, struct text *to) MUST_USE;

/* The member of `params` that Mcp-Name repeats for that method; SLICE_NONE: it has no such header. */
struct slice mcp_header_name(struct slice method, const struct scan_value *params,
	struct arena *arena);

struct mcp_header_param {
	struct slice name;       /* behind "Mcp-Param-" */
	struct scan_value value; /* of the argument; SCAN_NONE: it is not given, or null */
};
typedef bool mcp_header_seen(void *context, const struct mcp_header_param *param); /* false: stop */

/* The marked arguments of a call in the schema's order; `arguments` may be NULL. False: a mark breaks
 * the rules (such a tool is not to be called), no memory, or stopped. */
bool mcp_header_params(const struct scan_value *schema, const struct scan_value *arguments,
	struct arena *arena, mcp_header_seen *seen, void *context, struct fault *why) MUST_USE;
/* The characters of a string, else the value's text. */
struct slice mcp_header_value(const struct scan_value *value, struct arena *arena);

#endif
