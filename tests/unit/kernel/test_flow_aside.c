/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "kernel/flow_aside.h"

#include <stdio.h>

static struct arena arena;

static int set_up(void **state) {
	(void)state;
	arena_init(&arena, NULL, 0, 0);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	arena_finish(&arena);
	return 0;
}

static struct scan_value scanned(const char *json) {
	struct scan_value value;
	struct scan_fault fault;
	if (!scan_check(slice_of(json), SCAN_DEPTH, &value, &fault)) fail_msg("%s: %s", json, fault.what);
	return value;
}

static void check_refused(const char *params, enum fault_code code) {
	const struct scan_value value = scanned(params);
	struct prompt prompt = {.type = PROMPT_DATE};
	struct slice field = SLICE("untouched");
	struct fault why;
	assert_false(flow_aside_read(&value, &arena, &prompt, &field, &why));
	assert_int_equal(why.code, code);
	assert_int_equal(prompt.type, PROMPT_DATE);
	assert_true(slice_is(field, "untouched"));
}

static void check_result(struct slice field, const char *value, const char *result) {
	const struct scan_value given = value ? scanned(value) : (struct scan_value){.type = SCAN_NONE};
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	flow_aside_write(&text, field, &given);
	assert_string_equal(text.bytes, result);
}

static void a_form_of_one_field_is_the_prompt_of_that_field(void **state) {
	(void)state;
	const struct scan_value params = scanned("{\"message\":\"Which \\\"meal\\\"?\",\"requestedSchema\":{\"type\":\"object\","
						 "\"properties\":{\"me\\u0061l\":{\"type\":\"string\",\"enum\":[\"fish\",\"leek\"],\"description\":\"a dish\"}},"
						 "\"required\":[\"meal\"]}}");
	struct prompt prompt;
	struct slice field;
	assert_true(flow_aside_read(&params, &arena, &prompt, &field, NULL));
	assert_int_equal(prompt.type, PROMPT_CHOICE);
	assert_int_equal(prompt.choice_count, 2);
	assert_true(slice_is(prompt.message, "Which \"meal\"?"));
	assert_int_equal(prompt.name.length, 0);
	assert_false(prompt.rules.is_required);
	assert_true(slice_is(field, "meal"));
	check_result(field, "\"leek\"", "{\"action\":\"accept\",\"content\":{\"meal\":\"leek\"}}");
	check_result(SLICE("a\"b"), "7", "{\"action\":\"accept\",\"content\":{\"a\\\"b\":7}}");
}

static void any_other_form_is_a_custom_prompt_with_its_schema(void **state) {
	(void)state;
	static const char *const schemas[] = {
		"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"},\"b\":{\"type\":\"string\"}}}",
		"{\"type\":\"object\",\"properties\":{}}",
		"{\"type\":\"object\",\"properties\":{\"many\":{\"type\":\"array\",\"items\":{\"enum\":[\"x\",\"y\"]}}}}",
	};
	for (size_t i = 0; i < COUNT_OF(schemas); i++) {
		char json[400];
		struct prompt prompt;
		struct slice field;
		snprintf(json, sizeof json, "{\"message\":\"?\",\"requestedSchema\":%s}", schemas[i]);
		const struct scan_value params = scanned(json);
		assert_true(flow_aside_read(&params, &arena, &prompt, &field, NULL));
		assert_int_equal(prompt.type, PROMPT_CUSTOM);
		assert_true(slice_is(prompt.schema, schemas[i]));
		assert_int_equal(field.length, 0);
	}
	check_result(SLICE_NONE, "{\"a\":1}", "{\"action\":\"accept\",\"content\":{\"a\":1}}");
}

static void no_answer_declines(void **state) {
	(void)state;
	check_result(SLICE_NONE, "null", "{\"action\":\"decline\"}");
	check_result(SLICE("meal"), NULL, "{\"action\":\"decline\"}");
}

static void what_is_no_form_or_too_large_is_refused(void **state) {
	(void)state;
	check_refused("{\"message\":\"?\"}", FAULT_BAD_INPUT);
	check_refused("{\"requestedSchema\":{}}", FAULT_BAD_INPUT);
	check_refused("{\"message\":7,\"requestedSchema\":{}}", FAULT_BAD_INPUT);
	check_refused("{\"message\":\"?\",\"mode\":\"url\",\"url\":\"https://example.org\"}", FAULT_BAD_INPUT);
	check_refused("[]", FAULT_BAD_INPUT);
	AUTO_TEXT struct text large = {0};
	text_init(&large, 0);
	text_add_cstr(&large, "{\"message\":\"?\",\"requestedSchema\":{\"title\":\"");
	for (size_t i = 0; i < PROMPT_OCTETS; i++) text_add_char(&large, 'x');
	text_add_cstr(&large, "\"}}");
	check_refused(large.bytes, FAULT_TOO_LARGE);
	text_clear(&large);
	text_add_cstr(&large, "{\"requestedSchema\":{},\"message\":\"");
	for (size_t i = 0; i <= PROMPT_MESSAGE; i++) text_add_char(&large, 'x');
	text_add_cstr(&large, "\"}");
	check_refused(large.bytes, FAULT_TOO_LARGE);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_form_of_one_field_is_the_prompt_of_that_field),
		cmocka_unit_test(any_other_form_is_a_custom_prompt_with_its_schema),
		cmocka_unit_test(no_answer_declines),
		cmocka_unit_test(what_is_no_form_or_too_large_is_refused),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
