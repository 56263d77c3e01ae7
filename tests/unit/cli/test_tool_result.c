/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"
#include "cli/message.h"
#include "cli/tool_list.h"
#include "cli/tool_result.h"

static void check_result(const char *json, bool is_shown, const char *text, bool has_failed) {
	AUTO_TEXT struct text written = {0};
	bool is_error = !has_failed;
	text_init(&written, 0);
	assert_true(tool_result_write(&written, slice_of(json), is_shown, &is_error));
	check_text(&written, text);
	assert_int_equal(is_error, has_failed);
}

static void texts_end_with_a_line(void **state) {
	(void)state;
	check_result("{\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\",\"text\":\"b\\n\"}]}", false,
		"a\nb\n", false);
	check_result("{\"content\":[{\"type\":\"text\",\"text\":\"no\"}],\"isError\":true}", false, "no\n", true);
	check_result("{\"content\":[]}", false, "", false);
}

static void scripts_get_the_octets_and_terminals_do_not(void **state) {
	const char *json = "{\"content\":[{\"type\":\"text\",\"text\":\"a\\tb\\u001b[2J\\nc\"}]}";
	AUTO_TEXT struct text shown = {0};
	bool is_error;
	(void)state;
	check_result(json, false, "a\tb\x1b[2J\nc\n", false);
	text_init(&shown, 0);
	assert_true(tool_result_write(&shown, slice_of(json), true, &is_error));
	assert_null(strchr(shown.bytes, '\x1b'));
	assert_true(slice_starts_with(text_slice(&shown), "a\tb"));
	assert_string_equal(shown.bytes + shown.length - 3, "\nc\n");
}

static void structured_content_alone_is_its_json(void **state) {
	(void)state;
	check_result("{\"content\":[],\"structuredContent\":{\"n\": 1e400}}", false, "{\"n\": 1e400}\n", false);
	check_result("{\"content\":[{\"type\":\"text\",\"text\":\"said\"}],\"structuredContent\":{\"n\":1}}", false, "said\n",
		false);
}

static void other_content_is_named(void **state) {
	(void)state;
	check_result("{\"content\":[{\"type\":\"image\",\"mimeType\":\"image/png\",\"data\":\"AAAAAAAA\"}]}", false,
		"[image image/png, about 6 octets: --json has it]\n", false);
	check_result("{\"content\":[{\"type\":\"resource_link\",\"uri\":\"a:b\",\"name\":\"b\"}]}", false, "[resource a:b]\n",
		false);
	check_result("{\"content\":[{\"type\":\"resource\",\"resource\":{\"uri\":\"a:b\",\"text\":\"inside\"}}]}", false,
		"[resource a:b]\ninside\n", false);
	check_result("{\"content\":[{\"type\":\"hologram\"}]}", false, "[hologram: --json has it]\n", false);
}

static void what_is_no_result_of_a_tool_is_said_to_be_none(void **state) {
	AUTO_TEXT struct text text = {0};
	bool is_error = true;
	(void)state;
	text_init(&text, 0);
	assert_false(tool_result_write(&text, SLICE("{\"tools\":[]}"), false, &is_error));
	assert_false(tool_result_write(&text, SLICE("[]"), false, &is_error));
	assert_false(tool_result_write(&text, SLICE("{"), false, &is_error));
	assert_int_equal(text.length, 0);
	assert_true(is_error);
}

/* ---- Lists ---- */

#define LIST \
	"{\"tools\":[{\"name\":\"add\",\"description\":\"Adds.\\nAnd more.\",\"inputSchema\":{\"type\":\"object\"," \
	"\"properties\":{\"title\":{},\"tags\":{}},\"required\":[\"title\"]}}," \
	"{\"name\":\"look\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{\"readOnlyHint\":true}}," \
	"{\"name\":\"wipe\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{\"destructiveHint\":true}}," \
	"{\"name\":\"odd\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{\"title\":\"Odd\"}}," \
	"{\"name\":\"tame\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{\"destructiveHint\":false}}]}"

static struct mcp_listing *read_list(void) {
	struct fault why;
	struct slice cursor;
	struct mcp_listing *listing = mcp_listing_open(&why);
	assert_non_null(listing);
	assert_true(mcp_listing_add(listing, SLICE(LIST), &cursor, &why));
	assert_null(cursor.bytes);
	return listing;
}

static void a_list_shows_arguments_and_hints(void **state) {
	AUTO(mcp_listing) listing = read_list();
	AUTO_TEXT struct text text = {0};
	(void)state;
	text_init(&text, 0);
	tool_list_write(&text, SLICE("notes"), listing);
	check_text(&text, "notes (5 tools)\n  add title [tags]\n      Adds. ...\n  look   (only reads)\n"
			  "  wipe   (may destroy)\n  odd   (may destroy)\n  tame\n");
}

static void a_list_as_json_has_the_definitions_as_they_came(void **state) {
	AUTO(mcp_listing) listing = read_list();
	AUTO_TEXT struct text text = {0};
	(void)state;
	text_init(&text, 0);
	tool_list_write_json(&text, SLICE("no\"tes"), listing);
	assert_true(slice_starts_with(text_slice(&text), "{\"id\":\"no\\\"tes\",\"tools\":[{\"name\":\"add\","));
	assert_non_null(strstr(text.bytes, "{\"name\":\"look\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":"
					   "{\"readOnlyHint\":true}}"));
}

static bool is_dangerous(const struct mcp_listing *listing, const char *name) {
	const struct mcp_tool *tool = mcp_listing_find(listing, slice_of(name));
	assert_non_null(tool);
	return tool_list_is_dangerous(tool);
}

static void dangerous_is_what_is_marked_and_not_said_to_be_harmless(void **state) {
	AUTO(mcp_listing) listing = read_list();
	(void)state;
	assert_false(is_dangerous(listing, "add")); /* it says nothing of it */
	assert_false(is_dangerous(listing, "look"));
	assert_true(is_dangerous(listing, "wipe"));
	assert_true(is_dangerous(listing, "odd")); /* MCP's default */
	assert_false(is_dangerous(listing, "tame"));
}

/* ---- Refusals ---- */

static void refusals_of_both_forms_are_read(void **state) {
	struct fault why;
	uint64_t wait = 1;
	(void)state;
	assert_true(message_refusal(SLICE("{\"event\":\"error\",\"code\":\"bad_kind\",\"message\":\"no such kind\"}"), &wait,
		&why));
	assert_string_equal(why.text, "no such kind (bad_kind)");
	assert_int_equal(why.code, FAULT_REFUSED);
	assert_int_equal(wait, 0);
	assert_true(message_refusal(
		SLICE("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32001,\"message\":\"Privilege violation\"}}"), &wait,
		&why));
	assert_string_equal(why.text, "Privilege violation (-32001)");
	assert_true(message_refusal(
		SLICE("{\"code\":\"rate_limited\",\"message\":\"slower\",\"retry_after_ms\":250}"), &wait, &why));
	assert_int_equal(wait, 250);
	assert_true(message_refusal(SLICE("{\"message\":\"odd\",\"retry_after_ms\":-5}"), &wait, &why));
	assert_int_equal(wait, 0);
	assert_false(message_refusal(SLICE("<html>"), &wait, &why));
	assert_false(message_refusal(SLICE("{\"code\":\"x\"}"), &wait, &why));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_end_with_a_line),
		cmocka_unit_test(scripts_get_the_octets_and_terminals_do_not),
		cmocka_unit_test(structured_content_alone_is_its_json),
		cmocka_unit_test(other_content_is_named),
		cmocka_unit_test(what_is_no_result_of_a_tool_is_said_to_be_none),
		cmocka_unit_test(a_list_shows_arguments_and_hints),
		cmocka_unit_test(a_list_as_json_has_the_definitions_as_they_came),
		cmocka_unit_test(dangerous_is_what_is_marked_and_not_said_to_be_harmless),
		cmocka_unit_test(refusals_of_both_forms_are_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
