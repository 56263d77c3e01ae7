/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "mcp/mcp_header.h"

#include <stdio.h>

static struct scan_value object_of(const char *text) {
	struct scan_value root;
	struct scan_fault fault;
	assert_true(scan_check(slice_of(text), SCAN_DEPTH, &root, &fault));
	return root;
}

static const char *line(const char *name, struct slice value) {
	static char kept[200];
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	mcp_header_write(&text, name, value);
	assert_false(text_failed(&text));
	snprintf(kept, sizeof kept, "%s", text.bytes);
	return kept;
}

static void plain_words_stay_and_all_else_is_wrapped(void **state) {
	(void)state;
	assert_string_equal(line("A", SLICE("us west 1")), "A: us west 1");
	assert_string_equal(line("A", SLICE("")), "A: ");
	assert_string_equal(line("A", SLICE(" x")), "A: =?base64?IHg=?=");
	assert_string_equal(line("A", SLICE("x ")), "A: =?base64?eCA=?=");
	assert_string_equal(line("A", SLICE("a\r\nb")), "A: =?base64?YQ0KYg==?=");
	assert_string_equal(line("A", SLICE("\xc3\xa4")), "A: =?base64?w6Q=?=");
	assert_string_equal(line("A", SLICE("=?base64?eA==?=")), "A: =?base64?PT9iYXNlNjQ/ZUE9PT89?=");
}

static void a_wrapped_value_is_read_and_a_broken_one_refused(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	assert_true(mcp_header_read(SLICE("=?base64?YQ0KYg==?="), &text));
	check_slice(text_slice(&text), "a\r\nb");
	text_clear(&text);
	assert_true(mcp_header_read(SLICE("=?base64"), &text));
	check_slice(text_slice(&text), "=?base64");
	text_clear(&text);
	assert_false(mcp_header_read(SLICE("=?base64?YQ0KYg=?="), &text));
	text_clear(&text);
	assert_false(mcp_header_read(SLICE("=?base64?Y!!!?="), &text));
}

static void the_name_of_a_request_is_its_tool_prompt_or_resource(void **state) {
	char lent[256];
	struct arena arena;
	(void)state;
	arena_init(&arena, lent, sizeof lent, 0);
	struct scan_value params = object_of("{\"name\":\"a\\u0062\",\"uri\":\"x:/1\"}");
	check_slice(mcp_header_name(SLICE("tools/call"), &params, &arena), "ab");
	check_slice(mcp_header_name(SLICE("prompts/get"), &params, &arena), "ab");
	check_slice(mcp_header_name(SLICE("resources/read"), &params, &arena), "x:/1");
	assert_null(mcp_header_name(SLICE("tools/list"), &params, &arena).bytes);
	arena_finish(&arena);
}

struct seen {
	char words[400];
};

static bool note(void *context, const struct mcp_header_param *param) {
	struct seen *seen = context;
	size_t length = strlen(seen->words);
	snprintf(seen->words + length, sizeof seen->words - length, "%.*s=%.*s;", SLICE_ARGS(param->name),
		SLICE_ARGS(param->value.type == SCAN_NONE ? SLICE("none") : param->value.text));
	return true;
}

static bool is_sound(const char *schema, const char *arguments, struct seen *seen) {
	char lent[256];
	struct arena arena;
	struct fault why;
	struct scan_value root = object_of(schema), given = object_of(arguments);
	arena_init(&arena, lent, sizeof lent, 0);
	memset(seen, 0, sizeof *seen);
	bool fine = mcp_header_params(&root, &given, &arena, note, seen, &why);
	if (!fine) assert_int_equal(why.code, FAULT_BAD_INPUT);
	arena_finish(&arena);
	return fine;
}

#define MARKED(type, name) "{\"type\":\"" type "\",\"x-mcp-header\":\"" name "\"}"
#define SCHEMA(properties) "{\"type\":\"object\",\"properties\":{" properties "}}"

static void marked_arguments_are_found_at_any_depth_of_properties(void **state) {
	struct seen seen;
	(void)state;
	assert_true(is_sound(SCHEMA("\"a\":" MARKED("string", "A") ",\"b\":{\"type\":\"string\"},\"in\":" SCHEMA("\"c\":" MARKED("integer", "C") ",\"d\":" MARKED("boolean", "D"))),
		"{\"b\":\"no\",\"a\":\"x\",\"in\":{\"c\":42,\"d\":null}}", &seen));
	assert_string_equal(seen.words, "A=\"x\";C=42;D=none;");
	assert_true(is_sound(SCHEMA("\"a\":" MARKED("string", "A")), "{}", &seen));
	assert_string_equal(seen.words, "A=none;");
	assert_true(is_sound("{\"type\":\"object\"}", "{}", &seen));
	assert_string_equal(seen.words, "");
}

static void marks_against_the_rules_are_refused(void **state) {
	struct seen seen;
	(void)state;
	static const char *const bad[] = {
		SCHEMA("\"a\":" MARKED("string", "")),
		SCHEMA("\"a\":" MARKED("string", "My Region")),
		SCHEMA("\"a\":" MARKED("string", "A:B")),
		SCHEMA("\"a\":" MARKED("string", "R\xc3\xa9gion")),
		SCHEMA("\"a\":" MARKED("string", "A\\tB")),
		SCHEMA("\"a\":" MARKED("number", "A")),
		SCHEMA("\"a\":" MARKED("object", "A")),
		SCHEMA("\"a\":" MARKED("null", "A")),
		SCHEMA("\"a\":{\"x-mcp-header\":\"A\"}"),
		SCHEMA("\"a\":{\"type\":\"string\",\"x-mcp-header\":7}"),
		SCHEMA("\"a\":" MARKED("string", "A") ",\"b\":" MARKED("string", "a")),
		SCHEMA("\"a\":{\"type\":\"array\",\"items\":" MARKED("string", "A") "}"),
		"{\"type\":\"object\",\"x-mcp-header\":\"A\"}",
		"{\"type\":\"object\",\"anyOf\":[" SCHEMA("\"a\":" MARKED("string", "A")) "]}",
	};
	for (size_t i = 0; i < COUNT_OF(bad); i++)
		if (is_sound(bad[i], "{}", &seen)) fail_msg("taken: %s", bad[i]);
}

static void the_word_in_data_is_nothing_but_a_word(void **state) {
	struct seen seen;
	(void)state;
	assert_true(is_sound(SCHEMA("\"a\":{\"type\":\"object\",\"default\":{\"x-mcp-header\":\"\"}},\"b\":{\"enum\":[{\"x-mcp-header\":1}]}"),
		"{}", &seen));
	assert_true(is_sound(SCHEMA("\"x-mcp-header\":{\"type\":\"string\"}"), "{}", &seen));
	assert_string_equal(seen.words, "");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_words_stay_and_all_else_is_wrapped),
		cmocka_unit_test(a_wrapped_value_is_read_and_a_broken_one_refused),
		cmocka_unit_test(the_name_of_a_request_is_its_tool_prompt_or_resource),
		cmocka_unit_test(marked_arguments_are_found_at_any_depth_of_properties),
		cmocka_unit_test(marks_against_the_rules_are_refused),
		cmocka_unit_test(the_word_in_data_is_nothing_but_a_word),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
