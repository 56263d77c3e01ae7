/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tool shown: a tool as an answer of MGP 16 has it, so that it can be called at once: its name, server,
 * description and schema, the name to call it by at the asker's face, and what the kernel knows of its risk,
 * for who speaks `security`. To others it is written as short as it can be without another meaning: all of it
 * lands in a model's context. Plain functions, loop 0.
 */
#ifndef HUSTINGS_KERNEL_TOOL_SHOWN_H
#define HUSTINGS_KERNEL_TOOL_SHOWN_H

#include "kernel/mgp_ask.h"
#include "kernel/mgp_client.h"

struct tool_showing {
	const struct call_asker *asker;
	struct mgp_client *client; /* NULL: no face to call it at */
	struct hosted *hosted;
	const struct tool *tool;
	double relevance; /* below 0: of no search */
};

void tool_show(struct text *to, const struct tool_showing *showing);

#endif
