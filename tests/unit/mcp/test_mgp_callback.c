/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks of MGP: what is one, what is an answer, and both as a form of an elicitation. */
#include "check.h"

#include "mcp/mgp_form.h"

#include <stdio.h>
#include <stdlib.h>

static struct scan_value value_of(const char *json) {
	struct scan_value root;
	struct scan_fault fault;
	assert_true(scan_check(slice_of(json), SCAN_DEPTH, &root, &fault));
	return root;
}

static struct mgp_callback callback_of(const char *json) {
	const struct scan_value params = value_of(json);
	struct mgp_callback callback;
	struct fault why = {0};
	if (!mgp_callback_read(&params, &callback, &why)) fail_msg("%s: %s", json, why.text);
	return callback;
}

#define EXAMPLE \
	"{\"callback_id\":\"cb-001\",\"request_id\":20,\"type\":\"confirmation\",\"message\":\"Continue?\"," \
	"\"options\":[\"confirm\",\"cancel\"],\"timeout_ms\":60000}"

static void the_example_of_the_text_is_read_and_written(void **state) {
	(void)state;
	struct mgp_callback callback = callback_of(EXAMPLE);
	AUTO_TEXT struct text shown = {0}, about = {0};
	text_init(&shown, 0);
	text_init(&about, 0);
	assert_int_equal(callback.type, MGP_CONFIRMATION);
	check_slice(callback.id, "\"cb-001\"");
	check_slice(callback.request.text, "20");
	assert_int_equal(callback.timeout_ms, 60000);
	mgp_callback_write(&shown, &callback, "cb-x");
	check_text(&shown, "{\"callback_id\":\"cb-x\",\"type\":\"confirmation\",\"message\":\"Continue?\",\"options\":[\"confirm\",\"cancel\"],\"timeout_ms\":60000}");
	const struct scan_value params = value_of(shown.bytes);
	mgp_callback_write_about(&about, &params, SLICE("\"a\""));
	check_text(&about, "{\"request_id\":\"a\",\"callback_id\":\"cb-x\",\"type\":\"confirmation\",\"message\":\"Continue?\",\"options\":[\"confirm\",\"cancel\"],\"timeout_ms\":60000}");
}

static void what_is_none_is_refused_by_the_name_of_its_member(void **state) {
	(void)state;
	static const char *const rows[][2] = {
		{"[]", "params"},
		{"{}", "type"},
		{"{\"callback_id\":{},\"type\":\"input\",\"message\":\"m\"}", "callback_id"},
		{"{\"type\":\"input\",\"message\":\"m\"}", "callback_id"},
		{"{\"callback_id\":\"a\",\"type\":\"order\",\"message\":\"m\"}", "type"},
		{"{\"callback_id\":\"a\",\"type\":7,\"message\":\"m\"}", "type"},
		{"{\"callback_id\":\"a\",\"type\":\"input\"}", "message"},
		{"{\"callback_id\":\"a\",\"type\":\"input\",\"message\":[]}", "message"},
		{"{\"callback_id\":\"a\",\"type\":\"selection\",\"message\":\"m\"}", "options"},
		{"{\"callback_id\":\"a\",\"type\":\"selection\",\"message\":\"m\",\"options\":[]}", "options"},
		{"{\"callback_id\":\"a\",\"type\":\"selection\",\"message\":\"m\",\"options\":\"x\"}", "options"},
		{"{\"callback_id\":\"a\",\"type\":\"selection\",\"message\":\"m\",\"options\":[1]}", "options"},
		{"{\"callback_id\":\"a\",\"type\":\"selection\",\"message\":\"m\",\"options\":[\"x\",\"\\u0078\"]}", "options"},
		{"{\"callback_id\":\"a\",\"type\":\"input\",\"message\":\"m\",\"schema\":7}", "schema"},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const struct scan_value params = value_of(rows[i][0]);
		struct mgp_callback callback;
		struct fault why = {0};
		assert_false(mgp_callback_read(&params, &callback, &why));
		if (!strstr(why.text, rows[i][1])) fail_msg("%s: %s", rows[i][0], why.text);
	}
}

static void every_bound_is_held(void **state) {
	(void)state;
	static const struct {
		const char *before, *piece, *after;
		unsigned times;
	} rows[] = {
		{"{\"callback_id\":\"", "x", "\",\"type\":\"input\",\"message\":\"m\"}", MGP_CALLBACK_ID},
		{"{\"callback_id\":\"a\",\"type\":\"input\",\"message\":\"", "x", "\"}", MGP_CALLBACK_MESSAGE},
		{"{\"callback_id\":\"a\",\"type\":\"selection\",\"message\":\"m\",\"options\":[\"", "x", "\"]}", MGP_CALLBACK_OPTION},
		{"{\"callback_id\":\"a\",\"type\":\"input\",\"message\":\"m\",\"schema\":{\"title\":\"", "x", "\"}}", MGP_CALLBACK_SCHEMA},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		AUTO_TEXT struct text text = {0};
		struct mgp_callback callback;
		text_init(&text, 0);
		text_add_cstr(&text, rows[i].before);
		for (unsigned n = 0; n < rows[i].times; n++) text_add_cstr(&text, rows[i].piece);
		text_add_cstr(&text, rows[i].after);
		const struct scan_value params = value_of(text.bytes);
		assert_false(mgp_callback_read(&params, &callback, NULL));
	}
	AUTO_TEXT struct text many = {0};
	struct mgp_callback callback;
	text_init(&many, 0);
	text_add_cstr(&many, "{\"callback_id\":\"a\",\"type\":\"selection\",\"message\":\"m\",\"options\":[\"0\"");
	for (int i = 1; i <= MGP_CALLBACK_OPTIONS; i++) text_printf(&many, ",\"%d\"", i);
	text_add_cstr(&many, "]}");
	const struct scan_value params = value_of(many.bytes);
	assert_false(mgp_callback_read(&params, &callback, NULL));
}

static void its_time_is_within_bounds(void **state) {
	(void)state;
	static const struct {
		const char *said;
		uint64_t wanted;
	} rows[] = {{"1", 1000}, {"0", 1000}, {"-5", 1000}, {"2500", 2500}, {"1e9", 3600000}, {"\"5\"", 60000}, {"null", 60000}};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		char text[160];
		snprintf(text, sizeof text, "{\"callback_id\":1,\"type\":\"input\",\"message\":\"m\",\"timeout_ms\":%s}", rows[i].said);
		assert_int_equal(callback_of(text).timeout_ms, rows[i].wanted);
	}
}

#define OF(type, more) "{\"callback_id\":\"a\",\"type\":\"" type "\",\"message\":\"m\"" more "}"
#define SCHEMA \
	",\"schema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}"

static void what_is_an_answer_is_judged(void **state) {
	(void)state;
	static const struct {
		const char *asked, *said;
		bool is_one;
	} rows[] = {
		{EXAMPLE, "\"confirm\"", true},
		{EXAMPLE, "\"\\u0063onfirm\"", true},
		{EXAMPLE, "\"yes\"", false},
		{EXAMPLE, "true", false},
		{EXAMPLE, "null", false},
		{OF("confirmation", ""), "true", true},
		{OF("confirmation", ""), "\"cancel\"", true},
		{OF("confirmation", ""), "\"perhaps\"", false},
		{OF("confirmation", ""), "1", false},
		{OF("input", ""), "\"\"", true},
		{OF("input", ""), "7", true},
		{OF("input", ""), "{}", false},
		{OF("input", ",\"options\":[\"x\"]"), "\"y\"", false},
		{OF("input", SCHEMA), "{\"n\":1}", true},
		{OF("input", SCHEMA), "{\"n\":\"1\"}", false},
		{OF("input", SCHEMA), "1", false},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct mgp_callback callback = callback_of(rows[i].asked);
		const struct scan_value said = value_of(rows[i].said);
		struct fault why = {0};
		if (mgp_callback_accepts(&callback, &said, &why) != rows[i].is_one)
			fail_msg("%s to %s: %s", rows[i].said, rows[i].asked, why.text);
		assert_int_equal(why.text[0] == '\0', rows[i].is_one);
	}
	static char much[MGP_CALLBACK_RESPONSE + 8];
	memset(much, 'x', sizeof much);
	much[0] = much[sizeof much - 2] = '"';
	much[sizeof much - 1] = '\0';
	struct mgp_callback callback = callback_of(OF("input", ""));
	const struct scan_value said = value_of(much);
	assert_false(mgp_callback_accepts(&callback, &said, NULL));
}

static void yes_and_no_have_words(void **state) {
	(void)state;
	static const char *const rows[][3] = {
		{EXAMPLE, "{\"response\":\"confirm\"}", "{\"response\":\"cancel\"}"},
		{OF("confirmation", ""), "{\"response\":true}", "{\"response\":null,\"reason\":\"declined\"}"},
		{OF("confirmation", ",\"options\":[\"go\",\"stay\"]"), "{\"response\":\"go\"}", "{\"response\":null,\"reason\":\"declined\"}"},
		{OF("selection", ",\"options\":[\"cancel\",\"x\"]"), "", "{\"response\":\"cancel\"}"},
		{OF("input", ""), "", "{\"response\":null,\"reason\":\"declined\"}"},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct mgp_callback callback = callback_of(rows[i][0]);
		AUTO_TEXT struct text yes = {0}, no = {0};
		text_init(&yes, 0);
		text_init(&no, 0);
		assert_int_equal(mgp_callback_write_yes(&yes, &callback), rows[i][1][0] != '\0');
		check_slice(text_slice(&yes), rows[i][1]);
		mgp_callback_write_no(&no, &callback);
		check_text(&no, rows[i][2]);
	}
}

/* ---- Forms ---- */

static void a_callback_is_a_form(void **state) {
	(void)state;
#define ONE(property) \
	"{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"response\":" property \
	"},\"required\":[\"response\"]}}"
	static const char *const rows[][2] = {
		{OF("selection", ",\"options\":[\"x\",\"y\"]"), ONE("{\"type\":\"string\",\"enum\":[\"x\",\"y\"]}")},
		{OF("confirmation", ""), ONE("{\"type\":\"boolean\"}")},
		{OF("input", ""), ONE("{\"type\":\"string\"}")},
		{OF("input", ",\"schema\":{\"type\":\"array\"}"), ONE("{\"type\":\"string\"}")},
		{OF("input", SCHEMA), "{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}}"},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct mgp_callback callback = callback_of(rows[i][0]);
		AUTO_TEXT struct text form = {0};
		text_init(&form, 0);
		mgp_form_write(&form, &callback);
		check_text(&form, rows[i][1]);
	}
}

static void what_was_filled_in_is_the_answer(void **state) {
	(void)state;
	static const char *const rows[][3] = {
		{EXAMPLE, "{\"action\":\"accept\",\"content\":{\"response\":\"confirm\"}}", "{\"response\":\"confirm\"}"},
		{EXAMPLE, "{\"action\":\"accept\",\"content\":{\"response\":\"delete\"}}", "{\"response\":null,\"reason\":\"invalid\"}"},
		{EXAMPLE, "{\"action\":\"accept\"}", "{\"response\":null,\"reason\":\"invalid\"}"},
		{EXAMPLE, "{\"action\":\"decline\"}", "{\"response\":\"cancel\"}"},
		{EXAMPLE, "{}", "{\"response\":\"cancel\"}"},
		{OF("input", ""), "{\"action\":\"cancel\"}", "{\"response\":null,\"reason\":\"declined\"}"},
		{OF("input", SCHEMA), "{\"action\":\"accept\",\"content\":{\"n\":4}}", "{\"response\":{\"n\":4}}"},
		{OF("input", SCHEMA), "{\"action\":\"accept\",\"content\":{\"n\":\"4\"}}", "{\"response\":null,\"reason\":\"invalid\"}"},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct mgp_callback callback = callback_of(rows[i][0]);
		const struct scan_value result = value_of(rows[i][1]);
		AUTO_TEXT struct text answer = {0};
		text_init(&answer, 0);
		mgp_form_answer(&answer, &callback, &result);
		check_text(&answer, rows[i][2]);
	}
}

#define FORM(properties) \
	"{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":" properties "}}"

static void a_form_is_a_callback(void **state) {
	(void)state;
	static const char *const rows[][4] = {
		{FORM("{\"colour\":{\"type\":\"string\",\"enum\":[\"red\"]}}"), "selection", "{\"response\":\"red\"}",
			"{\"action\":\"accept\",\"content\":{\"colour\":\"red\"}}"},
		{FORM("{\"sure\":{\"type\":\"boolean\"}}"), "confirmation", "{\"response\":true}", "{\"action\":\"accept\",\"content\":{\"sure\":true}}"},
		{FORM("{\"sure\":{\"type\":\"boolean\"}}"), "confirmation", "{\"response\":\"confirm\"}", "{\"action\":\"accept\",\"content\":{\"sure\":true}}"},
		{FORM("{\"sure\":{\"type\":\"boolean\"}}"), "confirmation", "{\"response\":\"cancel\"}", "{\"action\":\"accept\",\"content\":{\"sure\":false}}"},
		{FORM("{\"na\\\"me\":{\"type\":\"string\"}}"), "input", "{\"response\":\"Ann\"}", "{\"action\":\"accept\",\"content\":{\"na\\\"me\":\"Ann\"}}"},
		{FORM("{\"a\":{\"type\":\"string\"},\"b\":{\"type\":\"number\"}}"), "input", "{\"response\":{\"a\":\"x\"}}", "{\"action\":\"accept\",\"content\":{\"a\":\"x\"}}"},
		{FORM("{\"n\":{\"type\":\"number\"}}"), "input", "{\"response\":null,\"reason\":\"declined\"}", "{\"action\":\"decline\"}"},
		{FORM("{\"n\":{\"type\":\"number\"}}"), "input", "{\"response\":null,\"reason\":\"timeout\"}", "{\"action\":\"cancel\"}"},
		{FORM("{}"), "input", "{\"response\":{}}", "{\"action\":\"accept\",\"content\":{}}"},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const struct scan_value params = value_of(rows[i][0]), answer = value_of(rows[i][2]);
		struct mgp_form form;
		struct fault why = {0};
		AUTO_TEXT struct text result = {0};
		text_init(&result, 0);
		if (!mgp_form_read(&params, &form, &why)) fail_msg("%s: %s", rows[i][0], why.text);
		assert_string_equal(mgp_callback_word(form.callback.type), rows[i][1]);
		mgp_form_result(&result, &form, &answer);
		check_text(&result, rows[i][3]);
	}
}

static void what_judges_a_word_stays_a_schema(void **state) {
	(void)state;
	static const char *const rows[] = {
		FORM("{\"mail\":{\"type\":\"string\",\"format\":\"email\"}}"),
		FORM("{\"twins\":{\"type\":\"string\",\"enum\":[\"a\",\"a\"]}}"),
		FORM("{\"number\":{\"enum\":[1,2]}}"),
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const struct scan_value params = value_of(rows[i]);
		struct mgp_form form;
		assert_true(mgp_form_read(&params, &form, NULL));
		assert_null(form.field.bytes);
		assert_int_equal(form.callback.type, MGP_INPUT);
		assert_int_equal(form.callback.schema.type, SCAN_OBJECT);
	}
}

static void what_is_no_form_is_refused(void **state) {
	(void)state;
	static const char *const rows[] = {"[]", "{}", "{\"message\":\"m\"}", "{\"mode\":\"url\",\"message\":\"m\",\"url\":\"u\"}",
		"{\"message\":7,\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}", "{\"message\":\"m\",\"requestedSchema\":{\"type\":\"string\"}}"};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const struct scan_value params = value_of(rows[i]);
		struct mgp_form form;
		assert_false(mgp_form_read(&params, &form, NULL));
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_example_of_the_text_is_read_and_written),
		cmocka_unit_test(what_is_none_is_refused_by_the_name_of_its_member),
		cmocka_unit_test(every_bound_is_held),
		cmocka_unit_test(its_time_is_within_bounds),
		cmocka_unit_test(what_is_an_answer_is_judged),
		cmocka_unit_test(yes_and_no_have_words),
		cmocka_unit_test(a_callback_is_a_form),
		cmocka_unit_test(what_was_filled_in_is_the_answer),
		cmocka_unit_test(a_form_is_a_callback),
		cmocka_unit_test(what_judges_a_word_stays_a_schema),
		cmocka_unit_test(what_is_no_form_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
