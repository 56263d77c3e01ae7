/* SPDX-License-Identifier: Apache-2.0 */
/* Look-ups over checked text, and that they stay inside it when it is not sound after all. */
#include "check.h"

#include "wire/scan.h"

#include <math.h>
#include <stdlib.h>

static char lent[4096];
static struct arena arena;

static int arena_begin(void **state) {
	(void)state;
	arena_init(&arena, lent, sizeof(lent), 0);
	return 0;
}

static int arena_end(void **state) {
	(void)state;
	arena_finish(&arena);
	return 0;
}

static struct scan_value value_of(const char *text) {
	struct scan_value value;
	if (!scan_check(slice_of(text), SCAN_DEPTH, &value, NULL)) fail_msg("no JSON: %s", text);
	return value;
}

/* ---- Walking ---- */

static void walk_note(struct text *text, const struct scan_value *container) {
	struct scan_walk walk;
	struct scan_member member;
	for (scan_open(&walk, container); scan_next(&walk, &member);) {
		assert_null(member.parent);
		if (member.key.bytes) text_printf(text, "%.*s%s=", SLICE_ARGS(member.key), member.key_escaped ? "!" : "");
		text_printf(text, "%.*s%s:%d ", SLICE_ARGS(member.value.text), member.value.escaped ? "!" : "",
			member.value.type);
	}
}

static void members_and_elements_come_in_order(void **state) {
	(void)state;
	static const struct {
		const char *text, *noted;
	} rows[] = {
		{"[]", ""},
		{"{}", ""},
		{"[ ]", ""},
		{"{ \n}", ""},
		{"[1]", "1:3 "},
		{"[ true , false,null ]", "true:2 false:2 null:1 "},
		{"[\"a,]\\\"\",\"b\"]", "\"a,]\\\"\"!:4 \"b\":4 "},
		{"[[1,[2]],{\"a\":[\"]\"]},-1.5e3]", "[1,[2]]:5 {\"a\":[\"]\"]}:6 -1.5e3:3 "},
		{"{\"a\":1,\"b\\n\" : \"x\" , \"\":{}}", "a=1:3 b\\n!=\"x\":4 ={}:6 "},
		{"{\"a string of many octets, all plain\":[\"another one of many octets \\\\\"]}",
			"a string of many octets, all plain=[\"another one of many octets \\\\\"]:5 "},
		{"7", ""},
		{"\"ab\"", ""},
		{"null", ""},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		AUTO_TEXT struct text text = {0};
		struct scan_value value = value_of(rows[i].text);
		text_init(&text, 0);
		walk_note(&text, &value);
		check_slice(text_slice(&text), rows[i].noted);
	}
}

static void elements_are_counted(void **state) {
	(void)state;
	struct scan_value value = value_of("[1,[2,3],{\"a\":4}, \"5,6\"]");
	assert_int_equal(scan_count(&value), 4);
	value = value_of("{\"a\":1,\"b\":{\"c\":2}}");
	assert_int_equal(scan_count(&value), 2);
	value = value_of("[]");
	assert_int_equal(scan_count(&value), 0);
	value = value_of("12");
	assert_int_equal(scan_count(&value), 0);
}

static void the_first_member_of_a_name_is_found(void **state) {
	(void)state;
	struct scan_value object = value_of("{\"a\":1,\"b\\u0063\":2,\"a\":3,\"bc\":4}");
	struct scan_value found;
	assert_true(scan_find(&object, "a", &found));
	check_slice(found.text, "1");
	assert_true(scan_find(&object, "bc", &found));
	check_slice(found.text, "2");
	found.type = SCAN_NONE;
	assert_false(scan_find(&object, "b", &found));
	assert_false(scan_find(&object, "", &found));
	struct scan_value array = value_of("[\"a\",1]");
	assert_false(scan_find(&array, "a", &found));
	assert_int_equal(found.type, SCAN_NONE);
}

static void a_path_leads_through_objects(void **state) {
	(void)state;
	struct scan_value root = value_of("{\"params\":{\"_meta\":{\"traceparent\":\"00\"},\"x\":[{\"y\":1}]}}");
	struct scan_value found = {.type = SCAN_NONE};
	assert_true(scan_path(&root, &found, "params", "_meta", "traceparent", NULL));
	check_slice(found.text, "\"00\"");
	assert_true(scan_path(&root, &found, NULL));
	assert_ptr_equal(found.text.bytes, root.text.bytes);
	found.type = SCAN_NONE;
	assert_false(scan_path(&root, &found, "params", "x", "y", NULL));
	assert_false(scan_path(&root, &found, "nothing", "_meta", NULL));
	assert_false(scan_path(&root, &found, "params", "_meta", "traceparent", "more", NULL));
	assert_int_equal(found.type, SCAN_NONE);
}

/* Walks whatever the octets are, in a block of exactly their size. */
static void walk_anything(const char *octets, size_t length, enum scan_type type) {
	char *copy = malloc(length ? length : 1);
	assert_non_null(copy);
	memcpy(copy, octets, length);
	struct scan_value value = {.text = slice_make(copy, length), .type = type};
	struct scan_value found;
	struct slice string;
	bool is_twice;
	assert_in_range(scan_count(&value), 0, length);
	(void)scan_find(&value, "name", &found);
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	scan_compact(&text, value.text);
	assert_in_range(text.length, 0, length);
	assert_true(scan_has_duplicates(value.text, &arena, &is_twice));
	value.type = SCAN_STRING;
	value.escaped = true;
	assert_int_equal(scan_string(&value, &arena, &string), length >= 2);
	struct scan_member member = {.key = value.text, .key_escaped = true};
	(void)scan_key_is(&member, "a name that is long enough for all of this");
	free(copy);
}

static void unsound_text_is_never_read_past(void **state) {
	(void)state;
	static const char *const texts[] = {
		"",
		"[",
		"{",
		"[]",
		"{\"}",
		"{\"a\"}",
		"{\"a\" }",
		"{\"a\":}",
		"[\"}",
		"[\"\\]",
		"[\"\\\"]",
		"[[[[]",
		"{\"a\":[1,2,{\"b\":\"c}",
		"{1}",
		"{,}",
		"[,,]",
		"[{\"a\"]",
		"]]]]",
		"}}}}",
		"\"\\u",
		"\"\\u12\"",
		"\"\\ud83d\"",
		"\"\\ud83d\\ude\"",
		"\"\\ud83d\\ude00\"",
		"\"\\\"",
		"\"\\q\"",
		"\"\\",
		"  ",
		"[1 2 3",
		"{\"a\":1 \"b\":2}",
		"{\"sixteen octets and no end of it",
	};
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		for (size_t length = 0; length <= strlen(texts[i]); length++) {
			walk_anything(texts[i], length, SCAN_ARRAY);
			walk_anything(texts[i], length, SCAN_OBJECT);
		}
}

/* ---- Strings ---- */

static void strings_are_read_with_their_escapes(void **state) {
	(void)state;
	static const struct {
		const char *text;
		struct slice plain;
	} rows[] = {
		{"\"\"", SLICE("")},
		{"\"a\"", SLICE("a")},
		{"\"\xe2\x82\xac\"", SLICE("\xe2\x82\xac")},
		{"\"\\\"\\\\\\/\"", SLICE("\"\\/")},
		{"\"\\b\\f\\n\\r\\t\"", SLICE("\b\f\n\r\t")},
		{"\"\\u0041\\u006a\\u006A\"", SLICE("Ajj")},
		{"\"\\u0000\"", SLICE("\0")},
		{"\"\\u007f\\u0080\"", SLICE("\x7f\xc2\x80")},
		{"\"\\u07ff\\u0800\"", SLICE("\xdf\xbf\xe0\xa0\x80")},
		{"\"\\uFFFF\"", SLICE("\xef\xbf\xbf")},
		{"\"\\ud83d\\ude00!\"", SLICE("\xf0\x9f\x98\x80!")},
		{"\"\\uD800\\uDC00\"", SLICE("\xf0\x90\x80\x80")},
		{"\"\\uDBFF\\uDFFF\"", SLICE("\xf4\x8f\xbf\xbf")},
		{"\"before\\tmiddle\\tbehind\"", SLICE("before\tmiddle\tbehind")},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct scan_value value = value_of(rows[i].text);
		struct slice plain;
		assert_true(scan_string(&value, &arena, &plain));
		assert_int_equal(plain.length, rows[i].plain.length);
		assert_memory_equal(plain.bytes, rows[i].plain.bytes, plain.length);
		if (!value.escaped) assert_ptr_equal(plain.bytes, value.text.bytes + 1);
	}
}

static void only_strings_are_read_as_strings(void **state) {
	(void)state;
	static const char *const texts[] = {"1", "null", "true", "[\"a\"]", "{\"a\":\"b\"}"};
	struct slice plain = SLICE("mine");
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct scan_value value = value_of(texts[i]);
		assert_false(scan_string(&value, &arena, &plain));
	}
	struct scan_value none = {.type = SCAN_NONE};
	assert_false(scan_string(&none, &arena, &plain));
	check_slice(plain, "mine");
}

static void a_string_without_memory_is_not_read(void **state) {
	(void)state;
	struct arena poor;
	char few[8];
	arena_init(&poor, few, sizeof(few), 1);
	struct scan_value value = value_of("\"much more than fits \\n\"");
	struct slice plain = SLICE("mine");
	assert_false(scan_string(&value, &poor, &plain));
	struct scan_member member = {.key = SLICE("as long as this is\\n"), .key_escaped = true};
	assert_false(scan_key(&member, &poor, &plain));
	check_slice(plain, "mine");
	bool is_twice;
	assert_false(scan_has_duplicates(SLICE("{\"a\":1,\"a\":1}"), &poor, &is_twice));
	value = value_of("{\"a\":1}");
	assert_false(scan_has_twins(&value, 1, &poor, &is_twice));
	arena_finish(&poor);
}

static void keys_are_compared_with_escapes_read(void **state) {
	(void)state;
	static const struct {
		const char *key, *name;
		bool is_same;
	} rows[] = {
		{"id", "id", true},
		{"id", "ID", false},
		{"id", "i", false},
		{"i", "id", false},
		{"", "", true},
		{"\\u0069d", "id", true},
		{"i\\u0064", "id", true},
		{"i\\u0044", "id", false},
		{"\\u0069", "id", false},
		{"\\u0069dx", "id", false},
		{"id\\u0000", "id", false},
		{"\\/", "/", true},
		{"\\ud83d\\ude00", "\xf0\x9f\x98\x80", true},
		{"\\u20ac", "\xe2\x82\xac", true},
		{"\\n", "n", false},
		{"\\t", "\t", true},
		{"\\u0000", "", false},
		{"\\u20ac", "\xe2", false},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct scan_member member = {
			.key = slice_of(rows[i].key), .key_escaped = strchr(rows[i].key, '\\') != NULL};
		assert_int_equal(scan_key_is(&member, rows[i].name), rows[i].is_same);
		struct slice key;
		assert_true(scan_key(&member, &arena, &key));
		assert_int_equal(slice_is(key, rows[i].name), rows[i].is_same);
	}
}

/* ---- Numbers ---- */

static void whole_numbers_are_read_to_their_limits(void **state) {
	(void)state;
	static const struct {
		const char *text;
		bool is_whole;
		int64_t integer;
	} rows[] = {
		{"0", true, 0},
		{"-0", true, 0},
		{"42", true, 42},
		{"-42", true, -42},
		{"9223372036854775807", true, INT64_MAX},
		{"9223372036854775808", false, 0},
		{"-9223372036854775808", true, INT64_MIN},
		{"-9223372036854775809", false, 0},
		{"99999999999999999999", false, 0},
		{"18446744073709551616", false, 0},
		{"1.0", true, 1},
		{"-7.000", true, -7},
		{"1e0", true, 1},
		{"1E+00", true, 1},
		{"1e-0", true, 1},
		{"3.00e000", true, 3},
		{"1.5", false, 0},
		{"1.01", false, 0},
		{"1e1", false, 0},
		{"1.0e1", false, 0},
		{"10e-1", false, 0},
		{"\"1\"", false, 0},
		{"true", false, 0},
		{"null", false, 0},
		{"[1]", false, 0},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct scan_value value = value_of(rows[i].text);
		int64_t integer = 77;
		assert_int_equal(scan_integer(&value, &integer), rows[i].is_whole);
		assert_int_equal(integer, rows[i].is_whole ? rows[i].integer : 77);
	}
}

static void numbers_are_read_as_the_nearest_double(void **state) {
	(void)state;
	static const struct {
		const char *text;
		bool is_number;
		double number;
	} rows[] = {
		{"0", true, 0},
		{"-1.5", true, -1.5},
		{"1e3", true, 1000},
		{"0.1", true, 0.1},
		{"1.7976931348623157e308", true, 1.7976931348623157e308},
		{"1e309", false, 0},
		{"-1e400", false, 0},
		{"1e-400", true, 0},
		{"5e-324", true, 5e-324},
		{"1.00000000000000000000000000000000000000000000000000000000000000000000000000000000001", true, 1},
		{"\"1\"", false, 0},
		{"null", false, 0},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct scan_value value = value_of(rows[i].text);
		double number = 77;
		assert_int_equal(scan_number(&value, &number), rows[i].is_number);
		assert_true(number == (rows[i].is_number ? rows[i].number : 77));
	}
	struct scan_value minus = value_of("-0.0");
	double number;
	assert_true(scan_number(&minus, &number));
	assert_true(signbit(number));
}

static void booleans_are_read(void **state) {
	(void)state;
	bool boolean = false;
	struct scan_value value = value_of("true");
	assert_true(scan_boolean(&value, &boolean));
	assert_true(boolean);
	value = value_of("false");
	assert_true(scan_boolean(&value, &boolean));
	assert_false(boolean);
	boolean = true;
	value = value_of("0");
	assert_false(scan_boolean(&value, &boolean));
	value = value_of("null");
	assert_false(scan_boolean(&value, &boolean));
	assert_true(boolean);
}

/* ---- Digests ---- */

static void blanks_outside_strings_are_left_out(void **state) {
	(void)state;
	static const struct {
		const char *text, *compact;
	} rows[] = {
		{"", ""},
		{" 1 ", "1"},
		{"{ \"a b\" : [ 1 , \" x \" ] }", "{\"a b\":[1,\" x \"]}"},
		{"\n{\t\"a\\\" b\"\r\n:1}\n", "{\"a\\\" b\":1}"},
		{"{\"a\":1}", "{\"a\":1}"},
		{"[\"a\\\\\" , \"b\"]", "[\"a\\\\\",\"b\"]"},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		AUTO_TEXT struct text text = {0};
		text_init(&text, 0);
		scan_compact(&text, slice_of(rows[i].text));
		check_text(&text, rows[i].compact);
	}
}

static void keys_that_come_twice_are_found_at_any_depth(void **state) {
	(void)state;
	static const struct {
		const char *text;
		bool is_twice;
	} rows[] = {
		{"1", false},
		{"\"a\"", false},
		{"{}", false},
		{"[{\"a\":1},{\"a\":1}]", false},
		{"{\"a\":{\"a\":{\"a\":1}}}", false},
		{"{\"a\":1,\"b\":{\"a\":1},\"c\":[\"a\",\"a\"]}", false},
		{"{\"a\":\"b\",\"b\":\"a\"}", false},
		{"{\"a\":1,\"A\":2}", false},
		{"{\"\":1,\"a\":2}", false},
		{"{\"a\":1,\"a\":2}", true},
		{"{\"a\" : 1 , \"a\" : 2}", true},
		{"{\"\":1,\"\":2}", true},
		{"{\"a\":1,\"\\u0061\":2}", true},
		{"{\"a\\\"\":1,\"a\\u0022\":2}", true},
		{"[[{\"x\":[{\"b\":1,\"c\":{},\"b\":2}]}]]", true},
		{"{\"a\":{\"b\":[]},\"c\":{},\"a\":0}", true},
		{"{\"a\":[{\"b\":1}],\"b\":[{\"a\":1}]}", false},
		{"{\"a\":{\"x\":1},\"b\":{\"x\":1}}", false},
		{"{\"a:\":1,\"a\":{\"a:\":2}}", false},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		bool is_twice = !rows[i].is_twice;
		(void)value_of(rows[i].text);
		assert_true(scan_has_duplicates(slice_of(rows[i].text), &arena, &is_twice));
		if (is_twice != rows[i].is_twice) fail_msg("%s: %d", rows[i].text, is_twice);
	}
}

static void many_keys_are_compared_without_waiting(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	bool is_twice = true;
	text_init(&text, 0);
	text_add_char(&text, '{');
	for (int i = 0; i < 20000; i++) text_printf(&text, "\"key %d\":{\"key\":%d},", i, i);
	text_add_cstr(&text, "\"last\":0}");
	assert_true(scan_has_duplicates(text_slice(&text), &arena, &is_twice));
	assert_false(is_twice);
	text.length--;
	text_add_cstr(&text, ",\"key 12345\":0}");
	assert_true(scan_has_duplicates(text_slice(&text), &arena, &is_twice));
	assert_true(is_twice);
}

static void twins_are_looked_for_in_one_object_alone(void **state) {
	(void)state;
	bool is_twice;
	struct scan_value object = value_of("{\"a\":{\"x\":1,\"x\":2},\"b\":2,\"c\":3}");
	assert_true(scan_has_twins(&object, 3, &arena, &is_twice));
	assert_false(is_twice);
	object = value_of("{\"a\":1,\"b\":2,\"\\u0061\":3}");
	assert_true(scan_has_twins(&object, 3, &arena, &is_twice));
	assert_true(is_twice);
	/* Keys behind the promised count are not looked at, and cannot fill the table. */
	assert_true(scan_has_twins(&object, 2, &arena, &is_twice));
	assert_false(is_twice);
	object = value_of("{}");
	assert_true(scan_has_twins(&object, 0, &arena, &is_twice));
	assert_false(is_twice);
}

static void escaped_keys_need_memory_to_be_compared(void **state) {
	(void)state;
	struct arena poor;
	char some[4 * 64];
	AUTO_TEXT struct text text = {0};
	bool is_twice;
	text_init(&text, 0);
	text_add_cstr(&text, "{\"\\u0061");
	for (int i = 0; i < 300; i++) text_add_char(&text, 'x');
	text_add_cstr(&text, "\":1}");
	arena_init(&poor, some, sizeof(some), 1);
	assert_false(scan_has_duplicates(text_slice(&text), &poor, &is_twice));
	struct scan_value object = value_of(text.bytes);
	arena_reset(&poor);
	assert_false(scan_has_twins(&object, 1, &poor, &is_twice));
	arena_finish(&poor);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_and_elements_come_in_order),
		cmocka_unit_test(elements_are_counted),
		cmocka_unit_test(the_first_member_of_a_name_is_found),
		cmocka_unit_test(a_path_leads_through_objects),
		cmocka_unit_test(unsound_text_is_never_read_past),
		cmocka_unit_test(strings_are_read_with_their_escapes),
		cmocka_unit_test(only_strings_are_read_as_strings),
		cmocka_unit_test(a_string_without_memory_is_not_read),
		cmocka_unit_test(keys_are_compared_with_escapes_read),
		cmocka_unit_test(whole_numbers_are_read_to_their_limits),
		cmocka_unit_test(numbers_are_read_as_the_nearest_double),
		cmocka_unit_test(booleans_are_read),
		cmocka_unit_test(blanks_outside_strings_are_left_out),
		cmocka_unit_test(keys_that_come_twice_are_found_at_any_depth),
		cmocka_unit_test(many_keys_are_compared_without_waiting),
		cmocka_unit_test(twins_are_looked_for_in_one_object_alone),
		cmocka_unit_test(escaped_keys_need_memory_to_be_compared),
	};
	return cmocka_run_group_tests(tests, arena_begin, arena_end);
}
