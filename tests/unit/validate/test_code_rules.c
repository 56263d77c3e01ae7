/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "validate/code_rules.h"

#include <stdlib.h>

static struct arena arena;

static int begin(void **state) {
	(void)state;
	arena_init(&arena, NULL, 0, 0);
	return 0;
}

static int end(void **state) {
	(void)state;
	arena_finish(&arena);
	return 0;
}

static struct code_rules read(const char *json) {
	struct code_rules rules;
	struct fault why = {0};
	assert_true(code_rules_read(slice_of(json), &arena, &rules, &why));
	return rules;
}

static void check_refused(const char *json, const char *text) {
	struct code_rules rules = {.max_size = 7};
	struct fault why = {0};
	assert_false(code_rules_read(slice_of(json), &arena, &rules, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	assert_string_equal(why.text, text);
	assert_int_equal(rules.max_size, 7); /* untouched */
}

static void all_members_are_read(void **state) {
	struct code_rules rules = read("{\"level\":\"readonly\",\"language\":\"TypeScript\",\"argument\":\"b\\u006fdy\","
				       "\"max_code_size_bytes\":500,\"blocked_imports\":[\"a\",\" b \"],"
				       "\"blocked_patterns\":[\"x(\"],\"allowed_imports\":[],\"later\":1}");
	(void)state;
	assert_int_equal(rules.level, CODE_READONLY);
	assert_int_equal(rules.language, CODE_JAVASCRIPT);
	check_slice(rules.argument, "body");
	assert_int_equal(code_rules_max_size(&rules), 500);
	assert_int_equal(rules.blocked_imports.count, 2);
	check_slice(rules.blocked_imports.items[1], "b");
	assert_int_equal(rules.blocked_patterns.count, 1);
	assert_true(rules.has_allowed);
	assert_int_equal(rules.allowed_imports.count, 0);
}

static void what_is_missing_is_standard(void **state) {
	struct code_rules rules = read("{\"allowed_imports\":null}");
	(void)state;
	assert_int_equal(rules.level, CODE_STANDARD);
	assert_int_equal(rules.language, CODE_UNSAID);
	assert_false(rules.has_allowed);
	assert_int_equal(code_rules_max_size(&rules), 64 * 1024);
}

static void what_is_wrong_is_named(void **state) {
	AUTO_TEXT struct text many = {0};
	(void)state;
	check_refused("[]", "code_safety has to be an object");
	check_refused("{\"level\":\"none\"}",
		"code_safety.level has to be unrestricted, standard, strict or readonly");
	check_refused("{\"level\":\"strict\",\"level\":\"standard\"}", "code_safety.level has to be there once");
	check_refused("{\"language\":\"\"}", "code_safety.language has to be the name of a language");
	check_refused("{\"max_code_size_bytes\":0}",
		"code_safety.max_code_size_bytes has to be a whole number of octets from 1");
	check_refused("{\"blocked_imports\":\"os\"}",
		"code_safety.blocked_imports has to be an array of at most 128 strings");
	check_refused("{\"blocked_patterns\":[\"  \"]}",
		"code_safety.blocked_patterns has to be an array of strings that are not empty");
	check_refused("{\"allowed_imports\":[1]}",
		"code_safety.allowed_imports has to be an array of strings of at most 128 octets");
	text_init(&many, 0);
	text_add_cstr(&many, "{\"blocked_imports\":[\"a\"");
	for (int i = 0; i < CODE_LIST - 1; i++) text_add_cstr(&many, ",\"a\"");
	text_add_cstr(&many, "]}");
	assert_int_equal(read(many.bytes).blocked_imports.count, CODE_LIST);
	many.length -= 2;
	text_add_cstr(&many, ",\"a\"]}");
	check_refused(many.bytes, "code_safety.blocked_imports has to be an array of at most 128 strings");
}

static void the_stricter_of_two_holds(void **state) {
	struct code_rules rules = read("{\"level\":\"standard\",\"max_code_size_bytes\":100,\"blocked_imports\":[\"a\"],"
				       "\"allowed_imports\":[\"x\",\"y\"],\"language\":\"python\"}");
	struct code_rules more = read("{\"level\":\"strict\",\"max_code_size_bytes\":200,"
				      "\"blocked_imports\":[\"a\",\"b\"],\"allowed_imports\":[\"y\",\"z\"]}");
	struct code_rules plain = read("{}");
	(void)state;
	assert_true(code_rules_join(&rules, &more, &arena, NULL));
	assert_int_equal(rules.level, CODE_STRICT);
	assert_int_equal(rules.max_size, 100);
	assert_int_equal(rules.language, CODE_PYTHON);
	assert_int_equal(rules.blocked_imports.count, 2);
	assert_int_equal(rules.allowed_imports.count, 1);
	check_slice(rules.allowed_imports.items[0], "y");
	assert_true(code_rules_join(&plain, &rules, &arena, NULL));
	assert_true(plain.has_allowed);
	assert_int_equal(plain.level, CODE_STRICT);
}

static void languages_have_several_names(void **state) {
	(void)state;
	assert_int_equal(code_language_read(SLICE("Python3")), CODE_PYTHON);
	assert_int_equal(code_language_read(SLICE("node.js")), CODE_JAVASCRIPT);
	assert_int_equal(code_language_read(SLICE("BASH")), CODE_SHELL);
	assert_int_equal(code_language_read(SLICE("cobol")), CODE_OTHER);
	assert_string_equal(code_language_word(CODE_SHELL), "shell");
	assert_string_equal(code_level_word(CODE_STRICT), "strict");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_members_are_read, begin, end),
		cmocka_unit_test_setup_teardown(what_is_missing_is_standard, begin, end),
		cmocka_unit_test_setup_teardown(what_is_wrong_is_named, begin, end),
		cmocka_unit_test_setup_teardown(the_stricter_of_two_holds, begin, end),
		cmocka_unit_test(languages_have_several_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
