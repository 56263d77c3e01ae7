/* SPDX-License-Identifier: Apache-2.0 */
/* Trace ids and traceparents: what is read is a UUID in lower case, and read again it is the same. */
#include "base/trace.h"

#include <stdlib.h>

static void check(const char *id) {
	char again[TRACE_SIZE];
	if (strlen(id) != TRACE_SIZE - 1 || strspn(id, "0123456789abcdef-") != TRACE_SIZE - 1) abort();
	if (!trace_id_read(slice_of(id), again) || strcmp(id, again) != 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct slice text = slice_make(data, size);
	char id[TRACE_SIZE], again[TRACE_SIZE], parent[TRACE_PARENT_SIZE];
	if (trace_id_read(text, id)) check(id);
	if (!trace_parent_read(text, id)) return 0;
	check(id);
	trace_parent_write(id, parent);
	if (!trace_parent_read(slice_of(parent), again) || strcmp(id, again) != 0) abort();
	return 0;
}
