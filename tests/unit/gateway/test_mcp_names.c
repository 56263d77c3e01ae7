/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "gateway/mcp_names.h"

#include <stdio.h>

static void check_name(const char *server, const char *item, const char *wanted) {
	char name[MCP_NAME + 1];
	struct slice plain;
	assert_true(mcp_name_write(name, slice_of(server), slice_of(item)));
	assert_string_equal(name, wanted);
	assert_true(mcp_name_is_plain(slice_of(name), slice_of(server), &plain));
	assert_true(slice_is(plain, item));
}

static void a_plain_name_is_taken_apart_again(void **state) {
	(void)state;
	check_name("files", "read", "files__read");
	check_name("a_b", "c__d", "a_b__c__d");
	check_name("a", "b", "a__b");
}

static void check_apart(const char *server, const char *item, const char *other, const char *other_item) {
	char name[MCP_NAME + 1], other_name[MCP_NAME + 1];
	assert_true(mcp_name_write(name, slice_of(server), slice_of(item)));
	assert_true(mcp_name_write(other_name, slice_of(other), slice_of(other_item)));
	assert_string_not_equal(name, other_name);
	assert_in_range(strlen(name), 1, MCP_NAME);
	assert_in_range(strlen(other_name), 1, MCP_NAME);
}

static void underscores_make_no_two_names_alike(void **state) {
	(void)state;
	check_apart("a__b", "c", "a", "b__c");
	check_apart("a_", "b", "a", "_b");
	check_apart("a_", "_b", "a__", "b");
}

static void a_tool_cannot_take_the_name_of_another_servers(void **state) {
	(void)state;
	char name[MCP_NAME + 1], taken[MCP_NAME + 1];
	struct slice plain;
	assert_true(mcp_name_write(name, SLICE("s__t"), SLICE("tool")));
	assert_int_equal(strncmp(name, "s__t__tool_", 11), 0);
	assert_false(mcp_name_is_plain(slice_of(name), SLICE("s"), &plain));
	assert_true(mcp_name_write(taken, SLICE("s"), slice_of(name + 3)));
	assert_string_not_equal(taken, name);
}

static void characters_that_mcp_does_not_want_are_hashed(void **state) {
	static const char *const odd[] = {"a b", "caf\xc3\xa9", "a/b", "x@y", "a:b"};
	char name[MCP_NAME + 1];
	(void)state;
	for (size_t i = 0; i < COUNT_OF(odd); i++) {
		assert_true(mcp_name_write(name, slice_of(odd[i]), SLICE("tool")));
		for (const char *at = name; *at; at++)
			assert_true((*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9') || *at == '_');
		check_apart(odd[i], "tool", "a_b", "tool");
		check_apart("server", odd[i], "server", "a_b");
	}
	check_apart("a b", "tool", "a/b", "tool");
}

static void a_name_is_replaced_and_nothing_else(void **state) {
	const struct scan_value tool = {.text = SLICE("{\"title\": \"T\", \"name\":\"x\",\"n\":1e400,\"in\":{\"name\":\"y\"} }"),
		.type = SCAN_OBJECT};
	AUTO_TEXT struct text to = {0};
	(void)state;
	text_init(&to, 0);
	mcp_name_replace(&to, &tool, SLICE("a__x"));
	assert_string_equal(to.bytes, "{\"name\":\"a__x\",\"title\":\"T\",\"n\":1e400,\"in\":{\"name\":\"y\"}}");
}

static void a_long_name_is_cut_and_stays_its_own(void **state) {
	(void)state;
	char one[101], other[101], name[MCP_NAME + 1];
	struct slice plain;
	memset(one, 'x', 100);
	memset(other, 'x', 100);
	one[100] = other[100] = '\0';
	other[99] = 'y';
	check_apart("server", one, "server", other);
	check_apart(one, "tool", other, "tool");
	assert_true(mcp_name_write(name, SLICE("server"), slice_of(one)));
	assert_int_equal(strlen(name), MCP_NAME);
	assert_true(mcp_name_may_be_hashed(slice_of(name), SLICE("server")));
	assert_false(mcp_name_may_be_hashed(slice_of(name), SLICE("serve_")));
	assert_false(mcp_name_may_be_hashed(SLICE("server__tool"), SLICE("server")));
	assert_true(mcp_name_write(name, SLICE("b\xc3\xb6rse und eine lange Reihe"), SLICE("t\xc3\xbcr")));
	assert_true(mcp_name_may_be_hashed(slice_of(name), SLICE("b\xc3\xb6rse und eine lange Reihe")));
	/* Cut or hashed, it is no plain name of its server's: it is found among the known ones. */
	assert_true(!mcp_name_is_plain(SLICE("a__b__c"), SLICE("a__b"), &plain));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plain_name_is_taken_apart_again),
		cmocka_unit_test(underscores_make_no_two_names_alike),
		cmocka_unit_test(a_tool_cannot_take_the_name_of_another_servers),
		cmocka_unit_test(characters_that_mcp_does_not_want_are_hashed),
		cmocka_unit_test(a_name_is_replaced_and_nothing_else),
		cmocka_unit_test(a_long_name_is_cut_and_stays_its_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
