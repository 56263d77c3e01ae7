/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "gateway/mcp_find.h"

static void check_capabilities(const char *given, const char *wanted) {
	AUTO_TEXT struct text written = {0};
	text_init(&written, 0);
	mcp_find_write_capabilities(&written, slice_of(given));
	check_text(&written, wanted);
}

static void tools_change_at_a_search_face(void **state) {
	(void)state;
	check_capabilities(NULL, "{\"tools\":{\"listChanged\":true}}");
	check_capabilities("{}", "{\"tools\":{\"listChanged\":true}}");
	check_capabilities("{\"logging\":{},\"tools\":{\"listChanged\":false},\"x\":[1]}",
		"{\"tools\":{\"listChanged\":true},\"logging\":{},\"x\":[1]}");
}

static bool is_meant(const char *method, const char *name) {
	const struct mcp_request request = {.message.method = slice_of(method), .name = slice_of(name)};
	return mcp_find_is_meant(&request);
}

static void two_tools_are_meant_in_either_form_of_their_names(void **state) {
	(void)state;
	assert_true(is_meant("tools/call", "mgp_tools_discover"));
	assert_true(is_meant("tools/call", "mgp.tools.discover"));
	assert_true(is_meant("tools/call", "mgp_tools_request"));
	assert_false(is_meant("tools/call", "mgp_tools_session"));
	assert_false(is_meant("tools/call", "mgp_access_query"));
	assert_false(is_meant("tools/call", "tools_discover"));
	assert_false(is_meant("tools/call", NULL));
	assert_false(is_meant("prompts/get", "mgp_tools_discover"));
}

static void two_tools_are_listed(void **state) {
	AUTO_TEXT struct text written = {0};
	const char *before = "";
	(void)state;
	text_init(&written, 0);
	mcp_find_write_tools(&written, &before);
	assert_string_equal(before, ",");
	assert_non_null(strstr(written.bytes, "{\"name\":\"mgp_tools_discover\""));
	assert_non_null(strstr(written.bytes, ",{\"name\":\"mgp_tools_request\""));
	size_t count = 0;
	for (const char *at = written.bytes; (at = strstr(at, "\"inputSchema\":")); at++) count++;
	assert_int_equal(count, 2);
}

static void a_result_is_one_text(void **state) {
	AUTO_TEXT struct text written = {0};
	const struct hosted_answer found = {.result = SLICE("{\"tools\":[]}")};
	const struct hosted_answer refused = {.code = -32602, .message = SLICE("query: too long")};
	(void)state;
	text_init(&written, 0);
	mcp_find_write_result(&written, &found);
	check_text(&written, "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"tools\\\":[]}\"}]}");
	text_clear(&written);
	mcp_find_write_result(&written, &refused);
	check_text(&written, "{\"content\":[{\"type\":\"text\",\"text\":\"query: too long\"}],\"isError\":true}");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tools_change_at_a_search_face),
		cmocka_unit_test(two_tools_are_meant_in_either_form_of_their_names),
		cmocka_unit_test(two_tools_are_listed),
		cmocka_unit_test(a_result_is_one_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
