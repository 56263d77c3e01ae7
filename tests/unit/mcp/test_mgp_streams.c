/* SPDX-License-Identifier: Apache-2.0 */
/* The words of streams: chunks, progress in two forms, what a result says of itself. */
#include "check.h"

#include "mcp/mgp_chunk.h"
#include "mcp/mgp_outcome.h"
#include "mcp/mgp_progress.h"

static struct scan_value object(const char *json) {
	return (struct scan_value){.text = slice_of(json), .type = SCAN_OBJECT};
}

static void is_text(const struct text *text, const char *wanted) {
	assert_false(text_failed(text));
	check_slice(text_slice(text), wanted);
}

static void a_chunk_is_read(void **state) {
	(void)state;
	struct scan_value params = object("{\"request_id\":20,\"index\":3,\"content\":{\"type\":\"text\",\"text\":\"a\\n\"},\"done\":true}");
	struct mgp_chunk chunk;
	assert_true(mgp_chunk_read(&params, &chunk));
	check_slice(chunk.request_id.text, "20");
	assert_int_equal(chunk.index, 3);
	assert_true(chunk.is_done);
	check_slice(chunk.text, "a\\n");
	params = object("{\"request_id\":\"x\",\"index\":0,\"content\":{\"type\":\"image\",\"data\":\"\"}}");
	assert_true(mgp_chunk_read(&params, &chunk));
	assert_null(chunk.text.bytes);
	assert_false(chunk.is_done);
}

static void what_is_no_chunk_is_refused(void **state) {
	(void)state;
	static const char *const rows[] = {"{}", "{\"index\":0,\"content\":{\"type\":\"text\",\"text\":\"\"}}",
		"{\"request_id\":null,\"index\":0,\"content\":{\"type\":\"text\",\"text\":\"\"}}",
		"{\"request_id\":1,\"content\":{\"type\":\"text\",\"text\":\"\"}}",
		"{\"request_id\":1,\"index\":-1,\"content\":{\"type\":\"text\",\"text\":\"\"}}",
		"{\"request_id\":1,\"index\":0.5,\"content\":{\"type\":\"text\",\"text\":\"\"}}",
		"{\"request_id\":1,\"index\":\"0\",\"content\":{\"type\":\"text\",\"text\":\"\"}}",
		"{\"request_id\":1,\"index\":0,\"content\":{\"type\":\"text\"}}",
		"{\"request_id\":1,\"index\":0,\"content\":{\"text\":\"\"}}", "{\"request_id\":1,\"index\":0,\"content\":[]}",
		"{\"request_id\":1,\"index\":0,\"content\":{\"type\":\"text\",\"text\":\"\"},\"done\":1}"};
	struct mgp_chunk chunk;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct scan_value params = object(rows[i]);
		if (mgp_chunk_read(&params, &chunk)) fail_msg("taken: %s", rows[i]);
	}
	struct scan_value none = {.type = SCAN_NONE};
	assert_false(mgp_chunk_read(&none, &chunk));
}

static void a_chunk_is_bounded(void **state) {
	(void)state;
	AUTO_TEXT struct text large = {0};
	struct mgp_chunk chunk;
	text_init(&large, 0);
	text_add_cstr(&large, "{\"request_id\":1,\"index\":0,\"content\":{\"type\":\"text\",\"text\":\"");
	while (large.length + 3 < MGP_CHUNK) text_add_char(&large, 'x');
	text_add_cstr(&large, "\"}}");
	struct scan_value params = {.text = text_slice(&large), .type = SCAN_OBJECT};
	assert_int_equal(params.text.length, MGP_CHUNK);
	assert_true(mgp_chunk_read(&params, &chunk));
	text_add_char(&large, ' ');
	params.text = text_slice(&large);
	assert_false(mgp_chunk_read(&params, &chunk));
}

/* Whatever the order of its members, our id does not go on, and everything else does. */
static void a_chunk_is_written_under_another_id(void **state) {
	(void)state;
	static const char *const rows[][2] = {
		{"{\"request_id\":77,\"index\":0,\"x\":[1]}", ",\"index\":0,\"x\":[1]}}"},
		{"{\"index\":0,\"request_id\":77,\"x\":[1]}", ",\"index\":0,\"x\":[1]}}"},
		{"{\"request_id\":77,\"index\":0,\"x\":[1],\"request_id\":77}", ",\"index\":0,\"x\":[1]}}"},
		{"{\"request\\u005fid\":77,\"index\":0}", ",\"index\":0}}"},
		{"{\"request_id\":77}", "}}"},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		AUTO_TEXT struct text whole = {0}, wanted = {0};
		struct scan_value params = object(rows[i][0]);
		text_init(&whole, 0);
		text_init(&wanted, 0);
		struct slice rest = mgp_chunk_begin(&whole, SLICE(MGP_CHUNK_METHOD), &params, SLICE("\"mine\""));
		text_add(&whole, rest);
		text_add_cstr(&whole, "}}");
		text_printf(&wanted, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/mgp.stream.chunk\",\"params\":{\"request_id\":\"mine\"%s", rows[i][1]);
		is_text(&whole, wanted.bytes);
	}
}

#define PLAIN "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"t\""
#define OURS "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/mgp.stream.progress\",\"params\":{\"request_id\":7"

static void progress_of_mgp_becomes_mcps(void **state) {
	(void)state;
	static const char *const rows[][2] = {
		{"{\"request_id\":1,\"progress\":0.65,\"message\":\"13/20\",\"estimated_remaining_ms\":4500}", PLAIN ",\"progress\":0.65,\"total\":1,\"message\":\"13/20\"}}"},
		{"{\"request_id\":1,\"progress\":0.5}", PLAIN ",\"progress\":0.65,\"total\":1}}"},
		{"{\"request_id\":1,\"message\":\"on\"}", PLAIN ",\"progress\":0.65,\"total\":1,\"message\":\"on\"}}"},
		{"{\"request_id\":1,\"progress\":1,\"message\":null}", PLAIN ",\"progress\":1,\"total\":1}}"},
	};
	struct mgp_progress_course course = {0};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct scan_value params = object(rows[i][0]);
		struct mgp_progress progress;
		AUTO_TEXT struct text written = {0};
		text_init(&written, 0);
		assert_true(mgp_progress_read(&params, &progress));
		mgp_progress_follow(&course, &progress);
		mgp_progress_write_plain(&written, SLICE("\"t\""), &progress, &course);
		is_text(&written, rows[i][1]);
	}
}

static void progress_of_mcp_becomes_mgps(void **state) {
	(void)state;
	static const char *const rows[][2] = {
		{"{\"progressToken\":1,\"progress\":0,\"total\":20}", OURS ",\"progress\":0}}"},
		{"{\"progressToken\":1,\"progress\":5,\"total\":20,\"message\":\"m\"}", OURS ",\"progress\":0.25,\"message\":\"m\",\"estimated_remaining_ms\":300}}"},
		{"{\"progressToken\":1,\"progress\":6,\"total\":40}", OURS ",\"progress\":0.25,\"estimated_remaining_ms\":300}}"}, /* not back */
		{"{\"progressToken\":1,\"progress\":50,\"total\":40}", OURS ",\"progress\":1,\"estimated_remaining_ms\":0}}"},
		{"{\"progressToken\":1,\"progress\":51}", OURS ",\"message\":\"51\"}}"},
		{"{\"progressToken\":1,\"progress\":52,\"message\":\"n\"}", OURS ",\"message\":\"n\"}}"},
		{"{\"progressToken\":1,\"progress\":-1,\"total\":0}", OURS ",\"message\":\"-1\"}}"},
	};
	struct mgp_progress_course course = {0};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct scan_value params = object(rows[i][0]);
		struct mgp_progress progress;
		AUTO_TEXT struct text written = {0};
		text_init(&written, 0);
		assert_true(mgp_progress_read_plain(&params, &progress));
		mgp_progress_follow(&course, &progress);
		mgp_progress_estimate(&progress, 100);
		mgp_progress_write(&written, SLICE("7"), &progress);
		is_text(&written, rows[i][1]);
	}
}

static void malformed_progress_is_refused(void **state) {
	(void)state;
	static const char *const ours[] = {"{}", "{\"progress\":\"0.5\"}", "{\"progress\":1.1}", "{\"progress\":-0.1}", "{\"message\":7}",
		"{\"progress\":0.5,\"estimated_remaining_ms\":-1}", "{\"progress\":0.5,\"estimated_remaining_ms\":\"1\"}",
		"{\"progress\":0.5,\"estimated_remaining_ms\":1e300}", "{\"estimated_remaining_ms\":1}", "{\"progress\":1e400}"};
	static const char *const plain[] = {"{}", "{\"progress\":\"1\"}", "{\"progress\":1,\"total\":\"2\"}", "{\"progress\":1,\"message\":[]}"};
	struct mgp_progress progress;
	for (size_t i = 0; i < COUNT_OF(ours); i++) {
		struct scan_value params = object(ours[i]);
		if (mgp_progress_read(&params, &progress)) fail_msg("taken: %s", ours[i]);
	}
	for (size_t i = 0; i < COUNT_OF(plain); i++) {
		struct scan_value params = object(plain[i]);
		if (mgp_progress_read_plain(&params, &progress)) fail_msg("taken: %s", plain[i]);
	}
}

static void an_outcome_completes_what_was_said(void **state) {
	(void)state;
	const struct mgp_outcome cancelled = {.is_cancelled = true}, streamed = {.is_streamed = true, .chunks = 3, .duration_ms = 9},
				 both = {.is_cancelled = true, .is_streamed = true, .chunks = 1};
	const struct {
		const char *result;
		const struct mgp_outcome *outcome;
		const char *wanted;
	} rows[] = {
		{"{}", &cancelled, "{\"_mgp\":{\"cancelled\":true}}"},
		{" {\"content\":[]} ", &cancelled, "{\"content\":[],\"_mgp\":{\"cancelled\":true}}"},
		{"{\"_mgp\":{\"cancelled\":false,\"x\":1},\"content\":[]}", &cancelled, "{\"content\":[],\"_mgp\":{\"x\":1,\"cancelled\":true}}"},
		{"{\"_mgp\":7}", &streamed, "{\"_mgp\":{\"streamed\":true,\"chunks_sent\":3,\"duration_ms\":9}}"},
		{"{\"_mgp\":{\"streamed\":true,\"chunks_sent\":15,\"duration_ms\":3200}}", &streamed, "{\"_mgp\":{\"streamed\":true,\"chunks_sent\":15,\"duration_ms\":3200}}"},
		{"{\"_mgp\":{\"chunks_sent\":15}}", &streamed, "{\"_mgp\":{\"chunks_sent\":15,\"streamed\":true,\"duration_ms\":9}}"},
		{"{}", &both, "{\"_mgp\":{\"cancelled\":true,\"streamed\":true,\"chunks_sent\":1,\"duration_ms\":0}}"},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		AUTO_TEXT struct text written = {0};
		text_init(&written, 0);
		mgp_outcome_write(&written, slice_of(rows[i].result), rows[i].outcome);
		is_text(&written, rows[i].wanted);
		assert_int_equal(mgp_outcome_is_cancelled(text_slice(&written)), rows[i].outcome->is_cancelled);
	}
	assert_false(mgp_outcome_is_cancelled(SLICE("")));
	assert_false(mgp_outcome_is_cancelled(SLICE("[]")));
	assert_false(mgp_outcome_is_cancelled(SLICE("{\"_mgp\":{\"cancelled\":\"true\"}}")));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_chunk_is_read),
		cmocka_unit_test(what_is_no_chunk_is_refused),
		cmocka_unit_test(a_chunk_is_bounded),
		cmocka_unit_test(a_chunk_is_written_under_another_id),
		cmocka_unit_test(progress_of_mgp_becomes_mcps),
		cmocka_unit_test(progress_of_mcp_becomes_mgps),
		cmocka_unit_test(malformed_progress_is_refused),
		cmocka_unit_test(an_outcome_completes_what_was_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
