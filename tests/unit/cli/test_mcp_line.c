/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "cli/mcp_line.h"

struct held {
	struct mcp_line line;
	struct arena arena;
	int64_t code;
	bool is_read;
};

static void read_line(struct held *held, const char *text) {
	*held = (struct held){0};
	arena_init(&held->arena, NULL, 0, 0);
	held->is_read = mcp_line_read(&held->line, slice_of(text), &held->arena, &held->code, NULL);
}

static void a_legacy_request_names_no_version(void **state) {
	(void)state;
	struct held held;
	read_line(&held, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"a\"}}");
	assert_true(held.is_read && held.line.is_request);
	assert_false(held.line.is_modern);
	check_slice(held.line.message.id.text, "7");
	check_slice(held.line.name, "a");
	arena_finish(&held.arena);
}

static void a_modern_request_says_its_version_and_name(void **state) {
	(void)state;
	struct held held;
	read_line(&held, "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"resources/read\",\"params\":{\"uri\":\"note:\\u002f\","
			 "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}");
	assert_true(held.is_read && held.line.is_request && held.line.is_modern);
	check_slice(held.line.version, "2026-07-28");
	check_slice(held.line.name, "note:/");
	assert_true(mcp_line_has_name_header(&held.line));
	arena_finish(&held.arena);
	read_line(&held, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\"}");
	assert_true(held.is_read && held.line.is_modern);
	assert_null(held.line.version.bytes);
	assert_false(mcp_line_has_name_header(&held.line));
	arena_finish(&held.arena);
}

static void a_cancellation_names_its_request(void **state) {
	(void)state;
	struct held held;
	read_line(&held, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"a\\\"b\"}}");
	assert_true(held.is_read);
	assert_false(held.line.is_request);
	check_slice(held.line.cancelled, "\"a\\\"b\"");
	arena_finish(&held.arena);
	read_line(&held, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/other\",\"params\":{\"requestId\":1}}");
	assert_null(held.line.cancelled.bytes);
	arena_finish(&held.arena);
}

static void a_batch_wants_an_answer_when_one_of_it_does(void **state) {
	(void)state;
	struct held held;
	read_line(&held, "[{\"jsonrpc\":\"2.0\",\"method\":\"a\"},{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"b\"}]");
	assert_true(held.is_read && held.line.is_batch && held.line.is_request);
	arena_finish(&held.arena);
	read_line(&held, "[{\"jsonrpc\":\"2.0\",\"method\":\"a\"},{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}]");
	assert_true(held.is_read && held.line.is_batch);
	assert_false(held.line.is_request);
	arena_finish(&held.arena);
}

static void what_is_no_message_says_what_is_wrong(void **state) {
	(void)state;
	struct held held;
	read_line(&held, "[1,");
	assert_false(held.is_read);
	assert_int_equal(held.code, JSONRPC_PARSE_ERROR);
	arena_finish(&held.arena);
	read_line(&held, "{\"jsonrpc\":\"2.0\",\"id\":4}");
	assert_false(held.is_read);
	assert_int_equal(held.code, JSONRPC_INVALID_REQUEST);
	check_slice(held.line.message.id.text, "4");
	arena_finish(&held.arena);
}

static void headers_hold_plain_text_or_base64(void **state) {
	(void)state;
	static const struct {
		const char *value, *header;
	} rows[] = {
		{"echo", "Mcp-Name: echo"},
		{"two words", "Mcp-Name: two words"},
		{" blank", "Mcp-Name: =?base64?IGJsYW5r?="},
		{"line\r\nX-Evil: 1", "Mcp-Name: =?base64?bGluZQ0KWC1FdmlsOiAx?="},
		{"\xc3\xa4", "Mcp-Name: =?base64?w6Q=?="},
		{"=?base64?eA==?=", "Mcp-Name: =?base64?PT9iYXNlNjQ/ZUE9PT89?="},
		{"", "Mcp-Name: =?base64?"
		     "?="},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		AUTO_TEXT struct text header = {0};
		text_init(&header, 0);
		mcp_line_write_header(&header, "Mcp-Name", slice_of(rows[i].value));
		check_text(&header, rows[i].header);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_legacy_request_names_no_version),
		cmocka_unit_test(a_modern_request_says_its_version_and_name),
		cmocka_unit_test(a_cancellation_names_its_request),
		cmocka_unit_test(a_batch_wants_an_answer_when_one_of_it_does),
		cmocka_unit_test(what_is_no_message_says_what_is_wrong),
		cmocka_unit_test(headers_hold_plain_text_or_base64),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
