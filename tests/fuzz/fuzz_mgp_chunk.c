/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: what a server tells of a stream, and its result. Whatever it is, what goes on is JSON of one line
 * under the asker's id alone, and reads the same.
 */
#include "mcp/mgp_chunk.h"
#include "mcp/mgp_outcome.h"
#include "mcp/mgp_progress.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

/* The params of a notification that was written. */
static struct scan_value written_params(const struct text *text, const char *key, const char *id) {
	struct scan_value root, params = {.type = SCAN_NONE}, value;
	struct scan_fault fault;
	require(!text_failed(text) && scan_check(text_slice(text), SCAN_DEPTH + 1, &root, &fault));
	require(scan_find(&root, "params", &params) && params.type == SCAN_OBJECT);
	require(scan_find(&params, key, &value) && slice_is(value.text, id));
	return params;
}

static void try_chunk(const struct scan_value *params) {
	struct mgp_chunk read, again;
	AUTO_TEXT struct text whole = {0};
	if (!mgp_chunk_read(params, &read)) return;
	text_init(&whole, 0);
	struct slice rest = mgp_chunk_begin(&whole, SLICE(MGP_CHUNK_METHOD), params, SLICE("20"));
	text_add(&whole, rest);
	text_add_cstr(&whole, "}}");
	const struct scan_value other = written_params(&whole, "request_id", "20");
	if (other.text.length > MGP_CHUNK) return;
	require(mgp_chunk_read(&other, &again));
	require(again.index == read.index && again.is_done == read.is_done && slice_equal(again.text, read.text));
	require(scan_count(&other) >= 3 && scan_count(&other) <= scan_count(params));
}

static void try_progress(const struct scan_value *params) {
	struct mgp_progress_course course = {.fraction = 0.25};
	struct mgp_progress progress, again;
	AUTO_TEXT struct text ours = {0}, plain = {0};
	text_init(&ours, 0);
	text_init(&plain, 0);
	if (mgp_progress_read(params, &progress)) {
		mgp_progress_follow(&course, &progress);
		require(course.fraction >= 0.25 && course.fraction <= 1);
		mgp_progress_write_plain(&plain, SLICE("\"t\""), &progress, &course);
		const struct scan_value other = written_params(&plain, "progressToken", "\"t\"");
		require(mgp_progress_read_plain(&other, &again) && again.has_fraction);
	}
	if (!mgp_progress_read_plain(params, &progress)) return;
	mgp_progress_follow(&course, &progress);
	mgp_progress_estimate(&progress, 1000);
	mgp_progress_write(&ours, SLICE("20"), &progress);
	const struct scan_value other = written_params(&ours, "request_id", "20");
	require(mgp_progress_read(&other, &again) && again.has_fraction == progress.has_fraction);
}

static void try_outcome(struct slice result) {
	const struct mgp_outcome outcome = {.is_cancelled = true, .is_streamed = true, .chunks = 3};
	AUTO_TEXT struct text whole = {0};
	struct scan_value root;
	struct scan_fault fault;
	text_init(&whole, 0);
	mgp_outcome_write(&whole, result, &outcome);
	require(scan_check(text_slice(&whole), SCAN_DEPTH + 1, &root, &fault));
	require(mgp_outcome_is_cancelled(text_slice(&whole)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct scan_value root, id;
	struct scan_fault fault;
	if (!scan_check(slice_make((const char *)data, size), SCAN_DEPTH, &root, &fault)) return 0;
	(void)!mgp_chunk_request(&root, &id);
	try_chunk(&root);
	try_progress(&root);
	try_outcome(root.text);
	return 0;
}
