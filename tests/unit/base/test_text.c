/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "failing_malloc.h"

#include "base/text.c"

static void a_builder_grows_as_it_is_written(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	check_text(&text, "");
	for (int i = 0; i < 1000; i++) {
		text_add(&text, SLICE("ab"));
		text_add_char(&text, ' ');
		assert_int_equal(strlen(text.bytes), text.length);
	}
	assert_int_equal(text.length, 3000);
	text_clear(&text);
	check_text(&text, "");
	text_add_cstr(&text, "again");
	text_add(&text, SLICE_NONE);
	check_text(&text, "again");
}

static void what_was_reserved_is_written_without_more_memory(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 2000);
	text_add_cstr(&text, "x");
	text_reserve(&text, 1000);
	check_text(&text, "x");
	const char *bytes = text.bytes;
	for (int i = 0; i < 1000; i++) text_add_char(&text, 'y');
	assert_ptr_equal(text.bytes, bytes);
	assert_int_equal(text.length, 1001);
	text_reserve(&text, 1000);
	assert_true(text_failed(&text));
}

static void a_builder_of_zeros_is_a_fresh_one(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	text_add_cstr(&text, "x");
	check_text(&text, "x");
}

static void a_limit_fails_once_and_for_all(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 5);
	text_add_cstr(&text, "12345");
	check_text(&text, "12345");
	text_add_cstr(&text, "");
	check_text(&text, "12345");
	text_add_char(&text, '6');
	assert_true(text_failed(&text));
	text_clear(&text);
	text_add_cstr(&text, "123");
	text_printf(&text, "%s", "456");
	assert_true(text_failed(&text));
	text_add_cstr(&text, "4");
	check_slice(text_slice(&text), "123"); /* nothing goes in once it failed */
	assert_null(text_take(&text));
	assert_null(text.bytes);
	assert_false(text_failed(&text));
}

static void printf_writes_any_length(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_printf(&text, "%s", "");
	check_text(&text, "");
	for (int width = 1; width < 300; width++) {
		size_t before = text.length;
		text_printf(&text, "%*d|", width, 7);
		assert_int_equal(text.length - before, (size_t)width + 1);
		assert_int_equal(text.bytes[text.length - 1], '|');
		assert_int_equal(text.bytes[text.length - 2], '7');
		assert_int_equal(strlen(text.bytes), text.length);
	}
}

static void numbers_of_every_size_are_written(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_number(&text, 0);
	text_add_char(&text, ' ');
	text_number(&text, -7);
	text_add_char(&text, ' ');
	text_number(&text, INT64_MAX);
	text_add_char(&text, ' ');
	text_number(&text, INT64_MIN);
	check_text(&text, "0 -7 9223372036854775807 -9223372036854775808");
}

static void json_strings_are_escaped(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_json(&text, slice_make("a\"b\\c\n\r\t\b\f\0\x1f\x7f/", 14));
	check_text(&text, "\"a\\\"b\\\\c\\n\\r\\t\\b\\f\\u0000\\u001f\x7f/\"");
	text_clear(&text);
	text_json(&text, SLICE("\xc3\xa9 \xf0\x9f\x98\x80"));
	check_text(&text, "\"\xc3\xa9 \xf0\x9f\x98\x80\"");
	text_clear(&text);
	text_json(&text, SLICE("a\xff\xc3(\xed\xa0\x80"));
	check_text(&text, "\"a\xef\xbf\xbd\xef\xbf\xbd(\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
	text_clear(&text);
	text_json(&text, SLICE_NONE);
	check_text(&text, "\"\"");
}

static void people_see_what_is_there(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_display(&text, SLICE("a\x1b[31m\n\xff\xc3\xa9"));
	check_text(&text, "a\\x1b[31m\\x0a\\xff\xc3\xa9");
	text_clear(&text);
	text_display(&text, SLICE("x\xe2\x80\xae"
				  "fdp.exe\xc2\x85\xf3\xa0\x81\x81y"));
	check_text(&text, "xfdp.exey");
}

static void a_display_fits_its_array(void **state) {
	(void)state;
	char shown[8];
	assert_int_equal(text_display_in(shown, sizeof(shown), SLICE("abcdefgh")), 7);
	assert_string_equal(shown, "abcdefg");
	assert_int_equal(text_display_in(shown, sizeof(shown), SLICE("abcdef\xc3\xa9")), 6);
	assert_string_equal(shown, "abcdef");
	assert_int_equal(text_display_in(shown, sizeof(shown), SLICE("abcd\n")), 4);
	assert_string_equal(shown, "abcd");
	assert_int_equal(text_display_in(shown, 1, SLICE("a")), 0);
	assert_string_equal(shown, "");
}

static void taken_bytes_leave_an_empty_builder(void **state) {
	(void)state;
	struct text text;
	text_init(&text, 10);
	AUTO_FREE char *empty = text_take(&text);
	assert_string_equal(empty, "");
	text_add_cstr(&text, "abc");
	AUTO_FREE char *taken = text_take(&text);
	assert_string_equal(taken, "abc");
	assert_int_equal(text.length, 0);
	assert_int_equal(text.limit, 10);
	assert_null(text.bytes);
}

/* Whatever call runs out of memory, the builder says so and holds whole pieces only. */
static void no_memory_fails_whole_pieces(void **state) {
	(void)state;
	for (int call = 1; call < 6; call++) {
		AUTO_TEXT struct text text = {0};
		text_init(&text, 0);
		malloc_fails_at(call);
		for (int i = 0; i < 200; i++) text_printf(&text, "%07d\n", i);
		text_json(&text, SLICE("abc\n"));
		malloc_fails_at(0);
		assert_true(text_failed(&text));
		assert_int_equal(text.length % 8, 0);
		assert_int_equal(text.bytes ? strlen(text.bytes) : 0, text.length);
		assert_null(text_take(&text));
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_builder_grows_as_it_is_written),
		cmocka_unit_test(what_was_reserved_is_written_without_more_memory),
		cmocka_unit_test(a_builder_of_zeros_is_a_fresh_one),
		cmocka_unit_test(a_limit_fails_once_and_for_all),
		cmocka_unit_test(printf_writes_any_length),
		cmocka_unit_test(numbers_of_every_size_are_written),
		cmocka_unit_test(json_strings_are_escaped),
		cmocka_unit_test(people_see_what_is_there),
		cmocka_unit_test(a_display_fits_its_array),
		cmocka_unit_test(taken_bytes_leave_an_empty_builder),
		cmocka_unit_test(no_memory_fails_whole_pieces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
