/* SPDX-License-Identifier: Apache-2.0 */
/* What is filled into forms, what answers look like, and what lists hold. */
#include "check.h"

#include "mcp/mcp_form.h"
#include "mcp/mcp_items.h"
#include "mcp/mcp_reply.h"

static struct scan_value value_of(const char *text) {
	struct scan_value root = {.type = SCAN_NONE};
	struct scan_fault fault;
	if (text) assert_true(scan_check(slice_of(text), SCAN_DEPTH, &root, &fault));
	return root;
}

static void check_form(const char *schema, const char *content, const char *expected) {
	AUTO_TEXT struct text text = {0};
	struct scan_value asked = value_of(schema), filled = value_of(content);
	text_init(&text, 0);
	mcp_form_write(&text, &asked, &filled);
	check_slice(text_slice(&text), expected);
}

static void what_a_form_leaves_out_gets_its_default(void **state) {
	(void)state;
	const char *schema = "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"default\":\"x\"},"
			     "\"b\":{\"type\":\"number\",\"default\":95.5},\"c\":{\"type\":\"boolean\"},"
			     "\"d\":{\"type\":\"array\",\"default\":[\"one\"]}}}";
	check_form(schema, NULL, "{\"a\":\"x\",\"b\":95.5,\"d\":[\"one\"]}");
	check_form(schema, "{\"b\":1,\"c\":false}", "{\"b\":1,\"c\":false,\"a\":\"x\",\"d\":[\"one\"]}");
	check_form(schema, "{\"\\u0061\":null}", "{\"\\u0061\":null,\"b\":95.5,\"d\":[\"one\"]}");
	check_form("{}", "{\"z\":1}", "{\"z\":1}");
	check_form(NULL, NULL, "{}");
}

static void a_modern_result_says_what_it_is_and_who_answers(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	mcp_reply_write_modern(&text, SLICE("{\"tools\":[],\"_meta\":{\"a\":1}}"), SLICE("{\"name\":\"n\"}"), 0);
	check_slice(text_slice(&text),
		"{\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"n\"},\"a\":1},"
		"\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"private\",\"tools\":[]}");
	text_clear(&text);
	mcp_reply_write_modern(&text, SLICE("{\"resultType\":\"input_required\",\"x\":1}"), SLICE("{}"), -1);
	check_slice(text_slice(&text), "{\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{}},\"resultType\":\"input_required\",\"x\":1}");
}

static void answers_have_the_form_of_their_method(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	mcp_reply_write_text(&text, SLICE("a\"b"), true);
	check_slice(text_slice(&text), "{\"content\":[{\"type\":\"text\",\"text\":\"a\\\"b\"}],\"isError\":true}");
	text_clear(&text);
	mcp_reply_write_json(&text, SLICE("[1]"));
	check_slice(text_slice(&text), "{\"content\":[{\"type\":\"text\",\"text\":\"[1]\"}],\"isError\":false}");
	text_clear(&text);
	mcp_reply_write_resource(&text, SLICE("a:b"), SLICE_NONE, SLICE("\x01\x02"), true);
	check_slice(text_slice(&text), "{\"contents\":[{\"uri\":\"a:b\",\"blob\":\"AQI=\"}]}");
	text_clear(&text);
	struct scan_value values = value_of("[\"a\",7,\"b\"]");
	mcp_reply_write_completions(&text, &values);
	check_slice(text_slice(&text), "{\"completion\":{\"values\":[\"a\",\"b\"],\"total\":2,\"hasMore\":false}}");
}

static void a_result_is_an_error_when_it_says_so(void **state) {
	(void)state;
	assert_true(mcp_reply_is_error(SLICE(" {\"content\":[],\"isError\":true} ")));
	static const char *const others[] = {"{\"isError\":false}", "{\"isError\":\"true\"}", "{\"a\":{\"isError\":true}}",
		"{}", "[true]", "true", ""};
	for (size_t i = 0; i < COUNT_OF(others); i++) assert_false(mcp_reply_is_error(slice_of(others[i])));
	assert_false(mcp_reply_is_error(SLICE_NONE));
}

static void items_are_gathered_from_all_pages(void **state) {
	(void)state;
	struct fault why;
	struct slice cursor;
	struct mcp_items *items = mcp_items_open(MCP_ITEMS_RESOURCES, &why);
	assert_non_null(items);
	assert_true(mcp_items_add(items, SLICE("{\"resources\":[{\"uri\":\"a:1\",\"name\":\"n\\u0031\"},{\"name\":\"without\"}],\"nextCursor\":\"2\"}"), &cursor, &why));
	check_slice(cursor, "2");
	assert_true(mcp_items_add(items, SLICE("{\"resources\":[{\"uri\":\"a:2\",\"title\":\"t\",\"description\":\"d\"}]}"), &cursor, &why));
	assert_null(cursor.bytes);
	assert_int_equal(mcp_items_count(items), 2);
	check_slice(mcp_items_at(items, 0)->name, "n1");
	assert_null(mcp_items_at(items, 0)->title.bytes);
	check_slice(mcp_items_at(items, 1)->key, "a:2");
	check_slice(mcp_items_at(items, 1)->definition, "{\"uri\":\"a:2\",\"title\":\"t\",\"description\":\"d\"}");
	assert_false(mcp_items_add(items, SLICE("{\"prompts\":[]}"), &cursor, &why));
	assert_false(mcp_items_add(items, SLICE("[]"), &cursor, &why));
	assert_false(mcp_items_add(items, SLICE("{\"resources\":[],\"nextCursor\":7}"), &cursor, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	mcp_items_close(items);
	mcp_items_close(NULL);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_form_leaves_out_gets_its_default),
		cmocka_unit_test(a_modern_result_says_what_it_is_and_who_answers),
		cmocka_unit_test(answers_have_the_form_of_their_method),
		cmocka_unit_test(a_result_is_an_error_when_it_says_so),
		cmocka_unit_test(items_are_gathered_from_all_pages),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
