/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "flow/prompt_check.h"
#include "flow/prompt_form.h"
#include "flow/prompt_schema.h"

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

/* The field that a property is. */
static void check_field(const char *property, bool is_modern, const char *field) {
	char schema[600], whole[900];
	struct prompt prompt;
	struct prompt_schema_count count;
	AUTO_TEXT struct text form = {0};
	text_init(&form, 0);
	snprintf(schema, sizeof schema, "{\"properties\":{\"p\":%s},\"required\":[\"p\"]}", property);
	const struct scan_value scanned_schema = scanned(schema), none = {.type = SCAN_NONE};
	assert_int_equal(prompt_schema_list(&scanned_schema, &none, &arena, &prompt, 1, &count), PROMPT_SCHEMA_ASKS);
	assert_int_equal(count.all, 1);
	prompt_form_write(&form, SLICE("m"), &prompt, 1, is_modern);
	snprintf(whole, sizeof whole,
		"{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"p\":%s},\"required\":[\"p\"]}}", field);
	if (!slice_is(text_slice(&form), whole)) fail_msg("%s\n%s", form.bytes, whole);
	(void)scanned(form.bytes);
}

static void each_property_is_a_field_that_forms_know(void **state) {
	(void)state;
	check_field("{\"type\":\"string\",\"title\":\"P\",\"description\":\"Which?\",\"maxLength\":9,\"format\":\"email\",\"default\":\"a@b\"}", false,
		"{\"type\":\"string\",\"minLength\":1,\"maxLength\":9,\"format\":\"email\",\"title\":\"P\",\"description\":\"Which?\",\"default\":\"a@b\"}");
	check_field("{\"type\":\"integer\",\"minimum\":-1,\"maximum\":1e3,\"default\":3}", true,
		"{\"type\":\"integer\",\"minimum\":-1,\"maximum\":1000,\"title\":\"p\",\"description\":\"p\",\"default\":3}");
	check_field("{\"type\":\"number\",\"minimum\":0.5,\"default\":\"no number\"}", true,
		"{\"type\":\"number\",\"minimum\":0.5,\"title\":\"p\",\"description\":\"p\"}");
	check_field("{\"type\":\"boolean\",\"default\":true}", false,
		"{\"type\":\"boolean\",\"title\":\"p\",\"description\":\"p\",\"default\":true}");
	check_field("{\"type\":\"string\",\"format\":\"date-time\"}", false,
		"{\"type\":\"string\",\"format\":\"date-time\",\"title\":\"p\",\"description\":\"p\"}");
	check_field("{\"type\":\"string\",\"format\":\"time\"}", false,
		"{\"type\":\"string\",\"title\":\"p\",\"description\":\"p (a time such as 14:30:00Z)\"}");
	check_field("{\"type\":\"string\",\"pattern\":\"^a\"}", false,
		"{\"type\":\"string\",\"minLength\":1,\"title\":\"p\",\"description\":\"p (has to match ^a)\"}");
	check_field("{\"type\":\"array\",\"default\":[1]}", false,
		"{\"type\":\"string\",\"title\":\"p\",\"description\":\"p (as JSON, of the schema {\\\"type\\\":\\\"array\\\",\\\"default\\\":[1]})\","
		"\"default\":\"[1]\"}");
}

static void choices_are_strings_with_labels_of_their_era(void **state) {
	(void)state;
	check_field("{\"enum\":[\"a\",2,null],\"default\":2}", true,
		"{\"type\":\"string\",\"enum\":[\"a\",\"2\",\"null\"],\"title\":\"p\",\"description\":\"p\",\"default\":\"2\"}");
	check_field("{\"oneOf\":[{\"const\":1,\"title\":\"One\"},{\"const\":\"b\"}]}", false,
		"{\"type\":\"string\",\"enum\":[\"1\",\"b\"],\"enumNames\":[\"One\",\"b\"],\"title\":\"p\",\"description\":\"p\"}");
	check_field("{\"oneOf\":[{\"const\":1,\"title\":\"One\"},{\"const\":\"b\"}]}", true,
		"{\"type\":\"string\",\"oneOf\":[{\"const\":\"1\",\"title\":\"One\"},{\"const\":\"b\",\"title\":\"b\"}],\"title\":\"p\",\"description\":\"p\"}");
}

/* What a form's content says of a property, as JSON; NULL: nothing. */
static void check_read(const char *property, const char *content, const char *json, bool fits) {
	char schema[600];
	struct prompt prompt;
	struct scan_value value;
	struct prompt_verdict verdict;
	snprintf(schema, sizeof schema, "{\"properties\":{\"p\":%s},\"required\":[\"p\"]}", property);
	const struct scan_value whole = scanned(schema), given = scanned(content);
	assert_true(prompt_schema_of(&whole, SLICE("p"), &arena, &prompt));
	assert_true(prompt_form_read(&given, &prompt, &arena, &value));
	if (json) check_slice(value.text, json);
	else assert_int_equal(value.type, SCAN_NONE);
	assert_true(prompt_check(&prompt, &value, &arena, &verdict));
	if (verdict.is_valid != fits) fail_msg("%s: %s", content, verdict.error);
}

static void answers_become_values_again(void **state) {
	(void)state;
	check_read("{\"type\":\"string\"}", "{\"\\u0070\":\"x\"}", "\"x\"", true);
	check_read("{\"type\":\"string\"}", "{\"q\":\"x\"}", NULL, false);
	check_read("{\"type\":\"string\"}", "[]", NULL, false);
	check_read("{\"enum\":[\"a\",2,null]}", "{\"p\":\"2\"}", "2", true);
	check_read("{\"enum\":[\"a\",2,null]}", "{\"p\":\"a\"}", "\"a\"", true);
	check_read("{\"enum\":[\"a\",2,null]}", "{\"p\":\"b\"}", "\"b\"", false);
	check_read("{\"type\":\"array\",\"items\":{\"type\":\"string\"}}", "{\"p\":\"[\\\"a\\\"]\"}", "[\"a\"]", true);
	check_read("{\"type\":\"array\",\"items\":{\"type\":\"string\"}}", "{\"p\":[\"a\"]}", "[\"a\"]", true);
	check_read("{\"type\":\"array\"}", "{\"p\":\"[1,\"}", "\"[1,\"", false);
	check_read("{\"type\":\"object\"}", "{\"p\":\"{\\\"a\\\":1,\\\"a\\\":2}\"}", "\"{\\\"a\\\":1,\\\"a\\\":2}\"", false);
	check_read("{\"type\":\"integer\"}", "{\"p\":\"7\"}", "\"7\"", false);
}

static void only_what_can_be_asked_for_is_listed(void **state) {
	(void)state;
	struct prompt prompts[2];
	struct prompt_schema_count count;
	const struct scan_value schema =
		scanned("{\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{\"type\":\"integer\"},\"c\":{},\"d\":true},\"required\":[\"a\",\"b\",\"c\"]}");
	const struct scan_value given = scanned("{\"b\":\"x\"}"), most = scanned("{\"a\":\"x\",\"c\":1,\"b\":7}");
	const struct scan_value vain = scanned("{\"properties\":{\"a\":{\"type\":\"string\"},\"d\":true},\"required\":[\"a\",\"d\"]}");
	assert_int_equal(prompt_schema_list(&schema, &given, &arena, prompts, 2, &count), PROMPT_SCHEMA_ASKS);
	assert_int_equal(count.all, 3);
	assert_int_equal(count.absent, 2);
	check_slice(prompts[0].name, "a");
	check_slice(prompts[1].name, "b");
	assert_int_equal(prompt_schema_list(&schema, &most, &arena, prompts, 2, &count), PROMPT_SCHEMA_COMPLETE);
	assert_int_equal(prompt_schema_list(&vain, &given, &arena, prompts, 2, &count), PROMPT_SCHEMA_COMPLETE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(each_property_is_a_field_that_forms_know),
		TEST(choices_are_strings_with_labels_of_their_era),
		TEST(answers_become_values_again),
		TEST(only_what_can_be_asked_for_is_listed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
