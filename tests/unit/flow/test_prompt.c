/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "flow/prompt_check.h"
#include "flow/prompt_schema.h"

static struct arena arena;
static struct prompt prompt;
static struct prompt_verdict verdict;
static struct fault why;

static struct scan_value scanned(const char *json) {
	struct scan_value value;
	struct scan_fault fault;
	if (!scan_check(slice_of(json), SCAN_DEPTH, &value, &fault)) fail_msg("%s: %s", json, fault.what);
	return value;
}

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

static void read(const char *json) {
	const struct scan_value value = scanned(json);
	if (!prompt_read(&value, &arena, &prompt, &why)) fail_msg("%s: %s", json, why.text);
}

static void check_refused(const char *json, const char *part) {
	const struct scan_value value = scanned(json);
	assert_false(prompt_read(&value, &arena, &prompt, &why));
	if (!strstr(why.text, part)) fail_msg("'%s' says nothing of %s", why.text, part);
}

static void accepts(const char *answer) {
	const struct scan_value value = scanned(answer);
	assert_true(prompt_check(&prompt, &value, &arena, &verdict));
	if (!verdict.is_valid) fail_msg("%s: %s", answer, verdict.error);
}

static void refuses(const char *answer) {
	const struct scan_value value = scanned(answer);
	assert_true(prompt_check(&prompt, &value, &arena, &verdict));
	if (verdict.is_valid) fail_msg("%s is valid", answer);
	assert_true(verdict.error[0]);
}

/* Each example of appendix A comes out as it went in. */
static void prompts_of_the_text_are_read_and_written(void **state) {
	(void)state;
	static const char *const examples[] = {
		"{\"type\":\"text\",\"message\":\"Enter text:\",\"placeholder\":\"Type here...\",\"defaultValue\":\"default\","
		"\"validation\":{\"required\":true,\"pattern\":\"^[a-z]+$\",\"min\":3,\"max\":50}}",
		"{\"type\":\"choice\",\"message\":\"Select option:\",\"choices\":[{\"value\":\"a\",\"label\":\"Option A\"},"
		"{\"value\":\"b\",\"label\":\"Option B\"}],\"validation\":{\"required\":true}}",
		"{\"type\":\"confirm\",\"message\":\"Are you sure?\",\"defaultValue\":false}",
		"{\"type\":\"number\",\"message\":\"Enter amount:\",\"validation\":{\"required\":true,\"min\":0,\"max\":1000}}",
		"{\"type\":\"date\",\"message\":\"Select date:\",\"validation\":{\"required\":true}}",
	};
	for (size_t i = 0; i < COUNT_OF(examples); i++) {
		AUTO_TEXT struct text written = {0};
		read(examples[i]);
		prompt_write(&written, &prompt);
		check_text(&written, examples[i]);
	}
}

static void what_is_malformed_is_named(void **state) {
	(void)state;
	check_refused("[]", "object");
	check_refused("{\"type\":\"poem\"}", "prompt.type");
	check_refused("{\"type\":\"text\",\"message\":7}", "prompt.message");
	check_refused("{\"type\":\"choice\",\"message\":\"?\"}", "prompt.choices");
	check_refused("{\"type\":\"choice\",\"message\":\"?\",\"choices\":[]}", "prompt.choices");
	check_refused("{\"type\":\"choice\",\"message\":\"?\",\"choices\":[{\"label\":\"x\"}]}", "prompt.choices[]");
	check_refused("{\"type\":\"number\",\"message\":\"?\",\"validation\":{\"min\":\"1\"}}", "validation.min");
	check_refused("{\"type\":\"text\",\"message\":\"?\",\"validation\":[]}", "prompt.validation");
	check_refused("{\"type\":\"file\",\"message\":\"?\",\"validation\":{\"maxSize\":-1}}", "maxSize");
}

static void a_text_has_length_form_and_characters(void **state) {
	(void)state;
	read("{\"type\":\"text\",\"message\":\"?\",\"validation\":{\"required\":true,\"pattern\":\"^[a-zé]+$\",\"min\":3,\"max\":5}}");
	accepts("\"abc\"");
	accepts("\"éééé\\u00e9\""); /* five characters, ten octets */
	refuses("\"ab\"");
	refuses("\"abcdef\"");
	refuses("\"ab1\"");
	assert_non_null(strstr(verdict.suggestion, "^[a-z"));
	refuses("\"\"");
	refuses("7");
	refuses("null");
	read("{\"type\":\"text\",\"message\":\"?\",\"validation\":{\"format\":\"email\"}}");
	accepts("\"john@example.com\"");
	accepts("null");
	refuses("\"invalid-email\"");
}

/* A naive matcher would not come back from it. */
static void a_pattern_that_would_take_for_ever_is_given_up(void **state) {
	(void)state;
	read("{\"type\":\"text\",\"message\":\"?\",\"validation\":{\"pattern\":\"^(a+)+$\"}}");
	refuses("\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\"");
	read("{\"type\":\"text\",\"message\":\"?\",\"validation\":{\"pattern\":\"((((\"}}");
	refuses("\"a\"");
}

static void choices_are_compared_as_values(void **state) {
	(void)state;
	read("{\"type\":\"choice\",\"message\":\"?\",\"choices\":[{\"value\":\"a\\u0062\"},{\"value\":2},{\"value\":true}]}");
	accepts("\"ab\"");
	accepts("2.0");
	accepts("true");
	refuses("\"2\"");
	refuses("false");
	refuses("{}");
	assert_non_null(strstr(verdict.suggestion, "one of"));
}

static void numbers_have_bounds(void **state) {
	(void)state;
	read("{\"type\":\"number\",\"message\":\"?\",\"validation\":{\"min\":0,\"max\":1000,\"integer\":true}}");
	accepts("0");
	accepts("1000");
	refuses("-1");
	refuses("1001");
	refuses("1.5");
	refuses("1e999");
	refuses("\"7\"");
	assert_non_null(strstr(verdict.error, "number"));
}

static void dates_are_of_their_form_and_within_their_bounds(void **state) {
	(void)state;
	read("{\"type\":\"date\",\"message\":\"?\",\"validation\":{\"min\":\"2026-01-01\",\"max\":\"2026-12-31\"}}");
	accepts("\"2026-02-28\"");
	refuses("\"2026-02-30\"");
	refuses("\"2025-12-31\"");
	refuses("\"2027-01-01\"");
	refuses("\"tomorrow\"");
	read("{\"type\":\"date\",\"message\":\"?\",\"validation\":{\"format\":\"date-time\"}}");
	accepts("\"2026-02-28T10:00:00Z\"");
	refuses("\"2026-02-28\"");
}

static void confirmations_are_true_or_false(void **state) {
	(void)state;
	read("{\"type\":\"confirm\",\"message\":\"?\"}");
	accepts("true");
	accepts("false");
	refuses("\"yes\"");
}

static void files_are_references_of_a_size_and_a_type(void **state) {
	(void)state;
	read("{\"type\":\"file\",\"message\":\"?\",\"validation\":{\"maxSize\":1000,\"accept\":[\"image/*\",\".pdf\"]}}");
	accepts("{\"uri\":\"file:///a.png\",\"name\":\"a.png\",\"size\":1000,\"mimeType\":\"image/png\"}");
	accepts("{\"uri\":\"file:///a.PDF\",\"name\":\"a.PDF\",\"size\":1,\"mimeType\":\"x/y\"}");
	refuses("{\"uri\":\"file:///a.png\",\"name\":\"a.png\",\"size\":1001,\"mimeType\":\"image/png\"}");
	refuses("{\"uri\":\"file:///a.sh\",\"name\":\"a.sh\",\"size\":1,\"mimeType\":\"text/x-sh\"}");
	refuses("{\"uri\":\"a.png\",\"size\":1,\"mimeType\":\"image/png\"}");
	refuses("{\"uri\":\"file:///a.png\",\"mimeType\":\"image/png\"}");
	refuses("\"a.png\"");
}

static void custom_ones_are_held_against_their_schema(void **state) {
	(void)state;
	read("{\"type\":\"custom\",\"message\":\"?\",\"schema\":{\"type\":\"array\",\"items\":{\"type\":\"integer\"},\"minItems\":1}}");
	accepts("[1,2]");
	refuses("[]");
	refuses("[\"x\"]");
	assert_true(verdict.error[0]);
}

/* ---- From a tool's schema ---- */

static enum prompt_schema_next next(const char *schema, const char *given, unsigned *missing) {
	static struct scan_value values[2];
	values[0] = scanned(schema);
	values[1] = scanned(given);
	return prompt_schema_find(&values[0], &values[1], &arena, &prompt, missing);
}

static const char booking[] =
	"{\"type\":\"object\",\"$defs\":{\"Seat\":{\"enum\":[\"window\",\"aisle\"]}},\"properties\":{"
	"\"to\":{\"type\":\"string\",\"description\":\"Enter destination:\",\"minLength\":2},"
	"\"seats\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":9,\"default\":1},"
	"\"note\":{\"type\":\"string\"},"
	"\"seat\":{\"$ref\":\"#/$defs/Seat\"},"
	"\"when\":{\"type\":\"string\",\"format\":\"date\"},"
	"\"meal\":{\"anyOf\":[{\"type\":\"null\"},{\"type\":\"boolean\"}]},"
	"\"tags\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/$defs/Seat\"}}},"
	"\"required\":[\"tags\",\"to\",\"seats\",\"seat\",\"when\",\"meal\"]}";

static void what_is_missing_is_asked_for_in_order(void **state) {
	(void)state;
	unsigned missing;
	assert_int_equal(next(booking, "{}", &missing), PROMPT_SCHEMA_ASKS);
	assert_int_equal(missing, 6);
	check_slice(prompt.name, "to");
	check_slice(prompt.message, "Enter destination:");
	assert_int_equal(prompt.type, PROMPT_TEXT);
	assert_true(prompt.rules.is_required && prompt.rules.has_least);
	assert_int_equal(next(booking, "{\"to\":\"Rome\"}", &missing), PROMPT_SCHEMA_ASKS);
	check_slice(prompt.name, "seats");
	assert_int_equal(prompt.type, PROMPT_NUMBER);
	check_slice(prompt.default_value, "1");
	refuses("1.5");
	refuses("10");
	assert_int_equal(next(booking, "{\"to\":\"Rome\",\"seats\":2}", &missing), PROMPT_SCHEMA_ASKS);
	check_slice(prompt.name, "seat");
	assert_int_equal(prompt.type, PROMPT_CHOICE);
	accepts("\"window\"");
	assert_int_equal(next(booking, "{\"to\":\"Rome\",\"seats\":2,\"seat\":\"aisle\"}", &missing), PROMPT_SCHEMA_ASKS);
	assert_int_equal(prompt.type, PROMPT_DATE);
	assert_int_equal(next(booking, "{\"to\":\"Rome\",\"seats\":2,\"seat\":\"aisle\",\"when\":\"2026-01-01\"}", &missing), PROMPT_SCHEMA_ASKS);
	assert_int_equal(prompt.type, PROMPT_CONFIRM);
	assert_int_equal(next(booking, "{\"to\":\"Rome\",\"seats\":2,\"seat\":\"aisle\",\"when\":\"2026-01-01\",\"meal\":null}", &missing), PROMPT_SCHEMA_ASKS);
	assert_int_equal(prompt.type, PROMPT_CUSTOM);
	assert_int_equal(missing, 1);
	accepts("[\"window\"]");
	refuses("[\"roof\"]");
	assert_int_equal(next(booking, "{\"to\":\"Rome\",\"seats\":2,\"seat\":\"aisle\",\"when\":\"2026-01-01\",\"meal\":true,\"tags\":[]}", &missing),
		PROMPT_SCHEMA_COMPLETE);
	assert_int_equal(missing, 0);
}

static void what_does_not_fit_is_asked_for_anew(void **state) {
	(void)state;
	unsigned missing;
	assert_int_equal(next(booking, "{\"to\":\"X\",\"seats\":99}", &missing), PROMPT_SCHEMA_ASKS);
	check_slice(prompt.name, "to");
	assert_int_equal(missing, 6);
}

static void what_no_prompt_has_a_word_for_is_checked_all_the_same(void **state) {
	(void)state;
	assert_int_equal(next("{\"properties\":{\"n\":{\"type\":\"number\",\"multipleOf\":5}},\"required\":[\"n\"]}", "{}", NULL), PROMPT_SCHEMA_ASKS);
	assert_int_equal(prompt.type, PROMPT_NUMBER);
	accepts("10");
	refuses("7");
}

static void a_schema_that_asks_for_nothing_is_complete(void **state) {
	(void)state;
	assert_int_equal(next("{}", "{}", NULL), PROMPT_SCHEMA_COMPLETE);
	assert_int_equal(next("{\"properties\":{\"a\":{}}}", "{}", NULL), PROMPT_SCHEMA_COMPLETE);
	assert_int_equal(next("{\"properties\":{\"a\":{}},\"required\":[\"b\"]}", "{}", NULL), PROMPT_SCHEMA_COMPLETE);
	assert_int_equal(next("true", "{}", NULL), PROMPT_SCHEMA_COMPLETE);
}

static void titles_of_constants_are_labels(void **state) {
	(void)state;
	assert_int_equal(next("{\"properties\":{\"c\":{\"oneOf\":[{\"const\":1,\"title\":\"One\"},{\"const\":2,\"title\":\"Two\"}]}},\"required\":[\"c\"]}", "{}", NULL),
		PROMPT_SCHEMA_ASKS);
	assert_int_equal(prompt.type, PROMPT_CHOICE);
	assert_int_equal(prompt.choice_count, 2);
	check_slice(prompt.choices[1].label, "Two");
	accepts("2");
	refuses("3");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(prompts_of_the_text_are_read_and_written),
		TEST(what_is_malformed_is_named),
		TEST(a_text_has_length_form_and_characters),
		TEST(a_pattern_that_would_take_for_ever_is_given_up),
		TEST(choices_are_compared_as_values),
		TEST(numbers_have_bounds),
		TEST(dates_are_of_their_form_and_within_their_bounds),
		TEST(confirmations_are_true_or_false),
		TEST(files_are_references_of_a_size_and_a_type),
		TEST(custom_ones_are_held_against_their_schema),
		TEST(what_is_missing_is_asked_for_in_order),
		TEST(what_does_not_fit_is_asked_for_anew),
		TEST(what_no_prompt_has_a_word_for_is_checked_all_the_same),
		TEST(a_schema_that_asks_for_nothing_is_complete),
		TEST(titles_of_constants_are_labels),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
