/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "failing_malloc.h"

#include "base/slice.c"

static void case_is_ignored_in_ascii_only(void **state) {
	(void)state;
	assert_true(slice_equal_ignoring_case(SLICE("Content-Length"), SLICE("content-LENGTH")));
	assert_false(slice_equal_ignoring_case(SLICE("a"), SLICE("ab")));
	assert_false(slice_equal_ignoring_case(SLICE("["), SLICE("{"))); /* 32 apart, no letters */
	assert_false(slice_equal_ignoring_case(SLICE("\xc3\x89"), SLICE("\xc3\xa9")));
	assert_true(slice_equal_ignoring_case(SLICE_NONE, SLICE("")));
}

static void prefixes_are_whole(void **state) {
	(void)state;
	assert_true(slice_starts_with(SLICE("system:gateway"), "system:"));
	assert_false(slice_starts_with(SLICE("system"), "system:"));
	assert_true(slice_starts_with(SLICE_NONE, ""));
	assert_false(slice_starts_with(SLICE_NONE, "a"));
}

static void blanks_are_trimmed_at_both_ends(void **state) {
	(void)state;
	check_slice(slice_trim(SLICE(" \t a b\t ")), "a b");
	check_slice(slice_trim(SLICE(" \t ")), "");
	check_slice(slice_trim(SLICE("a\n")), "a\n");
	check_slice(slice_trim(SLICE_NONE), "");
}

static void a_split_gives_every_part_empty_ones_too(void **state) {
	(void)state;
	struct slice rest = SLICE("a,,b,"), part;
	assert_true(slice_split(&rest, ',', &part));
	check_slice(part, "a");
	check_slice(rest, ",b,");
	assert_true(slice_split(&rest, ',', &part));
	check_slice(part, "");
	assert_true(slice_split(&rest, ',', &part));
	check_slice(part, "b");
	assert_true(slice_split(&rest, ',', &part));
	check_slice(part, "");
	assert_false(slice_split(&rest, ',', &part));

	rest = SLICE("");
	assert_true(slice_split(&rest, ',', &part));
	check_slice(part, "");
	assert_false(slice_split(&rest, ',', &part));
	rest = SLICE_NONE;
	assert_false(slice_split(&rest, ',', &part));
}

static void numbers_are_digits_within_their_limit(void **state) {
	(void)state;
	uint64_t number = 77;
	assert_true(slice_number(SLICE("0"), 0, &number));
	assert_int_equal(number, 0);
	assert_true(slice_number(SLICE("007"), 7, &number));
	assert_int_equal(number, 7);
	assert_true(slice_number(SLICE("18446744073709551615"), UINT64_MAX, &number));
	assert_true(number == UINT64_MAX);

	number = 77;
	static const char *const refused[] = {"", "-1", "+1", " 1", "1 ", "1.0", "0x1", "101", "1000",
		"18446744073709551616", "99999999999999999999999"};
	for (size_t i = 0; i < COUNT_OF(refused); i++)
		assert_false(slice_number(slice_of(refused[i]), 100, &number));
	assert_false(slice_number(SLICE("18446744073709551616"), UINT64_MAX, &number));
	assert_false(slice_number(SLICE("1"), 0, &number));
	assert_int_equal(number, 77);
}

static void characters_are_read_as_unicode_has_them(void **state) {
	(void)state;
	static const struct {
		const char *text;
		size_t length;
		uint32_t character;
	} cases[] = {
		{"a", 1, 'a'},
		{"\xc2\x80", 2, 0x80},
		{"\xdf\xbf", 2, 0x7ff},
		{"\xe0\xa0\x80", 3, 0x800},
		{"\xed\x9f\xbf", 3, 0xd7ff},
		{"\xee\x80\x80", 3, 0xe000},
		{"\xf0\x90\x80\x80", 4, 0x10000},
		{"\xf4\x8f\xbf\xbf", 4, 0x10ffff},
		{"\x80", 0, 0}, /* a continuation alone */
		{"\xc3", 0, 0}, /* cut */
		{"\xc3(", 0, 0},
		{"\xc1\xbf", 0, 0}, /* longer than need be */
		{"\xe0\x9f\xbf", 0, 0},
		{"\xf0\x8f\xbf\xbf", 0, 0},
		{"\xed\xa0\x80", 0, 0},     /* a surrogate */
		{"\xf4\x90\x80\x80", 0, 0}, /* beyond Unicode */
		{"\xf8\x88\x80\x80", 0, 0},
		{"\xff", 0, 0},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		uint32_t character = 0;
		assert_int_equal(slice_character(slice_of(cases[i].text), &character), cases[i].length);
		assert_int_equal(character, cases[i].character);
	}
	assert_int_equal(slice_character(SLICE_NONE, &(uint32_t){0}), 0);
}

static void a_cut_never_splits_a_character(void **state) {
	(void)state;
	struct slice text = SLICE("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"
				  "b");
	static const size_t wanted[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
	for (size_t limit = 0; limit < COUNT_OF(wanted); limit++)
		assert_int_equal(slice_cut(text, limit), wanted[limit]);
	assert_int_equal(slice_cut(SLICE("\x80\x80\x80\x80\x80\x80\x80\x80"), 6), 6);
	assert_int_equal(slice_cut(SLICE("\x80\x80\x80"), 1), 1);
	assert_int_equal(slice_cut(SLICE_NONE, 5), 0);
}

static void hidden_characters_are_told_from_scripts(void **state) {
	(void)state;
	static const uint32_t hidden[] = {0, 0x1b, 0x7f, 0x85, 0x200b, 0x200f, 0x2028, 0x202e, 0x2066,
		0xfeff, 0xe0041};
	static const uint32_t shown[] = {' ', 'a', 0xa0, 0xe9, 0x200c, 0x200d, 0x4e00, 0x1f600};
	for (size_t i = 0; i < COUNT_OF(hidden); i++) assert_true(slice_character_is_hidden(hidden[i]));
	for (size_t i = 0; i < COUNT_OF(shown); i++) assert_false(slice_character_is_hidden(shown[i]));
}

static void a_copy_is_ended_or_refused(void **state) {
	(void)state;
	AUTO_FREE char *copy = slice_copy(slice_make("abcdef", 3));
	assert_string_equal(copy, "abc");
	AUTO_FREE char *empty = slice_copy(SLICE_NONE);
	assert_string_equal(empty, "");
	malloc_fails_at(1);
	assert_null(slice_copy(SLICE("abc")));
	malloc_fails_at(0);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(case_is_ignored_in_ascii_only),
		cmocka_unit_test(prefixes_are_whole),
		cmocka_unit_test(blanks_are_trimmed_at_both_ends),
		cmocka_unit_test(a_split_gives_every_part_empty_ones_too),
		cmocka_unit_test(numbers_are_digits_within_their_limit),
		cmocka_unit_test(characters_are_read_as_unicode_has_them),
		cmocka_unit_test(a_cut_never_splits_a_character),
		cmocka_unit_test(hidden_characters_are_told_from_scripts),
		cmocka_unit_test(a_copy_is_ended_or_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
