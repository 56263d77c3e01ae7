/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "failing_malloc.h"

#include "base/slice.c" /* toml.cpp copies its strings by slice_copy() */
#include "base/toml.h"

#include <math.h>

AUTO_RELEASE(toml, toml_close)

static void check_refused(struct slice text, enum fault_code code, const char *sentence) {
	struct fault why = {0};
	assert_null(toml_open(text, "a.toml", &why));
	assert_int_equal(why.code, code);
	assert_non_null(strstr(why.text, sentence));
	assert_null(toml_open(text, "a.toml", NULL));
}

static void every_kind_of_value_is_read(void **state) {
	(void)state;
	AUTO(toml) root = toml_open(SLICE("s = \"a\\tb\"\n"
					  "l = 'c:\\d'\n"
					  "i = -1_000\n"
					  "h = 0xff\n"
					  "f = 2.5e3\n"
					  "n = -inf\n"
					  "b = true\n"
					  "a = [1, \"two\", [3]]\n"
					  "t = {x = 1}\n"),
		"a.toml", NULL);
	assert_non_null(root);
	assert_int_equal(root->kind, TOML_TABLE);
	assert_null(root->key);
	assert_string_equal(toml_find(root, "s")->string, "a\tb");
	assert_string_equal(toml_find(root, "l")->string, "c:\\d");
	assert_int_equal(toml_find(root, "i")->integer, -1000);
	assert_int_equal(toml_find(root, "h")->integer, 255);
	assert_int_equal(toml_find(root, "f")->kind, TOML_FLOAT);
	assert_true(toml_find(root, "f")->number == 2500.0);
	assert_true(isinf(toml_find(root, "n")->number));
	assert_int_equal(toml_find(root, "b")->kind, TOML_BOOLEAN);
	assert_true(toml_find(root, "b")->boolean);
	struct toml *array = toml_find(root, "a");
	assert_int_equal(array->kind, TOML_ARRAY);
	assert_int_equal(array->first->integer, 1);
	assert_null(array->first->key);
	assert_string_equal(array->first->next->string, "two");
	assert_int_equal(array->first->next->next->first->integer, 3);
	assert_null(array->first->next->next->next);
	assert_int_equal(toml_find(toml_find(root, "t"), "x")->integer, 1);
	assert_null(toml_find(root, "none"));
	assert_null(toml_find(array, "x"));
	assert_null(toml_find(NULL, "x"));
}

static void dates_are_strings_of_rfc_3339(void **state) {
	(void)state;
	static const char *const dates[] = {
		"1979-05-27T07:32:00Z",
		"1979-05-27T00:32:00.5-07:00",
		"1979-05-27T00:32:00.000001+05:30",
		"1979-05-27T07:32:00",
		"1979-05-27",
		"07:32:09.25",
	};
	for (size_t i = 0; i < COUNT_OF(dates); i++) {
		AUTO_TEXT struct text text = {0};
		text_printf(&text, "d = %s", dates[i]);
		AUTO(toml) root = toml_open(text_slice(&text), "a.toml", NULL);
		assert_non_null(root);
		assert_int_equal(root->first->kind, TOML_DATE);
		assert_string_equal(root->first->string, dates[i]);
	}
}

static void children_stand_in_the_order_of_the_text(void **state) {
	(void)state;
	AUTO(toml) root = toml_open(SLICE("[z]\n"
					  "b = 1\n"
					  "  a = 2\n"
					  "[[servers]]\n"
					  "id = \"x\"\n"
					  "[[servers]]\n"
					  "id = \"y\"\n"
					  "[a.b.c]\n"
					  "[m]\n"
					  "q = {z = 1, a = 2}\n"),
		"a.toml", NULL);
	assert_non_null(root);
	static const char *const keys[] = {"z", "servers", "a", "m"};
	static const unsigned lines[] = {1, 4, 8, 9};
	struct toml *child = root->first;
	for (size_t i = 0; i < COUNT_OF(keys); i++, child = child->next) {
		assert_non_null(child);
		assert_string_equal(child->key, keys[i]);
		assert_int_equal(child->line, lines[i]);
	}
	assert_null(child);
	assert_string_equal(root->first->first->key, "b");
	assert_string_equal(root->first->first->next->key, "a");
	assert_int_equal(root->first->first->next->line, 3);
	assert_int_equal(root->first->first->next->column, 3);
	struct toml *servers = toml_find(root, "servers");
	assert_int_equal(servers->kind, TOML_ARRAY);
	assert_string_equal(toml_find(servers->first, "id")->string, "x");
	assert_string_equal(toml_find(servers->first->next, "id")->string, "y");
	assert_int_equal(servers->first->next->line, 6);
	assert_string_equal(toml_find(toml_find(root, "m"), "q")->first->key, "z");
}

static void a_mistake_is_named_with_its_place(void **state) {
	(void)state;
	check_refused(SLICE("a = 1\nb = \n"), FAULT_BAD_INPUT, "a.toml:2:5: ");
	check_refused(SLICE("a = 1\na = 2\n"), FAULT_BAD_INPUT, "a.toml:2:");
	check_refused(SLICE("a = \"open\n"), FAULT_BAD_INPUT, "a.toml:1:");
	check_refused(SLICE("[a\n"), FAULT_BAD_INPUT, "a.toml:1:");
	check_refused(SLICE("a = '\xff'\n"), FAULT_BAD_INPUT, "a.toml:1:");
	check_refused(SLICE("a = 9999999999999999999999\n"), FAULT_BAD_INPUT, "a.toml:1:");
	check_refused(SLICE("a = 1\nb = \"\\u0000\"\n"), FAULT_BAD_INPUT, "a.toml:2:1: U+0000");
	check_refused(SLICE("\"\\u0000\" = 1\n"), FAULT_BAD_INPUT, "a.toml:1:1: U+0000");
}

/* Each of these once ended the process, or was undefined, inside toml++. */
static void octets_out_of_place_are_mistakes_like_others(void **state) {
	(void)state;
	check_refused(SLICE("[?]\n"), FAULT_BAD_INPUT, "a.toml:1:2: ");
	check_refused(SLICE("[[[a]]]\n"), FAULT_BAD_INPUT, "a.toml:1:3: ");
	check_refused(SLICE("[\xc3\xa8]\n"), FAULT_BAD_INPUT, "a.toml:1:");
	check_refused(SLICE("\xc3\xa8 = 1\n"), FAULT_BAD_INPUT, "a.toml:1:");
	check_refused(SLICE("a = 1\xc3\xa8\n"), FAULT_BAD_INPUT, "a.toml:1:");
	AUTO(toml) root = toml_open(SLICE("a = \"\"\"x \\\n  \xc3\xa8\"\"\"\n\"\xc3\xa8\" = 1\n"),
		"a.toml", NULL);
	assert_non_null(root);
	assert_string_equal(toml_find(root, "a")->string, "x \xc3\xa8");
	assert_int_equal(toml_find(root, "\xc3\xa8")->integer, 1);
}

static void an_empty_text_is_an_empty_table(void **state) {
	(void)state;
	AUTO(toml) nothing = toml_open(SLICE_NONE, "a.toml", NULL);
	assert_non_null(nothing);
	assert_int_equal(nothing->kind, TOML_TABLE);
	assert_null(nothing->first);
	AUTO(toml) comment = toml_open(SLICE("\xef\xbb\xbf# nothing\r\n"), "a.toml", NULL);
	assert_non_null(comment);
	assert_null(comment->first);
	toml_close(NULL);
}

static void add_times(struct text *text, const char *piece, int times) {
	for (int i = 0; i < times; i++) text_add_cstr(text, piece);
}

static void depth_is_bounded_in_every_form(void **state) {
	(void)state;
	static const struct {
		const char *before, *piece, *after;
	} forms[] = {
		{"a = ", "[", ""},
		{"a = ", "{a=", ""},
		{"[a", ".a", "]"},
		{"a", " . 'a'", "=1"},
		{"x={a", ".\"\\\"\"", "=1}"},
		{"a='''\n'''''\nb", ".b", "=1"},
	};
	for (size_t i = 0; i < COUNT_OF(forms); i++) {
		AUTO_TEXT struct text text = {0};
		text_add_cstr(&text, forms[i].before);
		add_times(&text, forms[i].piece, 100000);
		text_add_cstr(&text, forms[i].after);
		struct fault why = {0};
		assert_null(toml_open(text_slice(&text), "a.toml", &why));
		assert_true(why.code == FAULT_TOO_LARGE || why.code == FAULT_BAD_INPUT);
	}

	/* Headers and inline tables one on top of the other. */
	AUTO_TEXT struct text text = {0};
	text_add_cstr(&text, "[a");
	add_times(&text, ".a", 32);
	text_add_cstr(&text, "]\nb");
	add_times(&text, ".b", 32);
	text_add_cstr(&text, " = 1\n");
	check_refused(text_slice(&text), FAULT_TOO_LARGE, "nested deeper than 64");
}

static void keys_of_some_parts_and_strings_of_many_dots_are_fine(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	text_add_cstr(&text, "a = \"");
	add_times(&text, ".", 1000);
	text_add_cstr(&text, "\" # ");
	add_times(&text, ".", 1000);
	text_add_cstr(&text, "\nb = [1.5");
	add_times(&text, ", 2.5", 1000);
	text_add_cstr(&text, "]\nc = '''x'''''\nd = \"\"\"\\\"\"\"\"\n[k");
	add_times(&text, ".k", 32);
	text_add_cstr(&text, "]\n");
	struct fault why = {0};
	AUTO(toml) root = toml_open(text_slice(&text), "a.toml", &why);
	assert_string_equal(why.text, "");
	assert_non_null(root);
	assert_int_equal(strlen(toml_find(root, "a")->string), 1000);
	assert_string_equal(toml_find(root, "c")->string, "x''");
	assert_string_equal(toml_find(root, "d")->string, "\"");
}

static void a_text_over_a_mebibyte_is_too_large(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	add_times(&text, "# 3456789abcdef\n", 65536);
	AUTO(toml) root = toml_open(text_slice(&text), "a.toml", NULL);
	assert_non_null(root);
	text_add_char(&text, '#');
	check_refused(text_slice(&text), FAULT_TOO_LARGE, "a.toml:1:1: longer than 1 MiB");
}

static void no_memory_for_a_string_refuses_the_text(void **state) {
	(void)state;
	struct slice text = SLICE("a = \"x\"\n[b]\nc = [\"y\"]\n");
	for (int call = 1; call <= 5; call++) {
		struct fault why = {0};
		malloc_fails_at(call);
		struct toml *root = toml_open(text, "a.toml", &why);
		malloc_fails_at(0);
		assert_null(root);
		assert_int_equal(why.code, FAULT_NO_MEMORY);
	}
	malloc_fails_at(6);
	AUTO(toml) root = toml_open(text, "a.toml", NULL);
	malloc_fails_at(0);
	assert_non_null(root);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_of_value_is_read),
		cmocka_unit_test(dates_are_strings_of_rfc_3339),
		cmocka_unit_test(children_stand_in_the_order_of_the_text),
		cmocka_unit_test(a_mistake_is_named_with_its_place),
		cmocka_unit_test(octets_out_of_place_are_mistakes_like_others),
		cmocka_unit_test(an_empty_text_is_an_empty_table),
		cmocka_unit_test(depth_is_bounded_in_every_form),
		cmocka_unit_test(keys_of_some_parts_and_strings_of_many_dots_are_fine),
		cmocka_unit_test(a_text_over_a_mebibyte_is_too_large),
		cmocka_unit_test(no_memory_for_a_string_refuses_the_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
