/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "cli/tools_find.h"

static void check_table(const char *json, size_t wanted, const char *text) {
	AUTO_TEXT struct text shown = {0};
	struct fault why = {0};
	size_t count = 1000;
	text_init(&shown, 0);
	assert_true(tools_find_write(slice_of(json), &shown, &count, &why));
	assert_int_equal(count, wanted);
	check_text(&shown, text);
}

static void a_tool_is_a_line(void **state) {
	(void)state;
	check_table("{\"tools\":[{\"name\":\"read\",\"server_id\":\"files\",\"description\":\"Reads a file.\\nAt length.\","
		    "\"relevance_score\":0.95,\"security\":{\"risk_level\":\"safe\"}},{\"name\":\"grep\",\"server_id\":\"files\","
		    "\"relevance_score\":0.5}]}",
		2,
		"SCORE  TOOL        RISK  WHAT IT DOES\n"
		"0.95   files.read  safe  Reads a file.\n"
		"0.5    files.grep  -     -\n");
}

static void nothing_found_is_no_table(void **state) {
	(void)state;
	check_table("{\"tools\":[],\"total_available\":60}", 0, "");
}

static void strangers_words_do_nothing_to_a_terminal(void **state) {
	AUTO_TEXT struct text shown = {0};
	struct fault why = {0};
	size_t count;
	(void)state;
	text_init(&shown, 0);
	assert_true(tools_find_write(SLICE("{\"tools\":[{\"name\":\"a\\u001b[2Jb\",\"server_id\":\"x\\ny\","
					   "\"description\":\"one\\u202etwo\\rthree\",\"relevance_score\":1}]}"),
		&shown, &count, &why));
	assert_null(strchr(shown.bytes, '\x1b'));
	assert_null(strchr(shown.bytes, '\r'));
	assert_null(strstr(shown.bytes, "\xe2\x80\xae"));
	size_t lines = 0;
	for (const char *at = shown.bytes; (at = strchr(at, '\n')); at++) lines++;
	assert_int_equal(lines, 2);
}

static void a_long_description_is_cut_at_a_character(void **state) {
	AUTO_TEXT struct text json = {0}, shown = {0};
	struct fault why = {0};
	size_t count;
	(void)state;
	text_init(&json, 0);
	text_init(&shown, 0);
	text_add_cstr(&json, "{\"tools\":[{\"name\":\"n\",\"server_id\":\"s\",\"relevance_score\":1,\"description\":\"x");
	for (int i = 0; i < 100; i++) text_add_cstr(&json, "\xc3\xa9");
	text_add_cstr(&json, "\"}]}");
	assert_true(tools_find_write(text_slice(&json), &shown, &count, &why));
	const char *words = strstr(shown.bytes, "x\xc3\xa9");
	assert_non_null(words);
	assert_int_equal(strlen(words), 99 + 1); /* 49 of two octets, the x, and the line's end */
}

static void what_is_no_answer_is_said_to_be_none(void **state) {
	static const char *const no[] = {"", "[]", "{}", "{\"tools\":{}}", "{\"tools\":[", "null"};
	AUTO_TEXT struct text shown = {0};
	(void)state;
	text_init(&shown, 0);
	for (size_t i = 0; i < COUNT_OF(no); i++) {
		struct fault why = {0};
		size_t count;
		assert_false(tools_find_write(slice_of(no[i]), &shown, &count, &why));
		assert_int_equal(why.code, FAULT_IO);
	}
	check_table("{\"tools\":[7,{}]}", 2,
		"SCORE  TOOL  RISK  WHAT IT DOES\n"
		"-      .     -     -\n"
		"-      .     -     -\n");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tool_is_a_line),
		cmocka_unit_test(nothing_found_is_no_table),
		cmocka_unit_test(strangers_words_do_nothing_to_a_terminal),
		cmocka_unit_test(a_long_description_is_cut_at_a_character),
		cmocka_unit_test(what_is_no_answer_is_said_to_be_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
