/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "gateway/mcp_params.h"

#include <stdio.h>

#define TOOL \
	"{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\",\"properties\":{" \
	"\"place\":{\"type\":\"string\",\"x-mcp-header\":\"Place\"}," \
	"\"often\":{\"type\":\"integer\",\"x-mcp-header\":\"Often\"}," \
	"\"deep\":{\"type\":\"object\",\"properties\":{\"flag\":{\"type\":\"boolean\",\"x-mcp-header\":\"Flag\"}}}}}}"

static bool matches(const char *definition, const char *params, const char *lines, struct fault *why) {
	char text[600];
	struct http1_head head;
	struct http1_fault fault;
	struct arena arena;
	size_t used;
	snprintf(text, sizeof text, "POST /mcp HTTP/1.1\r\nHost: a\r\n%s\r\n", lines);
	assert_int_equal(http1_request(slice_of(text), &head, &used, &fault), HTTP1_READY);
	arena_init(&arena, NULL, 0, 0);
	bool is_match = mcp_params_match(slice_of(definition), slice_of(params), &head, &arena, why);
	arena_finish(&arena);
	return is_match;
}

static void check_refused(const char *params, const char *lines, const char *words) {
	struct fault why = {0};
	assert_false(matches(TOOL, params, lines, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	if (!strstr(why.text, words)) fail_msg("%s is not in: %s", words, why.text);
}

static void marked_arguments_are_compared_at_any_depth(void **state) {
	(void)state;
	static const char params[] = "{\"arguments\":{\"place\":\"Z\\u00fcrich\",\"often\":3,\"deep\":{\"flag\":true}}}";
	assert_true(matches(TOOL, params,
		"Mcp-Param-Place: =?base64?WsO8cmljaA==?=\r\nmcp-param-often: 3\r\nMcp-Param-Flag: true\r\n", NULL));
	check_refused(params, "Mcp-Param-Place: =?base64?WsO8cmljaA==?=\r\nMcp-Param-Often: 3\r\n", "Mcp-Param-Flag is missing");
	check_refused(params, "Mcp-Param-Place: Zurich\r\nMcp-Param-Often: 3\r\nMcp-Param-Flag: true\r\n",
		"Mcp-Param-Place is not what the argument says");
	check_refused(params, "Mcp-Param-Place: =?base64?WsO8cmljaA==?=\r\nMcp-Param-Often: 4\r\nMcp-Param-Flag: true\r\n",
		"Mcp-Param-Often is not");
}

static void an_argument_that_is_not_given_has_no_header(void **state) {
	(void)state;
	assert_true(matches(TOOL, "{\"arguments\":{\"place\":null}}", "", NULL));
	assert_true(matches(TOOL, "{}", "", NULL));
	check_refused("{\"arguments\":{}}", "Mcp-Param-Place: x\r\n", "is not there");
	check_refused("{\"arguments\":{\"place\":\"x\"}}", "Mcp-Param-Place: x\r\nMcp-Param-Place: x\r\n", "is not what");
}

static void marks_against_the_rules_name_no_headers(void **state) {
	(void)state;
	static const char twice[] = "{\"inputSchema\":{\"properties\":{\"a\":{\"type\":\"string\",\"x-mcp-header\":\"A\"},"
				    "\"b\":{\"type\":\"array\",\"x-mcp-header\":\"B\"}}}}";
	assert_true(matches(twice, "{\"arguments\":{\"b\":[]}}", "", NULL));
	assert_true(matches("{}", "{\"arguments\":{\"b\":[]}}", "", NULL));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(marked_arguments_are_compared_at_any_depth),
		cmocka_unit_test(an_argument_that_is_not_given_has_no_header),
		cmocka_unit_test(marks_against_the_rules_name_no_headers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
