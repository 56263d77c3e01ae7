/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "base/pattern.h"
#include "mcp/schema.h"

#include <stdio.h>
#include <stdlib.h>

static struct schema *schema_of(const char *text) {
	struct fault why = {0};
	struct schema *schema = schema_read(slice_of(text), &why);
	if (!schema) print_error("%s\n", why.text);
	assert_non_null(schema);
	return schema;
}

static bool fits(const char *text, const char *instance) {
	AUTO(schema) schema = schema_of(text);
	return schema_check(schema, slice_of(instance), NULL);
}

struct found {
	struct schema_finding list[4];
	struct schema_findings findings;
};

static void check(struct found *found, const char *text, const char *instance) {
	AUTO(schema) schema = schema_of(text);
	found->findings = (struct schema_findings){
		.subject = "arguments", .list = found->list, .most = COUNT_OF(found->list)};
	bool is_fine = schema_check(schema, slice_of(instance), &found->findings);
	assert_int_equal(is_fine, found->findings.count == 0);
	assert_int_equal(is_fine, schema_check(schema, slice_of(instance), NULL));
}

/* The one thing that is wrong. */
static void wrong(const char *text, const char *instance, const char *keyword, const char *where,
	const char *sentence) {
	struct found found;
	check(&found, text, instance);
	assert_int_equal(found.findings.count, 1);
	assert_string_equal(found.list[0].sentence, sentence);
	assert_string_equal(found.list[0].keyword, keyword);
	assert_string_equal(found.list[0].where, where);
}

static const char tool[] =
	"{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"},\"count\":{\"type\":\"integer\","
	"\"minimum\":1,\"maximum\":10},\"mode\":{\"enum\":[\"fast\",\"slow\"]},\"note\":{\"anyOf\":["
	"{\"type\":\"string\"},{\"type\":\"null\"}]},\"list\":{\"type\":\"array\",\"items\":{\"type\":"
	"[\"number\",\"null\"]},\"uniqueItems\":true}},\"required\":[\"path\"],\"additionalProperties\":false}";

static void a_sentence_says_what_is_wrong_and_what_is_wanted(void **state) {
	(void)state;
	wrong(tool, "{}", "required", "/path", "arguments.path is missing: it has to be a string");
	wrong(tool, "{\"path\":7}", "type", "/path", "arguments.path is 7: it has to be a string");
	wrong(tool, "{\"path\":\"a\",\"count\":12}", "maximum", "/count", "arguments.count is 12: at most 10");
	wrong(tool, "{\"path\":\"a\",\"count\":1.5}", "type", "/count",
		"arguments.count is 1.5: it has to be a whole number");
	wrong(tool, "{\"path\":\"a\",\"mode\":\"x\"}", "enum", "/mode",
		"arguments.mode has to be one of: \"fast\", \"slow\"");
	wrong(tool, "{\"path\":\"a\",\"note\":true}", "anyOf", "/note",
		"arguments.note is true: it has to be a string or null");
	wrong(tool, "{\"path\":\"a\",\"list\":[1,\"x\"]}", "type", "/list/1",
		"arguments.list[1] is a string: it has to be a number or null");
	wrong(tool, "{\"path\":\"a\",\"list\":[1,2,1.0]}", "uniqueItems", "/list",
		"arguments.list has the same element at 0 and at 2: all have to differ");
	wrong(tool, "{\"path\":\"a\",\"a/b~\":1}", "additionalProperties", "/a~1b~0",
		"arguments[\"a/b~\"] is not known here: leave it out; known are path, count, mode, note, list");
	wrong("{\"propertyNames\":{\"maxLength\":1}}", "{\"bc\":1}", "maxLength", "/bc",
		"the name of arguments.bc has 2 characters: at most 1");
	wrong("{\"dependentRequired\":{\"a\":[\"b\"]}}", "{\"a\":1}", "dependentRequired", "/b",
		"arguments.b is missing: it has to be there beside a");
	wrong("{\"pattern\":\"^a\"}", "\"secret\"", "pattern", "", "arguments does not match the pattern ^a");
	wrong("true", "{", "", "", "arguments is not JSON: a key in quotes is due at octet 1");
}

static void of_several_forms_the_nearest_is_explained(void **state) {
	static const char forms[] =
		"{\"oneOf\":[{\"properties\":{\"kind\":{\"const\":\"a\"}},\"required\":[\"kind\"]},{\"properties\":"
		"{\"kind\":{\"const\":\"b\"},\"size\":{\"type\":\"number\",\"maximum\":3}},\"required\":[\"kind\"]}]}";
	(void)state;
	wrong(forms, "{\"kind\":\"b\",\"size\":9}", "oneOf", "",
		"arguments fits none of the 2 forms it may have; the nearest: arguments.size is 9: at most 3");
	wrong("{\"oneOf\":[{\"type\":\"integer\"},{\"minimum\":2},{\"type\":\"null\"}]}", "3", "oneOf", "",
		"arguments fits two of the 3 forms it may have (the 1. and the 2.): it has to fit one alone");
}

static void all_that_is_wrong_is_told_up_to_what_the_list_holds(void **state) {
	struct found found;
	(void)state;
	check(&found, tool, "{\"count\":0,\"mode\":1,\"list\":3}");
	assert_int_equal(found.findings.count, 4);
	check(&found, "{\"items\":{\"type\":\"null\"}}", "[1,2,3,4,5,6,7]");
	assert_int_equal(found.findings.count, 4);
	assert_string_equal(found.list[3].where, "/3");
}

static void hidden_characters_and_long_names_do_not_get_into_a_sentence(void **state) {
	struct found found;
	char instance[3000];
	(void)state;
	check(&found, "{\"additionalProperties\":false}", "{\"a\\n\\u202eb\":1}");
	assert_null(strchr(found.list[0].sentence, '\n'));
	assert_null(strstr(found.list[0].sentence, "\xe2\x80\xae"));
	snprintf(instance, sizeof instance, "{\"%02000d\":1}", 7);
	check(&found, "{\"additionalProperties\":false}", instance);
	assert_non_null(strstr(found.list[0].sentence, "... is not known here"));
}

static void numbers_are_exact(void **state) {
	(void)state;
	assert_true(fits("{\"const\":1e400}", "10e399"));
	assert_false(fits("{\"const\":1e400}", "1e401"));
	assert_true(fits("{\"maximum\":12345678901234567890}", "12345678901234567890"));
	assert_false(fits("{\"maximum\":12345678901234567890}", "12345678901234567891"));
	assert_false(fits("{\"exclusiveMaximum\":0.1}", "0.1"));
	assert_true(fits("{\"exclusiveMaximum\":0.1}", "0.09999999999999999999999999999"));
	assert_false(fits("{\"minimum\":-1e-400}", "-1.1e-400"));
	assert_true(fits("{\"multipleOf\":0.01}", "4.35"));
	assert_false(fits("{\"multipleOf\":0.01}", "4.355"));
	assert_true(fits("{\"multipleOf\":3}", "3e99999999999999999999"));
	assert_false(fits("{\"multipleOf\":3}", "10e99999999999999999999"));
	assert_true(fits("{\"type\":\"integer\"}", "1.50e1"));
	assert_false(fits("{\"type\":\"integer\"}", "1.5e0"));
	assert_true(fits("{\"enum\":[0]}", "-0.0e7"));
}

static void text_is_compared_as_it_is_read(void **state) {
	(void)state;
	assert_true(fits("{\"const\":{\"a\":[1],\"\\u00e9\":\"\\ud83d\\ude00\"}}",
		"{\"\xc3\xa9\":\"\xf0\x9f\x98\x80\",\"\\u0061\":[1.0]}"));
	assert_true(fits("{\"maxLength\":2}", "\"\\ud83d\\ude00\xc3\xa9\""));
	assert_false(fits("{\"minLength\":3}", "\"\\ud83d\\ude00\xc3\xa9\""));
	assert_false(fits("{\"required\":[\"a\"],\"additionalProperties\":false}", "{\"\\u0061\":1}"));
	assert_true(fits("{\"required\":[\"a\"],\"properties\":{\"a\":true}}", "{\"\\u0061\":1}"));
	assert_true(fits("{\"patternProperties\":{\"^a$\":{}},\"additionalProperties\":false}", "{\"\\u0061\":1}"));
	assert_true(fits("{\"dependentRequired\":{\"a\":[\"\\u0062\"]}}", "{\"a\":1,\"b\":2}"));
}

static void old_spellings_count(void **state) {
	(void)state;
	assert_false(fits("{\"minimum\":3,\"exclusiveMinimum\":true}", "3"));
	assert_true(fits("{\"minimum\":3,\"exclusiveMinimum\":false}", "3"));
	assert_false(fits("{\"items\":[true],\"additionalItems\":false}", "[1,2]"));
	assert_false(fits("{\"items\":[],\"additionalItems\":false}", "[1]"));
	assert_false(fits("{\"definitions\":{\"a\":{\"type\":\"null\"}},\"$ref\":\"#/definitions/a\"}", "1"));
	assert_false(fits("{\"dependencies\":{\"a\":[\"b\"],\"c\":{\"maxProperties\":1}}}", "{\"a\":1}"));
	assert_false(fits("{\"dependencies\":{\"a\":[\"b\"],\"c\":{\"maxProperties\":1}}}", "{\"c\":1,\"d\":1}"));
	/* Beside $ref, draft-07 sees nothing; 2020-12 sees all. */
	assert_true(fits("{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"$ref\":\"#/definitions/a\","
			 "\"type\":\"null\",\"definitions\":{\"a\":{\"minimum\":0}}}",
		"1"));
	assert_false(fits("{\"$ref\":\"#/definitions/a\",\"type\":\"null\",\"definitions\":{\"a\":{}}}", "1"));
}

static void noted(const char *text, const char *where, const char *what) {
	AUTO(schema) schema = schema_of(text);
	assert_int_equal(schema_note_count(schema), 1);
	assert_string_equal(schema_note_at(schema, 0)->where, where);
	assert_string_equal(schema_note_at(schema, 0)->what, what);
	assert_null(schema_note_at(schema, 1));
	assert_true(schema_check(schema, SLICE("\"anything\""), NULL));
}

static void what_cannot_be_followed_accepts_and_is_noted(void **state) {
	(void)state;
	noted("{\"$ref\":\"https://other.example/schema#/a\"}", "/$ref",
		"the reference to https://other.example/schema#/a is not followed: nothing in this schema has that name");
	noted("{\"pattern\":\"x\",\"pattern\":\"y\"}", "/pattern", "the keyword stands here twice: the last one counts");
	noted("{\"pattern\":\"(\"}", "/pattern",
		"the pattern matches everything, since it cannot be read: missing closing parenthesis");
	noted("{\"minLength\":\"3\"}", "/minLength",
		"minLength counts for nothing: it has to be a whole number, 0 or more");
	noted("{\"allOf\":[{\"nullable\":true}]}", "/allOf/0/nullable",
		"the keyword is unknown, and counts for nothing");
	noted("{\"anyOf\":[{\"type\":\"null\"},7]}", "/anyOf/1",
		"this counts for nothing: a schema has to be an object, true or false");
}

static void formats_count_where_that_is_asked_for(void **state) {
	struct schema_options options = {.asserts_formats = true};
	struct fault why;
	struct found found = {.findings = {.subject = "it", .list = found.list, .most = 1}};
	(void)state;
	assert_true(fits("{\"format\":\"date\"}", "\"today\""));
	AUTO(schema) schema = schema_read_as(SLICE("{\"format\":\"date\"}"), &options, &why);
	assert_non_null(schema);
	assert_true(schema_check(schema, SLICE("\"2024-02-29\""), NULL));
	assert_true(schema_check(schema, SLICE("1"), NULL));
	assert_false(schema_check(schema, SLICE("\"2023-02-29\""), &found.findings));
	assert_string_equal(found.list[0].sentence, "it has to be a date (YYYY-MM-DD) like 2026-01-31");
	AUTO(schema) uri = schema_read_as(SLICE("{\"format\":\"uri\"}"), &options, &why);
	assert_non_null(uri);
	assert_true(schema_check(uri, SLICE("\"a+b:c\""), NULL));
	assert_false(schema_check(uri, SLICE("\"a\\u0000b:c\""), NULL));
	assert_false(schema_check(uri, SLICE("\"a:b\\u0000\""), NULL));
}

/* ---- Bounds ---- */

static void refused(struct text *text, enum fault_code code, const char *words) {
	struct fault why = {0};
	assert_false(text_failed(text));
	AUTO(schema) schema = schema_read(text_slice(text), &why);
	assert_null(schema);
	assert_int_equal(why.code, code);
	assert_non_null(strstr(why.text, words));
}

static void a_schema_has_its_bounds(void **state) {
	AUTO_TEXT struct text text = {0};
	(void)state;
	text_init(&text, 0);
	text_add_cstr(&text, "{\"title\":\"");
	for (size_t i = 0; i < SCHEMA_OCTETS; i++) text_add_char(&text, 'x');
	text_add_cstr(&text, "\"}");
	refused(&text, FAULT_TOO_LARGE, "at most 1048576");

	text_clear(&text);
	text_add_cstr(&text, "{\"allOf\":[true");
	for (size_t i = 0; i < SCHEMA_NODES; i++) text_add_cstr(&text, ",{}");
	text_add_cstr(&text, "]}");
	refused(&text, FAULT_TOO_LARGE, "20000 schemas");

	text_clear(&text);
	for (size_t i = 0; i < SCAN_DEPTH + 1; i++) text_add_cstr(&text, "{\"not\":");
	refused(&text, FAULT_BAD_INPUT, "too many levels");

	text_clear(&text);
	text_add_cstr(&text, "{\"allOf\":[true");
	for (size_t i = 0; i < 3000; i++) text_printf(&text, ",{\"$ref\":\"#/$defs/none%zu\"}", i);
	text_add_cstr(&text, "],\"$defs\":{\"a\":{\"title\":\"");
	for (size_t i = 0; i < 300000; i++) text_add_char(&text, 'x');
	text_add_cstr(&text, "\"}}}");
	refused(&text, FAULT_TOO_LARGE, "write fewer of them");

	text_clear(&text);
	text_add_cstr(&text, "{\"allOf\":[true");
	for (size_t i = 0; i < 400; i++) text_printf(&text, ",{\"pattern\":\"([a-z%zu]x){800}\"}", i);
	text_add_cstr(&text, "]}");
	refused(&text, FAULT_TOO_LARGE, "the patterns of a schema");
}

static void notes_have_their_bound(void **state) {
	AUTO_TEXT struct text text = {0};
	struct fault why;
	(void)state;
	text_init(&text, 0);
	for (size_t i = 0; i < SCHEMA_NOTES + 5; i++) text_printf(&text, "%s\"x%zu\":1", i ? "," : "{", i);
	text_add_char(&text, '}');
	AUTO(schema) schema = schema_read(text_slice(&text), &why);
	assert_non_null(schema);
	assert_int_equal(schema_note_count(schema), SCHEMA_NOTES);
}

static void ended(const char *schema, const char *instance, const char *sentence) {
	wrong(schema, instance, "", "", sentence);
}

static void a_check_that_takes_too_long_says_so_and_fits_nothing(void **state) {
	static const char many[] = "arguments cannot be checked: it takes too many steps; send less at once";
	char deep[200] = "";
	(void)state;
	ended("{\"$ref\":\"#\"}", "1",
		"arguments cannot be checked: the schema applies itself too many times over");
	ended("{\"not\":{\"$ref\":\"#\"}}", "1",
		"arguments cannot be checked: the schema applies itself too many times over");
	ended("{\"pattern\":\"^(a+)+$\"}", "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\"",
		"arguments cannot be checked: a pattern takes too long on one of its strings");
	ended("{\"patternProperties\":{\"^(a+)+$\":{}}}", "{\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\":1}",
		"arguments cannot be checked: a pattern takes too long on one of its names");
	ended("{\"not\":{\"pattern\":\"^(a+)+$\"}}", "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\"",
		"arguments cannot be checked: a pattern takes too long on one of its strings");
	memset(deep, '[', 50);
	memset(deep + 50, ']', 50);
	ended("{\"not\":{\"items\":{\"$ref\":\"#/$defs/a\"}},\"$defs\":{\"a\":{\"oneOf\":[{\"items\":{\"$ref\":"
	      "\"#/$defs/a\"}},{\"items\":{\"$ref\":\"#/$defs/a\"}}]}}}",
		deep, many);
}

static void a_large_instance_is_checked_whole(void **state) {
	AUTO_TEXT struct text text = {0};
	(void)state;
	text_init(&text, 0);
	for (int i = 0; i < 100000; i++) text_printf(&text, "%s{\"n\":%d}", i ? "," : "[", i);
	text_add_char(&text, ']');
	AUTO(schema) unique = schema_of(
		"{\"uniqueItems\":true,\"items\":{\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"],"
		"\"unevaluatedProperties\":false}}");
	assert_true(schema_check(unique, text_slice(&text), NULL));
	text.length--;
	text_add_cstr(&text, ",{\"n\":5e1}]");
	assert_false(schema_check(unique, text_slice(&text), NULL));
}

static void many_members_are_told_apart(void **state) {
	AUTO_TEXT struct text schema = {0}, instance = {0};
	(void)state;
	text_init(&schema, 0);
	text_init(&instance, 0);
	text_add_cstr(&schema, "{\"unevaluatedProperties\":false,\"anyOf\":[{\"properties\":{");
	for (int i = 0; i < 500; i++) {
		text_printf(&schema, "%s\"p%d\":{\"const\":%d}", i ? "," : "", i, i);
		text_printf(&instance, "%s\"p%d\":%d", i ? "," : "{", i, i);
	}
	text_add_cstr(&schema, "}}],\"required\":[");
	for (int i = 0; i < 500; i++) text_printf(&schema, "%s\"p%d\"", i ? "," : "", i);
	text_add_cstr(&schema, "]}");
	AUTO(schema) read = schema_of(schema.bytes);
	text_add_char(&instance, '}');
	assert_true(schema_check(read, text_slice(&instance), NULL));
	instance.length--;
	text_add_cstr(&instance, ",\"q\":1}");
	assert_false(schema_check(read, text_slice(&instance), NULL));
	assert_false(schema_check(read, SLICE("{\"p0\":0}"), NULL));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sentence_says_what_is_wrong_and_what_is_wanted),
		cmocka_unit_test(of_several_forms_the_nearest_is_explained),
		cmocka_unit_test(all_that_is_wrong_is_told_up_to_what_the_list_holds),
		cmocka_unit_test(hidden_characters_and_long_names_do_not_get_into_a_sentence),
		cmocka_unit_test(numbers_are_exact),
		cmocka_unit_test(text_is_compared_as_it_is_read),
		cmocka_unit_test(old_spellings_count),
		cmocka_unit_test(what_cannot_be_followed_accepts_and_is_noted),
		cmocka_unit_test(formats_count_where_that_is_asked_for),
		cmocka_unit_test(a_schema_has_its_bounds),
		cmocka_unit_test(notes_have_their_bound),
		cmocka_unit_test(a_check_that_takes_too_long_says_so_and_fits_nothing),
		cmocka_unit_test(a_large_instance_is_checked_whole),
		cmocka_unit_test(many_members_are_told_apart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
