/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: the params of tools/call. What its server gets is JSON of the same name and arguments; another tool's
 * name takes the place of its own. */
#include "kernel/call_params.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static void is_sound(const struct call *call) {
	struct scan_value root;
	struct scan_fault fault;
	require(scan_check(call->inner.params, SCAN_DEPTH, &root, &fault) && root.type == SCAN_OBJECT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct scan_value root;
	struct scan_fault fault;
	struct fault why;
	char trace[TRACE_SIZE];
	bool has_twins = true;
	if (!scan_check(slice_make(data, size), SCAN_DEPTH, &root, &fault) || root.type != SCAN_OBJECT) return 0;
	struct call call = {.is_tool = true, .inner = {.params = root.text}};
	arena_init(&call.arena, call.lent, sizeof call.lent, 0);
	if (!scan_has_duplicates(root.text, &call.arena, &has_twins) || has_twins) goto done;
	require(call_params_read(&call, &why));
	require(trace_id_read(slice_of(call.trace), trace));
	struct slice arguments = call.arguments.text;
	require(call_params_rename(&call, SLICE("an\"other"), &why));
	is_sound(&call);
	require(slice_is(call.name, "an\"other"));
	require(slice_equal(call.arguments.text, arguments));
done:
	arena_finish(&call.arena);
	return 0;
}
