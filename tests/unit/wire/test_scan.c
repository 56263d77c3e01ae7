/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of texts that are JSON and of texts that are not, each in every place it may stand. */
#include "check.h"

#include "wire/scan.h"

#include <stdio.h>
#include <stdlib.h>

#define S(literal) \
	{ literal, sizeof(literal) - 1 }

static const struct slice good[] = {
	S("null"),
	S("true"),
	S("false"),
	S("0"),
	S("-0"),
	S("7"),
	S("-12"),
	S("0.5"),
	S("-0.25"),
	S("1e0"),
	S("1E+9"),
	S("2e-3"),
	S("1.5E007"),
	S("1e400"),
	S("-1e-4000"),
	S("123456789012345678901234567890"),
	S("\"\""),
	S("\"plain\""),
	S("[]"),
	S("{}"),
	S("[ ]"),
	S("{ }"),
	S("[1]"),
	S("[1,2]"),
	S("[\n1\t,\r2 ]"),
	S("[[],[[]]]"),
	S("{\"a\":1}"),
	S("{\"a\":1,\"b\":[true,null]}"),
	S("{\"\":0}"),
	S("{\"a\":1,\"a\":2}"),
	S("[[{}],{\"b\":{}}]"),
	S("{ \"a\" : 1 , \"b\" : 2 }"),
	S("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""),
	S("\"\\u0041\""),
	S("\"\\u0000\""),
	S("\"\\uD83D\\uDE00\""),
	S("\"\\ud800\\udc00\""),
	S("\"\\uDBFF\\uDFFF\""),
	S("\"\\uffff\\uD7FF\\uE000\""),
	S("\"\x7f\""),
	S("\"\xc2\x80\""),
	S("\"\xdf\xbf\""),
	S("\"\xe0\xa0\x80\""),
	S("\"\xed\x9f\xbf\""),
	S("\"\xee\x80\x80\""),
	S("\"\xef\xbf\xbf\""),
	S("\"\xf0\x90\x80\x80\""),
	S("\"\xf4\x8f\xbf\xbf\""),
	S("\"\xd0\xbf\xd1\x80 and on\""),
	S("\"a string that is a good deal longer than sixteen octets\""),
	S("\"a long one that ends in an escape, at some distance \\n\""),
	S("{\"a key that is longer than the widest step\":\"\xe2\x82\xac behind sixteen octets \xe2\x82\xac\"}"),
	S(" \t\r\n 1 \t\r\n "),
	S("[0,-0,0.0e0]"),
	S("[\"a\",{\"b\":[]}, \"c\"]"),
	S("\"/\""),
};

struct bad_text {
	struct slice text;
	enum scan_error error;
	size_t offset;
};

#define BAD(literal, offset) \
	{ S(literal), SCAN_SYNTAX, offset }
#define RAW(literal, offset) \
	{ S(literal), SCAN_UTF8, offset }

static const struct bad_text bad[] = {
	BAD("", 0),
	BAD("  ", 2),
	BAD("nul", 0),
	BAD("nulL", 0),
	BAD("True", 0),
	BAD("truth", 0),
	BAD("t", 0),
	BAD("NaN", 0),
	BAD("Infinity", 0),
	BAD("-Infinity", 1),
	BAD("undefined", 0),
	BAD("'a'", 0),
	BAD("a", 0),
	BAD("\"", 1),
	BAD("\"abc", 4),
	BAD("\"\\", 1),
	BAD("\"\\\"", 3),
	BAD("\"\\x41\"", 1),
	BAD("\"\\a\"", 1),
	BAD("\"\\'\"", 1),
	BAD("\"\\U0041\"", 1),
	BAD("\"\\u\"", 1),
	BAD("\"\\u004\"", 1),
	BAD("\"\\u00g1\"", 1),
	BAD("\"\\u 041\"", 1),
	BAD("\"\\u-041\"", 1),
	BAD("\"\\ud800\"", 1),
	BAD("\"\\udc00\"", 1),
	BAD("\"\\ud800\\n\"", 1),
	BAD("\"\\ud800x\"", 1),
	BAD("\"\\ud800\\u0041\"", 1),
	BAD("\"\\ud800\\ud800\"", 1),
	BAD("\"\\ud800\\udbff\"", 1),
	BAD("\"\\ud800\\ue000\"", 1),
	BAD("\"\\udfff\\ud800\"", 1),
	BAD("\"\\ud800\\udc0\"", 1),
	BAD("\"\\ud800\\u", 1),
	BAD("\"\\ud800\\", 1),
	BAD("\"\\ud800", 1),
	BAD("\"a\nb\"", 2),
	BAD("\"\t\"", 1),
	BAD("\"\x01\"", 1),
	BAD("\"\x1f\"", 1),
	BAD("\"a\0b\"", 2),
	BAD("\"sixteen octets and\r then some\"", 19),
	BAD("\0", 0),
	BAD("1\0", 1),
	BAD("[1]\0", 3),
	BAD("00", 0),
	BAD("01", 0),
	BAD("-01", 1),
	BAD("-", 1),
	BAD("--1", 1),
	BAD("+1", 0),
	BAD(".5", 0),
	BAD("-.5", 1),
	BAD("1.", 2),
	BAD("1.e5", 2),
	BAD("1e", 2),
	BAD("1e+", 3),
	BAD("1E-", 3),
	BAD("1e1.5", 3),
	BAD("0x10", 1),
	BAD("1_000", 1),
	BAD("1 000", 2),
	BAD("1,", 1),
	BAD("1f", 1),
	BAD("-a", 1),
	BAD("0e", 2),
	BAD("\xef\xbc\x91", 0),
	BAD("\xef\xbb\xbf{}", 0),
	BAD("\xff\xfe", 0),
	BAD("[", 1),
	BAD("]", 0),
	BAD("[1", 2),
	BAD("[1,", 3),
	BAD("[1,]", 3),
	BAD("[,1]", 1),
	BAD("[,]", 1),
	BAD("[1 2]", 3),
	BAD("[1,,2]", 3),
	BAD("[1}", 2),
	BAD("[1]]", 3),
	BAD("[][]", 2),
	BAD("[\"a\":1]", 4),
	BAD("[1,\v2]", 3),
	BAD("[1,\f2]", 3),
	BAD("[1,\xc2\xa0 2]", 3),
	BAD("[*]", 1),
	BAD("{", 1),
	BAD("}", 0),
	BAD("{1:2}", 1),
	BAD("{a:1}", 1),
	BAD("{'a':1}", 1),
	BAD("{\"a\"}", 4),
	BAD("{\"a\"", 4),
	BAD("{\"a\":", 5),
	BAD("{\"a\":}", 5),
	BAD("{\"a\" 1}", 5),
	BAD("{\"a\",1}", 4),
	BAD("{\"a\":1", 6),
	BAD("{\"a\":1,", 7),
	BAD("{\"a\":1,}", 7),
	BAD("{,}", 1),
	BAD("{\"a\":1]", 6),
	BAD("{\"a\":1 \"b\":2}", 7),
	BAD("{\"a\"::1}", 5),
	BAD("{\"a\":1,,\"b\":2}", 7),
	BAD("{}x", 2),
	BAD("{null:1}", 1),
	BAD("{[]:1}", 1),
	BAD("{\"a", 3),
	BAD("{\"\\z\":1}", 2),
	BAD("{\"a\":1;}", 6),
	BAD("// no\n1", 0),
	BAD("1 // no", 2),
	BAD("/* no */ 1", 0),
	BAD("[1, # no\n2]", 4),
	BAD("1 2", 2),
	BAD("\"a\" \"b\"", 4),
	BAD("{} {}", 3),
	BAD("true false", 5),
	BAD("nullnull", 4),
	BAD("\"a\"b", 3),
	RAW("\"\x80\"", 1),
	RAW("\"\xbf\"", 1),
	RAW("\"\xc0\x80\"", 1),
	RAW("\"\xc1\xbf\"", 1),
	RAW("\"\xc2\"", 1),
	RAW("\"\xc2", 1),
	RAW("\"\xc2\x41\"", 1),
	RAW("\"\xc2\xc0\"", 1),
	RAW("\"\xe0\x80\x80\"", 1),
	RAW("\"\xe0\x9f\xbf\"", 1),
	RAW("\"\xe2\x82\"", 1),
	RAW("\"\xe2\x82", 1),
	RAW("\"\xe2\x28\xa1\"", 1),
	RAW("\"\xe2\x82\x28\"", 1),
	RAW("\"\xed\xa0\x80\"", 1),
	RAW("\"\xed\xbf\xbf\"", 1),
	RAW("\"\xed\xa0\xbd\xed\xb8\x80\"", 1),
	RAW("\"\xf0\x80\x80\x80\"", 1),
	RAW("\"\xf0\x8f\xbf\xbf\"", 1),
	RAW("\"\xf0\x90\x80\"", 1),
	RAW("\"\xf0\x90\x80\x28\"", 1),
	RAW("\"\xf0\x28\x80\x80\"", 1),
	RAW("\"\xf0\x90\x28\x80\"", 1),
	RAW("\"\xf4\x90\x80\x80\"", 1),
	RAW("\"\xf5\x80\x80\x80\"", 1),
	RAW("\"\xf8\x88\x80\x80\x80\"", 1),
	RAW("\"\xfe\"", 1),
	RAW("\"\xff\"", 1),
	RAW("\"\xd0\xbf\xd0\"", 3),
	RAW("\"sixteen octets and then \xff\"", 25),
	RAW("{\"\xff\":1}", 2),
};

/* A copy of exactly that size, so that a sanitizer sees a read past its end. */
static char *exact(struct slice text) {
	char *copy = malloc(text.length ? text.length : 1);
	assert_non_null(copy);
	if (text.length) memcpy(copy, text.bytes, text.length);
	return copy;
}

static bool check_exact(struct slice text, unsigned depth, struct scan_fault *fault) {
	struct scan_value root;
	char *copy = exact(text);
	bool is_good = scan_check(slice_make(copy, text.length), depth, &root, fault);
	free(copy);
	return is_good;
}

static void sound_texts_pass(void **state) {
	(void)state;
	for (size_t i = 0; i < COUNT_OF(good); i++) {
		struct scan_fault fault = {SCAN_FINE, 0, ""};
		if (!check_exact(good[i], SCAN_DEPTH, &fault))
			fail_msg("refused: %.*s: %s at %zu", SLICE_ARGS(good[i]), fault.what, fault.offset);
	}
}

static void sound_texts_pass_inside_others(void **state) {
	(void)state;
	for (size_t i = 0; i < COUNT_OF(good); i++) {
		AUTO_TEXT struct text text = {0};
		text_init(&text, 0);
		text_add_cstr(&text, "{\"first\":[1,");
		text_add(&text, good[i]);
		text_add_cstr(&text, "],\"second\":");
		text_add(&text, good[i]);
		text_add_cstr(&text, ",\"and a key behind it\":true}");
		if (!check_exact(text_slice(&text), SCAN_DEPTH, NULL)) fail_msg("refused: %s", text.bytes);
	}
}

static void other_texts_are_refused_where_they_go_wrong(void **state) {
	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		struct scan_fault fault = {SCAN_FINE, 0, NULL};
		if (check_exact(bad[i].text, SCAN_DEPTH, &fault)) fail_msg("passed: %zu: %s", i, bad[i].text.bytes);
		if (fault.error != bad[i].error || fault.offset != bad[i].offset)
			fail_msg("%s: error %d at %zu: %s", bad[i].text.bytes, fault.error, fault.offset, fault.what);
		assert_non_null(fault.what);
	}
}

static void other_texts_are_refused_inside_others_too(void **state) {
	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		if (bad[i].text.length <= 2) continue; /* "1," is sound where something follows */
		AUTO_TEXT struct text text = {0};
		text_init(&text, 0);
		text_add_cstr(&text, "{\"before\":[");
		text_add(&text, bad[i].text);
		text_add_cstr(&text, " 1],\"behind\":true}");
		assert_false(check_exact(text_slice(&text), SCAN_DEPTH, NULL));
	}
}

static void no_beginning_of_a_sound_text_passes(void **state) {
	(void)state;
	for (size_t i = 0; i < COUNT_OF(good); i++) {
		char first = good[i].bytes[0];
		if (first != '"' && first != '[' && first != '{') continue;
		for (size_t length = 0; length < good[i].length; length++)
			assert_false(check_exact(slice_make(good[i].bytes, length), SCAN_DEPTH, NULL));
	}
}

static void a_stop_is_found_at_every_distance(void **state) {
	(void)state;
	static const struct {
		struct slice stop;
		bool is_good;
	} rows[] = {
		{S("\\n"), true},
		{S("\xe2\x82\xac"), true},
		{S("\x01"), false},
		{S("\x80"), false},
		{S("\0"), false},
		{S("\\q"), false},
		{S("\xed\xa0\x80"), false},
		{S("\\ud800"), false},
	};
	for (size_t row = 0; row < COUNT_OF(rows); row++) {
		for (size_t before = 0; before < 70; before++) {
			for (size_t behind = 0; behind < 40; behind += 13) {
				char text[128] = "\"";
				memset(text + 1, 'x', before);
				memcpy(text + 1 + before, rows[row].stop.bytes, rows[row].stop.length);
				size_t length = 1 + before + rows[row].stop.length;
				memset(text + length, 'y', behind);
				length += behind;
				text[length++] = '"';
				assert_int_equal(check_exact(slice_make(text, length), 1, NULL), rows[row].is_good);
				assert_false(check_exact(slice_make(text, length - 1), 1, NULL));
			}
		}
	}
}

static void nested(struct text *text, const char *open, const char *middle, const char *close,
	size_t depth) {
	text_clear(text);
	for (size_t i = 0; i < depth; i++) text_add_cstr(text, open);
	text_add_cstr(text, middle);
	for (size_t i = 0; i < depth; i++) text_add_cstr(text, close);
}

static void depth_is_counted_to_its_limit(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	struct scan_fault fault;
	text_init(&text, 0);
	for (unsigned limit = 1; limit <= SCAN_DEPTH; limit++) {
		nested(&text, "[", "", "]", limit);
		assert_true(check_exact(text_slice(&text), limit, &fault));
		nested(&text, "{\"a\":", "1", "}", limit);
		assert_true(check_exact(text_slice(&text), limit, &fault));
		nested(&text, "[", "1", "]", limit + 1);
		assert_false(check_exact(text_slice(&text), limit, &fault));
		assert_int_equal(fault.error, SCAN_DEEP);
		assert_int_equal(fault.offset, limit);
	}
	nested(&text, "{\"a\":[", "", "]}", SCAN_DEPTH / 2);
	assert_true(check_exact(text_slice(&text), SCAN_DEPTH, &fault));
	nested(&text, "[{\"a\":", "{}", "}]", SCAN_DEPTH / 2);
	assert_false(check_exact(text_slice(&text), SCAN_DEPTH, &fault));
	assert_int_equal(fault.error, SCAN_DEEP);
}

static void no_caller_gets_more_depth_than_there_is(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	struct scan_fault fault;
	text_init(&text, 0);
	nested(&text, "[", "", "]", SCAN_DEPTH);
	assert_true(check_exact(text_slice(&text), 1000, &fault));
	nested(&text, "[", "", "]", SCAN_DEPTH + 1);
	assert_false(check_exact(text_slice(&text), 1000, &fault));
	assert_int_equal(fault.error, SCAN_DEEP);
	nested(&text, "[", "", "", 100000);
	assert_false(check_exact(text_slice(&text), SCAN_DEPTH, &fault));
	assert_int_equal(fault.error, SCAN_DEEP);
}

static void a_scalar_needs_no_depth(void **state) {
	(void)state;
	assert_true(check_exact(slice_of("1"), 0, NULL));
	assert_false(check_exact(slice_of("[]"), 0, NULL));
}

static void the_root_is_told_without_blanks(void **state) {
	(void)state;
	static const struct {
		const char *text, *root;
		enum scan_type type;
		bool escaped;
	} rows[] = {
		{" null ", "null", SCAN_NULL, false},
		{"false", "false", SCAN_BOOLEAN, false},
		{"\t-1.5e3\n", "-1.5e3", SCAN_NUMBER, false},
		{" \"a\" ", "\"a\"", SCAN_STRING, false},
		{"\"\\n\"", "\"\\n\"", SCAN_STRING, true},
		{" [ 1 ] ", "[ 1 ]", SCAN_ARRAY, false},
		{"{\"a\":\"\\n\"} ", "{\"a\":\"\\n\"}", SCAN_OBJECT, false},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct scan_value root;
		assert_true(scan_check(slice_of(rows[i].text), SCAN_DEPTH, &root, NULL));
		check_slice(root.text, rows[i].root);
		assert_int_equal(root.type, rows[i].type);
		assert_int_equal(root.escaped, rows[i].escaped);
	}
	assert_false(scan_check(SLICE_NONE, SCAN_DEPTH, NULL, NULL));
	assert_true(scan_check(SLICE("1"), SCAN_DEPTH, NULL, NULL));
}

static void a_refused_text_leaves_the_root_alone(void **state) {
	(void)state;
	struct scan_value root = {.text = SLICE("mine"), .type = SCAN_BOOLEAN};
	assert_false(scan_check(SLICE("[1,2"), SCAN_DEPTH, &root, NULL));
	check_slice(root.text, "mine");
	assert_int_equal(root.type, SCAN_BOOLEAN);
}

/* ---- Members ---- */

struct record {
	struct text text;
	unsigned left; /* members to see before it says no */
};

static bool member_note(void *context, unsigned level, const struct scan_member *member) {
	struct record *record = context;
	if (level == 2) {
		text_add(&record->text, member->parent->key);
		text_add_char(&record->text, '.');
	} else {
		assert_null(member->parent);
	}
	text_add(&record->text, member->key);
	text_printf(&record->text, "%s=%.*s%s:%d ", member->key_escaped ? "!" : "",
		SLICE_ARGS(member->value.text), member->value.escaped ? "!" : "", member->value.type);
	return --record->left > 0;
}

static bool note_all(struct record *record, const char *text, unsigned left,
	struct scan_fault *fault) {
	text_clear(&record->text);
	record->left = left;
	return scan_object(slice_of(text), SCAN_DEPTH, member_note, record, fault);
}

static void members_of_two_levels_are_told_in_order(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	struct record record;
	text_init(&record.text, 0);
	assert_true(note_all(&record, " {\"a\" : 1 , \"b\":{\"c\":\"\\n\",\"d\":{\"e\":[ ]} },\"f\":[{\"g\":1}],"
				      "\"h\\u0041\":null,\"i\":{},\"j\":true} ",
		100, NULL));
	text_init(&text, 0);
	text_printf(&text, "a=1:%d b.c=\"\\n\"!:%d b.d={\"e\":[ ]}:%d b={\"c\":\"\\n\",\"d\":{\"e\":[ ]} }:%d "
			   "f=[{\"g\":1}]:%d h\\u0041!=null:%d i={}:%d j=true:%d ",
		SCAN_NUMBER, SCAN_STRING, SCAN_OBJECT,
		SCAN_OBJECT, SCAN_ARRAY, SCAN_NULL, SCAN_OBJECT, SCAN_BOOLEAN);
	check_slice(text_slice(&record.text), text.bytes);
	text_finish(&record.text);
}

static void an_array_of_the_root_hides_its_objects(void **state) {
	(void)state;
	struct record record;
	text_init(&record.text, 0);
	assert_true(note_all(&record, "{\"a\":[{\"b\":{\"c\":1}}]}", 100, NULL));
	check_slice(text_slice(&record.text), "a=[{\"b\":{\"c\":1}}]:5 ");
	assert_true(note_all(&record, "{}", 100, NULL));
	check_slice(text_slice(&record.text), "");
	text_finish(&record.text);
}

static void whoever_has_seen_enough_ends_the_scan(void **state) {
	(void)state;
	struct record record;
	struct scan_fault fault;
	text_init(&record.text, 0);
	assert_false(note_all(&record, "{\"a\":1,\"b\":2,\"c\":3}", 2, &fault));
	assert_int_equal(fault.error, SCAN_MANY);
	assert_int_equal(fault.offset, 12);
	check_slice(text_slice(&record.text), "a=1:3 b=2:3 ");
	text_finish(&record.text);
}

static void only_an_object_has_members(void **state) {
	(void)state;
	struct record record;
	struct scan_fault fault;
	text_init(&record.text, 0);
	assert_false(note_all(&record, " [1]", 9, &fault));
	assert_int_equal(fault.error, SCAN_NOT_OBJECT);
	assert_int_equal(fault.offset, 1);
	assert_false(note_all(&record, "[1", 9, &fault));
	assert_int_equal(fault.error, SCAN_SYNTAX);
	assert_false(note_all(&record, "", 9, &fault));
	assert_int_equal(fault.error, SCAN_SYNTAX);
	assert_false(note_all(&record, "{\"a\":1", 9, &fault));
	assert_int_equal(fault.error, SCAN_SYNTAX);
	check_slice(text_slice(&record.text), "a=1:3 ");
	assert_false(scan_object(SLICE_NONE, SCAN_DEPTH, member_note, &record, NULL));
	text_finish(&record.text);
}

/* ---- UTF-8 ---- */

static void utf8_is_told_from_other_octets(void **state) {
	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		char *copy = exact(bad[i].text);
		bool is_utf8 = scan_is_utf8(slice_make(copy, bad[i].text.length));
		if (bad[i].error == SCAN_UTF8) assert_false(is_utf8);
		free(copy);
	}
	for (size_t i = 0; i < COUNT_OF(good); i++) assert_true(scan_is_utf8(good[i]));
	assert_true(scan_is_utf8(SLICE_NONE));
	assert_true(scan_is_utf8(SLICE("\0\x01 \x7f")));
	assert_true(scan_is_utf8(SLICE("\xd0\xbf\xd1\x80 seventeen octets, \xe2\x82\xac and \xf0\x9f\x98\x80")));
}

/* Every pair and every triple of octets, against what the standard's table of well-formed
 * sequences says (Unicode 3.9, table 3-7). */
static void every_short_sequence_is_judged_as_the_table_does(void **state) {
	(void)state;
	for (unsigned first = 0x80; first < 0x100; first++) {
		for (unsigned second = 0; second < 0x100; second++) {
			bool tails = second >= 0x80 && second <= 0xbf;
			char two[] = {(char)first, (char)second};
			bool is_two = first >= 0xc2 && first <= 0xdf && tails;
			assert_int_equal(scan_is_utf8(slice_make(two, 2)), is_two);
			unsigned low = first == 0xe0 ? 0xa0 : 0x80;
			unsigned high = first == 0xed ? 0x9f : 0xbf;
			bool is_three = first >= 0xe0 && first <= 0xef && second >= low && second <= high;
			char three[] = {(char)first, (char)second, (char)0xbf};
			assert_int_equal(scan_is_utf8(slice_make(three, 3)), is_three);
			low = first == 0xf0 ? 0x90 : 0x80;
			high = first == 0xf4 ? 0x8f : 0xbf;
			bool is_four = first >= 0xf0 && first <= 0xf4 && second >= low && second <= high;
			char four[] = {(char)first, (char)second, (char)0x80, (char)0xbf};
			assert_int_equal(scan_is_utf8(slice_make(four, 4)), is_four);
		}
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_texts_pass),
		cmocka_unit_test(sound_texts_pass_inside_others),
		cmocka_unit_test(other_texts_are_refused_where_they_go_wrong),
		cmocka_unit_test(other_texts_are_refused_inside_others_too),
		cmocka_unit_test(no_beginning_of_a_sound_text_passes),
		cmocka_unit_test(a_stop_is_found_at_every_distance),
		cmocka_unit_test(depth_is_counted_to_its_limit),
		cmocka_unit_test(no_caller_gets_more_depth_than_there_is),
		cmocka_unit_test(a_scalar_needs_no_depth),
		cmocka_unit_test(the_root_is_told_without_blanks),
		cmocka_unit_test(a_refused_text_leaves_the_root_alone),
		cmocka_unit_test(members_of_two_levels_are_told_in_order),
		cmocka_unit_test(an_array_of_the_root_hides_its_objects),
		cmocka_unit_test(whoever_has_seen_enough_ends_the_scan),
		cmocka_unit_test(only_an_object_has_members),
		cmocka_unit_test(utf8_is_told_from_other_octets),
		cmocka_unit_test(every_short_sequence_is_judged_as_the_table_does),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
