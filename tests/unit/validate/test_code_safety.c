/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "validate/code_safety.h"

#include <stdio.h>
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

static struct code_rules rules_of(const char *json) {
	struct code_rules rules;
	struct fault why = {0};
	bool is_read = code_rules_read(slice_of(json), &arena, &rules, &why);
	if (!is_read) print_error("%s\n", why.text);
	assert_true(is_read);
	return rules;
}

static struct code_verdict verdict_of(const struct code_rules *rules, const char *arguments) {
	struct code_verdict verdict;
	struct fault why = {0};
	assert_true(code_safety_check(rules, slice_of(arguments), &arena, &verdict, &why));
	return verdict;
}

static bool has(const struct code_verdict *verdict, const char *violation) {
	for (size_t i = 0; i < verdict->violations.count; i++)
		if (slice_is(verdict->violations.items[i], violation)) return true;
	return false;
}

static void check_violation(const char *rules_json, const char *arguments, const char *violation) {
	struct code_rules rules = rules_of(rules_json);
	struct code_verdict verdict = verdict_of(&rules, arguments);
	bool is_there = violation ? has(&verdict, violation) : !verdict.is_rejected;
	for (size_t i = 0; i < verdict.violations.count && !is_there; i++)
		print_error("%s: %.*s\n", arguments, SLICE_ARGS(verdict.violations.items[i]));
	assert_true(is_there);
}

/* MGP 7.3 and 7.4. */
static void the_example_of_the_specification_is_rejected_in_its_form(void **state) {
	AUTO_TEXT struct text written = {0};
	struct code_rules rules =
		rules_of("{\"level\":\"standard\",\"language\":\"python\",\"max_code_size_bytes\":10000,"
			 "\"blocked_imports\":[\"subprocess\",\"shutil\"],\"blocked_patterns\":[\"eval(\",\"exec(\"],"
			 "\"allowed_imports\":[\"asyncio\",\"json\",\"httpx\"]}");
	struct code_verdict verdict = verdict_of(&rules, "{\"code\":\"import subprocess\\neval('1')\"}");
	(void)state;
	text_init(&written, 0);
	code_safety_write_rejection(&written, &verdict);
	check_text(&written,
		"{\"status\":\"rejected\",\"reason\":\"Code validation failed\",\"violations\":["
		"\"Blocked import: 'subprocess'\",\"Blocked pattern: 'eval('\"],\"hints\":{"
		"\"blocked_imports\":[\"subprocess\",\"shutil\"],\"allowed_imports\":[\"asyncio\",\"json\",\"httpx\"],"
		"\"max_code_size_bytes\":10000}}");
}

static void the_argument_with_the_code_is_found(void **state) {
	const char *python = "{\"language\":\"python\"}", *body = "{\"language\":\"python\",\"argument\":\"body\"}";
	const char *import = "Blocked import: 'socket'";
	(void)state;
	check_violation(python, "{\"code\":\"import socket\"}", import);
	check_violation(python, "{\"source\":\"import socket\",\"title\":\"x\"}", import);
	check_violation(python, "{\"code\":\"x = 1\",\"script\":\"import socket\"}", import);
	check_violation(python, "{\"c\\u006fde\":\"import s\\u006fcket\"}", import);
	check_violation(python, "{\"code\":[\"x = 1\",\"import socket\"]}", import);
	check_violation(python, "{\"steps\":[{\"text\":\"import socket\"}]}", import);
	check_violation(python, "{\"code\":\"x = 1\",\"note\":\"import socket\"}", NULL);
	check_violation(body, "{\"body\":\"import socket\"}", import);
	check_violation(body, "{\"code\":\"import socket\",\"body\":\"x = 1\"}", NULL);
	check_violation(body, "{}", NULL);
	check_violation(python, "", NULL);
}

static void the_language_is_the_rules_or_said_or_guessed(void **state) {
	const char *none = "{}", *strict = "{\"level\":\"strict\"}";
	(void)state;
	check_violation(none, "{\"language\":\"bash\",\"code\":\"sudo id\"}", "Blocked import: 'sudo'");
	check_violation(none, "{\"lang\":\"JS\",\"code\":\"require('net')\"}", "Blocked import: 'net'");
	check_violation(none, "{\"language\":\"cobol\",\"code\":\"import socket\"}", "Blocked import: 'socket'");
	check_violation(none, "{\"code\":\"echo a; sudo id\"}", "Blocked import: 'sudo'");
	check_violation(none, "{\"code\":\"const n = require('net');\"}", "Blocked import: 'net'");
	check_violation("{\"language\":\"python\"}", "{\"language\":\"bash\",\"code\":\"import socket\"}",
		"Blocked import: 'socket'");
	check_violation("{\"language\":\"cobol\",\"blocked_patterns\":[\"STOP RUN\"]}",
		"{\"code\":\"stop. STOP  RUN.\"}", "Blocked pattern: 'STOP RUN'");
	check_violation("{\"language\":\"cobol\"}", "{\"code\":\"DISPLAY 'x'.\"}", NULL);
	check_violation("{\"language\":\"cobol\",\"level\":\"strict\"}", "{\"code\":\"DISPLAY 'x'.\"}",
		"Unknown language: only python, javascript and shell can be checked at this level");
	check_violation(strict, "{\"code\":\"f(x)\"}",
		"Unknown language: say python, javascript or shell in `language`");
	check_violation(strict, "{\"code\":\"from math import pi\\nprint(pi)\"}", NULL);
}

static void names_of_the_rules_add_to_those_of_the_house(void **state) {
	const char *own = "{\"language\":\"python\",\"blocked_imports\":[\"requests\"],"
			  "\"blocked_patterns\":[\"print(\",\"os.getcwd\",\".send(\",\"while True\",\"open('/etc\"]}";
	(void)state;
	check_violation(own, "{\"code\":\"import requests.adapters\"}", "Blocked import: 'requests'");
	check_violation(own, "{\"code\":\"import socket\"}", "Blocked import: 'socket'");
	check_violation(own, "{\"code\":\"print (1)\"}", "Blocked pattern: 'print('");
	check_violation(own, "{\"code\":\"import os as o\\no.getcwd()\"}", "Blocked pattern: 'os.getcwd'");
	check_violation(own, "{\"code\":\"x.y.send(1)\"}", "Blocked pattern: '.send('");
	check_violation(own, "{\"code\":\"while  True: pass\"}", "Blocked pattern: 'while True'");
	check_violation(own, "{\"code\":\"open('/etc/x')\"}", "Blocked pattern: 'open('/etc'");
	check_violation(own, "{\"code\":\"x.print(1); send(1); meanwhile = True # while True\"}", NULL);
	check_violation(own, "{\"code\":\"s = 'while True'\"}", NULL);
}

static void allowed_names_are_taken_out_but_not_under_a_floor(void **state) {
	struct code_rules rules = rules_of("{\"language\":\"python\",\"allowed_imports\":[\"socket\",\"ctypes\"],"
					   "\"blocked_imports\":[\"ctypes\"]}");
	(void)state;
	assert_false(verdict_of(&rules, "{\"code\":\"import socket\"}").is_rejected);
	assert_true(verdict_of(&rules, "{\"code\":\"import ctypes\"}").is_rejected);
	code_rules_floor(&rules);
	assert_true(verdict_of(&rules, "{\"code\":\"import socket\"}").is_rejected);
}

static void levels_are_one_inside_the_other(void **state) {
	static const char *const codes[] = {"eval('1')", "import requests", "open('x', 'w')", "import json"};
	static const unsigned passed[] = {4, 3, 1, 1};
	(void)state;
	for (unsigned level = 0; level < CODE_LEVELS; level++) {
		struct code_rules rules;
		unsigned count = 0;
		code_rules_init(&rules);
		rules.level = level;
		for (size_t i = 0; i < COUNT_OF(codes); i++) {
			struct code_verdict verdict;
			assert_true(code_safety_check_code(&rules, slice_of(codes[i]), CODE_PYTHON, &arena, &verdict, NULL));
			count += !verdict.is_rejected;
		}
		assert_int_equal(count, level == CODE_STRICT ? 2 : passed[level]);
	}
}

static void a_floor_is_at_least_standard(void **state) {
	struct code_rules rules = rules_of("{\"level\":\"unrestricted\"}");
	(void)state;
	assert_false(verdict_of(&rules, "{\"code\":\"eval(1)\"}").is_rejected);
	code_rules_floor(&rules);
	assert_int_equal(rules.level, CODE_STANDARD);
	assert_true(verdict_of(&rules, "{\"code\":\"eval(1)\"}").is_rejected);
}

static void what_is_too_large_is_not_read(void **state) {
	struct code_rules rules = rules_of("{\"language\":\"python\",\"max_code_size_bytes\":10}");
	struct code_verdict verdict = verdict_of(&rules, "{\"code\":\"x = 111111\"}");
	(void)state;
	assert_false(verdict.is_rejected);
	verdict = verdict_of(&rules, "{\"code\":\"x = 1111111\"}");
	assert_true(has(&verdict, "Code too large: over 10 octets (max_code_size_bytes)"));
	assert_int_equal(verdict.max_size, 10);
	rules = rules_of("{\"max_code_size_bytes\":999999999}");
	assert_int_equal(code_rules_max_size(&rules), CODE_OCTETS);
}

static void hidden_characters_are_refused(void **state) {
	const char *python = "{\"language\":\"python\"}";
	(void)state;
	check_violation(python, "{\"code\":\"x = 1\\ny = '\\u202e'\"}", "Hidden character: U+202E, at line 2");
	check_violation(python, "{\"code\":\"x = '\\u0000'\"}", "Hidden character: U+0000, at line 1");
	check_violation(python, "{\"code\":\"x = 'gr\\u00fc\\u00df \\ud83d\\udc69\\u200d\\ud83d\\udc69'\"}", NULL);
}

static void what_cannot_be_read_is_refused(void **state) {
	(void)state;
	check_violation("{\"language\":\"python\"}", "{\"code\":\"x = 'a\\n\"}",
		"Unreadable code: a string without an end, at line 1");
	check_violation("{\"language\":\"javascript\"}", "{\"code\":\"x = `a\"}",
		"Unreadable code: a template without an end, at line 1");
	check_violation("{\"language\":\"javascript\"}", "{\"code\":\"function f() {} /'/; g() //'\"}",
		"Unreadable code: a slash that may divide or begin a regular expression, at line 1");
	check_violation("{\"language\":\"shell\"}", "{\"code\":\"echo $(a\"}",
		"Unreadable code: a substitution without an end, at line 1");
}

static void nesting_is_bounded(void **state) {
	char code[512];
	struct code_rules rules;
	struct code_verdict verdict;
	(void)state;
	code_rules_init(&rules);
	memset(code, '[', 101);
	assert_true(code_safety_check_code(&rules, slice_make(code, 101), CODE_PYTHON, &arena, &verdict, NULL));
	assert_true(has(&verdict, "Unreadable code: brackets are nested too deep, at line 1"));
	assert_true(code_safety_check_code(&rules, slice_make(code, 100), CODE_PYTHON, &arena, &verdict, NULL));
	assert_false(verdict.is_rejected);
	size_t length = 0;
	for (int i = 0; i < 14; i++) length += (size_t)snprintf(code + length, sizeof code - length, "echo $(");
	length += (size_t)snprintf(code + length, sizeof code - length, "ls))))))))))))))");
	assert_true(code_safety_check_code(&rules, slice_make(code, length), CODE_SHELL, &arena, &verdict, NULL));
	assert_true(has(&verdict, "Unreadable code: there is too much code within code"));
}

static void many_violations_are_told_of_in_part(void **state) {
	AUTO_TEXT struct text code = {0};
	struct code_rules rules = rules_of("{\"level\":\"strict\",\"language\":\"python\"}");
	struct code_verdict verdict;
	(void)state;
	text_init(&code, 0);
	for (int i = 0; i < 100; i++) text_printf(&code, "import m%d\n", i);
	assert_true(code_safety_check_code(&rules, text_slice(&code), CODE_PYTHON, &arena, &verdict, NULL));
	assert_int_equal(verdict.violations.count, CODE_VIOLATIONS);
	assert_int_equal(verdict.violations_found, 100);
}

static void hints_name_what_was_met(void **state) {
	struct code_rules rules = rules_of("{\"language\":\"python\",\"blocked_imports\":[\"requests\"]}");
	struct code_verdict verdict = verdict_of(&rules, "{\"code\":\"import socket, subprocess, requests\"}");
	(void)state;
	assert_int_equal(verdict.hint_blocked.count, 3);
	check_slice(verdict.hint_blocked.items[0], "requests");
	check_slice(verdict.hint_blocked.items[1], "socket");
	assert_true(verdict.hint_allowed.count > 10);
}

static void nothing_is_taken_where_nothing_is_found(void **state) {
	struct code_rules rules;
	struct arena none;
	struct code_verdict verdict;
	(void)state;
	code_rules_init(&rules);
	arena_init(&none, NULL, 0, 0);
	assert_true(code_safety_check(&rules, SLICE("{\"code\":\"x = 1\"}"), &none, &verdict, NULL));
	assert_false(verdict.is_rejected);
	assert_int_equal(none.taken, 0);
	arena_finish(&none);
}

static void no_memory_is_a_fault(void **state) {
	struct code_rules rules;
	struct arena small;
	struct code_verdict verdict;
	struct fault why = {0};
	(void)state;
	code_rules_init(&rules);
	arena_init(&small, NULL, 0, 1);
	assert_false(code_safety_check(&rules, SLICE("{\"code\":\"eval(1)\"}"), &small, &verdict, &why));
	assert_int_equal(why.code, FAULT_NO_MEMORY);
	arena_finish(&small);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_example_of_the_specification_is_rejected_in_its_form, begin, end),
		cmocka_unit_test_setup_teardown(the_argument_with_the_code_is_found, begin, end),
		cmocka_unit_test_setup_teardown(the_language_is_the_rules_or_said_or_guessed, begin, end),
		cmocka_unit_test_setup_teardown(names_of_the_rules_add_to_those_of_the_house, begin, end),
		cmocka_unit_test_setup_teardown(allowed_names_are_taken_out_but_not_under_a_floor, begin, end),
		cmocka_unit_test_setup_teardown(levels_are_one_inside_the_other, begin, end),
		cmocka_unit_test_setup_teardown(a_floor_is_at_least_standard, begin, end),
		cmocka_unit_test_setup_teardown(what_is_too_large_is_not_read, begin, end),
		cmocka_unit_test_setup_teardown(hidden_characters_are_refused, begin, end),
		cmocka_unit_test_setup_teardown(what_cannot_be_read_is_refused, begin, end),
		cmocka_unit_test_setup_teardown(nesting_is_bounded, begin, end),
		cmocka_unit_test_setup_teardown(many_violations_are_told_of_in_part, begin, end),
		cmocka_unit_test_setup_teardown(hints_name_what_was_met, begin, end),
		cmocka_unit_test_setup_teardown(nothing_is_taken_where_nothing_is_found, begin, end),
		cmocka_unit_test_setup_teardown(no_memory_is_a_fault, begin, end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
