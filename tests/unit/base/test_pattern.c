/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "base/pattern.h"

#include <stdio.h>

static enum pattern_answer answer(const char *expression, struct slice text) {
	struct fault why = {0};
	uint64_t steps = 100000;
	AUTO(pattern) pattern = pattern_read(slice_of(expression), &why);
	if (!pattern) print_error("%s: %s\n", expression, why.text);
	assert_non_null(pattern);
	return pattern_match(pattern, text, &steps);
}

static bool matches(const char *expression, const char *text) {
	return answer(expression, slice_of(text)) == PATTERN_MATCHES;
}

static void it_is_sought_anywhere_unless_it_is_anchored(void **state) {
	(void)state;
	assert_true(matches("b", "abc"));
	assert_false(matches("^b", "abc"));
	assert_true(matches("", ""));
	assert_true(matches("^.$", "\xf0\x9f\x98\x80"));
	assert_int_equal(answer("a.c", slice_make("xa\0c", 4)), PATTERN_MATCHES);
}

static void what_ecmascript_means_is_meant(void **state) {
	(void)state;
	assert_false(matches("^a$", "a\n"));
	assert_true(matches("^\\s$", "\xc2\xa0"));
	assert_true(matches("^[\\s]$", "\xef\xbb\xbf"));
	assert_false(matches("^\\S$", "\xe2\x80\xa8"));
	assert_false(matches("^\\d$", "\xdf\x80")); /* a digit of another script */
	assert_false(matches("^\\w$", "\xc3\xa9"));
	assert_true(matches("^\\v$", "\x0b"));
	assert_false(matches("^\\v$", "\n"));
	assert_true(matches("^\\cA\\x41\\u0042\\u{1F600}$", "\x01"
							    "AB\xf0\x9f\x98\x80"));
	assert_true(matches("^\\p{Lowercase_Letter}\\P{gc=Letter}\\p{Lu}$", "a1B"));
	assert_true(matches("^[^]$", "\n"));
	assert_false(matches("[]", "a"));
	assert_true(matches("^[[:alpha:]]$", "[]"));
	assert_true(matches("^(?<n>a|b)\\k<n>$", "bb"));
	assert_true(matches("(?<=a)b(?!c)", "abd"));
}

static void refused(const char *expression, enum fault_code code) {
	struct fault why = {0};
	assert_null(pattern_read(slice_of(expression), &why));
	assert_int_equal(why.code, code);
	assert_true(why.text[0]);
}

static void what_is_none_or_too_much_is_refused(void **state) {
	char text[PATTERN_OCTETS + 2];
	(void)state;
	refused("(a", FAULT_BAD_INPUT);
	refused("a\\", FAULT_BAD_INPUT);
	refused("[b-a]", FAULT_BAD_INPUT);
	refused("\\C", FAULT_BAD_INPUT);
	refused("(*LIMIT_MATCH=1)a", FAULT_BAD_INPUT);
	refused("\xff", FAULT_BAD_INPUT);
	refused("((a{9999}){9999}){9999}", FAULT_TOO_LARGE);
	memset(text, '(', sizeof text);
	memset(text + PATTERN_NESTING + 1, ')', PATTERN_NESTING + 1);
	text[2 * PATTERN_NESTING + 2] = '\0';
	refused(text, FAULT_TOO_LARGE);
	memset(text, 'a', sizeof text);
	text[PATTERN_OCTETS + 1] = '\0';
	refused(text, FAULT_TOO_LARGE);
	text[PATTERN_OCTETS] = '\0';
	assert_true(matches(text, text));
}

static void a_search_ends_with_its_steps(void **state) {
	struct fault why;
	uint64_t steps = 10000;
	(void)state;
	AUTO(pattern) pattern = pattern_read(SLICE("^(a+)+$"), &why);
	assert_non_null(pattern);
	assert_int_equal(pattern_match(pattern, SLICE("aaaa"), &steps), PATTERN_MATCHES);
	assert_true(steps < 10000 && steps > 9900);
	assert_int_equal(pattern_match(pattern, SLICE("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"), &steps),
		PATTERN_GIVES_UP);
	assert_int_equal(steps, 0);
	assert_int_equal(pattern_match(pattern, SLICE("a"), &steps), PATTERN_GIVES_UP);
}

static void a_search_ends_with_its_memory(void **state) {
	struct fault why;
	uint64_t steps = UINT64_MAX;
	AUTO_TEXT struct text text = {0};
	(void)state;
	text_init(&text, 0);
	for (int i = 0; i < 500000; i++) text_add_char(&text, 'a');
	AUTO(pattern) pattern = pattern_read(SLICE("^(a|b)*$"), &why);
	assert_non_null(pattern);
	assert_int_equal(pattern_match(pattern, text_slice(&text), &steps), PATTERN_GIVES_UP);
	text.length = 1000;
	assert_int_equal(pattern_match(pattern, text_slice(&text), &steps), PATTERN_MATCHES);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_sought_anywhere_unless_it_is_anchored),
		cmocka_unit_test(what_ecmascript_means_is_meant),
		cmocka_unit_test(what_is_none_or_too_much_is_refused),
		cmocka_unit_test(a_search_ends_with_its_steps),
		cmocka_unit_test(a_search_ends_with_its_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
