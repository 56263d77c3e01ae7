/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tools: what the kernel knows of a server's tools beyond their definitions: what they may do (MGP 4),
 * their arguments' schema, and whether a definition is the one that was pinned (hard rules). Lies in struct
 * governed, one for each era, made anew from the list that is known whenever that has changed.
 *
 * A definition that is seen first is pinned. One that differs from its pin is quarantined: left out of
 * lists and not called until somebody approves of the difference, which opens a decision. Names that are
 * reserved ("mgp.", "system") or longer than TOOLS_NAME are no tools. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_TOOLS_H
#define HUSTINGS_KERNEL_TOOLS_H

#include "hosted/hosted.h"
#include "validate/tool_security.h"
#include "mcp/schema.h"

#define TOOLS_NAME 128 /* octets */

struct governed;
struct tools; /* tools.c */

struct tool {
	struct slice name;
	struct slice definition;              /* JSON object, as it came; both are the list's */
	const struct tool_security *security; /* NULL: it is disabled */
	const struct schema *schema;          /* of its arguments; NULL: it has none that can be read */
	bool is_quarantined;
	const char *disabled; /* why it is not to be called, a sentence; NULL: it may be */
};

struct tools *tools_open(struct governed *governed, enum hosted_era era, struct fault *why) MUST_USE;
void tools_close(struct tools *tools); /* NULL is fine */

/* From what is known of the list now (hosted_items_known()); valid until the return to the loop. NULL: no
 * tool of that name; *is_known (may be NULL): whether there is a list at all. */
const struct tool *tools_find(struct tools *tools, struct slice name, bool *is_known);
/* All of them, by number from 0 on; NULL behind the last. */
const struct tool *tools_at(struct tools *tools, size_t at);

/* The definition as a client is shown it, under `name` (length 0: its own): without `security` to who
 * does not speak MGP, else with what the kernel found (has_security). */
void tools_write(struct text *to, const struct tool *tool, struct slice name, bool has_security);

#endif
