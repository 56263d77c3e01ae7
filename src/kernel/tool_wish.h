/* SPDX-License-Identifier: Apache-2.0 */
/* Tool wish: what an mgp/tools/request asks for (MGP 16.6), read. Slices lie in the reader's arena. Loop 0. */
#ifndef HUSTINGS_KERNEL_TOOL_WISH_H
#define HUSTINGS_KERNEL_TOOL_WISH_H

#include "kernel/mgp_ask.h"
#include "validate/permission_type.h"

#define TOOL_WISH_MOST 16      /* capabilities in one request, and types in each list of them */
#define TOOL_WISH_WORDS 200    /* octets of one */
#define TOOL_WISH_CONTEXT 4096 /* octets */

struct tool_wish {
	struct slice capabilities[TOOL_WISH_MOST];
	size_t count;      /* at least 1 */
	struct slice help; /* what was said besides: types and the context; length 0: nothing */
	bool has_risk;
	enum risk_level risk; /* preferred */
	struct slice trace;   /* task_trace_id; length 0: none */
};

/* False: answered. */
bool tool_wish_read(struct mgp_ask *ask, struct arena *arena, struct tool_wish *wish);
/* The capability with all the help there is. False: no memory. */
bool tool_wish_query(const struct tool_wish *wish, struct slice capability, struct arena *arena,
	struct slice *query) MUST_USE;

#endif
