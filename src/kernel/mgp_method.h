/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mgp_method: the table of the kernel's own methods, and their form as tools ("mgp.access.query", in lists
 * "mgp_access_query"; docs/protocol.md). Loop 0.
 */
#ifndef HUSTINGS_KERNEL_MGP_METHOD_H
#define HUSTINGS_KERNEL_MGP_METHOD_H

#include "kernel/mgp_ask.h"

struct mgp_method {
	const char *name;   /* "mgp/access/query" */
	const char *tool;   /* "mgp_access_query" */
	unsigned extension; /* enum mgp_extension that has to be agreed on */
	bool is_admin;      /* hidden from everybody else */
	void (*run)(struct mgp_ask *ask);
	const char *description; /* of the tool, as the next */
	const char *schema;      /* JSON text */
};

bool mgp_method_is(struct slice method); /* begins with "mgp/", or is one of MCP Flow, which need no MGP and are no tools */
/* Answers, now or later; -32601 for what is unknown, or whose extension is not agreed on. */
void mgp_method_ask(struct mgp_ask *ask, struct slice method);

/* By number from 0 on; NULL behind the last. */
const struct mgp_method *mgp_method_at(size_t at);
/* Of that tool, in either form of its name; NULL: none that this asker may use. */
const struct mgp_method *mgp_method_of_tool(struct slice tool, const struct call_asker *asker);
/* The tool's definition, as it stands in a list. */
void mgp_method_write_tool(struct text *to, const struct mgp_method *method);

#endif
