/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: the data of a server's error. What is read of it is bounded, and reads the same when it is written. */
#include "mcp/mgp_error.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	AUTO_TEXT struct text written = {0};
	struct arena arena;
	struct mgp_recovery read, again;
	struct scan_value root;
	struct scan_fault fault;
	if (!scan_check(slice_make(data, size), SCAN_DEPTH, &root, &fault)) return 0;
	arena_init(&arena, NULL, 0, 0);
	text_init(&written, 0);
	if (mgp_error_read(root.text, &arena, &read)) {
		require(read.retry_after_ms <= 24 * 60 * 60 * 1000 && read.max_retries <= 1000);
		mgp_error_write(&written, MGP_UPSTREAM_ERROR, NULL, &read);
		require(scan_check(text_slice(&written), SCAN_DEPTH, &root, &fault));
		require(mgp_error_read(text_slice(&written), &arena, &again));
		require(again.is_retryable == read.is_retryable);
		if (read.is_retryable)
			require(again.retry_after_ms == read.retry_after_ms && again.strategy == read.strategy &&
				again.max_retries == read.max_retries);
	}
	arena_finish(&arena);
	return 0;
}
