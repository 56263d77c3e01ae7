/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "mcp/mcp_listing.h"

#include <stdio.h>

static void pages_are_gathered_in_order_with_their_cursor(void **state) {
	struct fault why;
	struct slice cursor = SLICE("before");
	(void)state;
	AUTO(mcp_listing) listing = mcp_listing_open(&why);
	assert_true(mcp_listing_add(listing, SLICE("{\"tools\":[{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"}}],"
						   "\"nextCursor\":\"p\\u0032\"}"),
		&cursor, &why));
	check_slice(cursor, "p2");
	assert_true(mcp_listing_add(listing, SLICE("{\"tools\":[{\"name\":\"b\\u0062\",\"title\":\"T\",\"description\":"
						   "\"D\",\"inputSchema\":{ },\"outputSchema\":{\"x\":1},\"future\":[]}],\"nextCursor\":null}"),
		&cursor, &why));
	assert_null(cursor.bytes);
	assert_int_equal(mcp_listing_count(listing), 2);
	const struct mcp_tool *tool = mcp_listing_find(listing, SLICE("bb"));
	assert_ptr_equal(tool, mcp_listing_at(listing, 1));
	check_slice(tool->title, "T");
	check_slice(tool->description, "D");
	check_slice(tool->input_schema, "{ }");
	check_slice(tool->output_schema, "{\"x\":1}");
	assert_true(slice_starts_with(tool->definition, "{\"name\":\"b\\u0062\""));
	assert_null(mcp_listing_find(listing, SLICE("c")));
}

static struct mcp_hints hints_of(const char *annotations) {
	char page[300];
	struct fault why;
	struct slice cursor;
	snprintf(page, sizeof page, "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{}%s%s}]}",
		*annotations ? ",\"annotations\":" : "", annotations);
	AUTO(mcp_listing) listing = mcp_listing_open(&why);
	assert_true(mcp_listing_add(listing, slice_of(page), &cursor, &why));
	return mcp_listing_at(listing, 0)->hints;
}

static void hints_have_the_defaults_of_mcp(void **state) {
	(void)state;
	struct mcp_hints hints = hints_of("");
	assert_false(hints.are_given);
	assert_true(hints.is_destructive && hints.is_open_world);
	assert_false(hints.is_read_only || hints.is_idempotent);
	hints = hints_of("{\"readOnlyHint\":true}");
	assert_true(hints.are_given && hints.is_read_only);
	assert_false(hints.is_destructive);
	hints = hints_of("{\"destructiveHint\":false,\"idempotentHint\":true,\"openWorldHint\":\"no\"}");
	assert_false(hints.is_destructive);
	assert_true(hints.is_idempotent && hints.is_open_world);
}

static void what_is_no_list_of_tools_is_refused(void **state) {
	static const char *const bad[] = {
		"",
		"[]",
		"{}",
		"{\"tools\":{}}",
		"{\"tools\":[1]}",
		"{\"tools\":[{}]}",
		"{\"tools\":[{\"name\":\"\",\"inputSchema\":{}}]}",
		"{\"tools\":[{\"name\":1,\"inputSchema\":{}}]}",
		"{\"tools\":[{\"name\":\"a\"}]}",
		"{\"tools\":[{\"name\":\"a\",\"inputSchema\":[]}]}",
		"{\"tools\":[{\"name\":\"a\",\"inputSchema\":{},\"title\":2}]}",
		"{\"tools\":[{\"name\":\"a\",\"inputSchema\":{},\"description\":{}}]}",
		"{\"tools\":[{\"name\":\"a\",\"inputSchema\":{}},{\"name\":\"\\u0061\",\"inputSchema\":{}}]}",
		"{\"tools\":[],\"nextCursor\":7}",
		"{\"tools\":[]} x",
		"{\"tools\":[}",
	};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		struct fault why;
		struct slice cursor = SLICE("untouched");
		AUTO(mcp_listing) listing = mcp_listing_open(&why);
		assert_false(mcp_listing_add(listing, slice_of(bad[i]), &cursor, &why));
		assert_int_equal(why.code, FAULT_BAD_INPUT);
		check_slice(cursor, "untouched");
	}
}

static void a_list_without_end_is_bounded(void **state) {
	struct fault why;
	struct slice cursor;
	AUTO(mcp_listing) listing = mcp_listing_open(&why);
	bool is_fine = true;
	(void)state;
	for (int i = 0; is_fine && i <= MCP_LISTING_TOOLS; i++) {
		char page[100];
		snprintf(page, sizeof page, "{\"tools\":[{\"name\":\"t%d\",\"inputSchema\":{}}],\"nextCursor\":\"%d\"}", i, i);
		is_fine = mcp_listing_add(listing, slice_of(page), &cursor, &why);
	}
	assert_false(is_fine);
	assert_int_equal(why.code, FAULT_TOO_LARGE);
	assert_int_equal(mcp_listing_count(listing), MCP_LISTING_TOOLS);
}

static void one_may_have_a_smaller_bound(void **state) {
	AUTO(mcp_listing) listing = mcp_listing_open(NULL);
	AUTO_TEXT struct text page = {0};
	struct slice cursor;
	struct fault why;
	(void)state;
	text_init(&page, 0);
	text_add_cstr(&page, "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{},\"description\":\"");
	for (int i = 0; i < 5000; i++) text_add_cstr(&page, "xxxxxxxxxx");
	text_add_cstr(&page, "\"}]}");
	assert_non_null(listing);
	mcp_listing_limit(listing, 40000);
	assert_false(mcp_listing_add(listing, text_slice(&page), &cursor, &why));
	assert_int_equal(why.code, FAULT_TOO_LARGE);
	AUTO(mcp_listing) wider = mcp_listing_open(NULL);
	assert_non_null(wider);
	mcp_listing_limit(wider, 400000);
	assert_true(mcp_listing_add(wider, text_slice(&page), &cursor, &why));
	assert_in_range(mcp_listing_octets(wider), page.length, 400000);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_are_gathered_in_order_with_their_cursor),
		cmocka_unit_test(hints_have_the_defaults_of_mcp),
		cmocka_unit_test(what_is_no_list_of_tools_is_refused),
		cmocka_unit_test(a_list_without_end_is_bounded),
		cmocka_unit_test(one_may_have_a_smaller_bound),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
