/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: a tool's definition (first line) of a hostile server, the params of a call (second
 * line) and the head of its request (the rest). What matches once matches again, and headers that
 * nobody marked change nothing.
 */
#include "gateway/mcp_params.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static bool is_object(struct slice text) {
	struct scan_value root;
	struct scan_fault fault;
	return scan_check(text, SCAN_DEPTH, &root, &fault) && root.type == SCAN_OBJECT &&
		root.text.bytes == text.bytes && root.text.length == text.length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct slice rest = slice_make(data, size), definition, params;
	struct http1_head head;
	struct http1_fault flaw;
	struct fault why = {0}, again = {0};
	struct arena arena;
	size_t used;
	if (!slice_split(&rest, '\n', &definition) || !slice_split(&rest, '\n', &params) || !rest.bytes) return 0;
	if (!is_object(definition) || !is_object(params)) return 0;
	if (http1_request(rest, &head, &used, &flaw) != HTTP1_READY) return 0;
	arena_init(&arena, NULL, 0, 0);
	bool is_match = mcp_params_match(definition, params, &head, &arena, &why);
	require(is_match || why.code == FAULT_BAD_INPUT);
	require(mcp_params_match(definition, params, &head, &arena, &again) == is_match);
	require(mcp_params_match(SLICE("{}"), params, &head, &arena, &again));
	arena_finish(&arena);
	return 0;
}
