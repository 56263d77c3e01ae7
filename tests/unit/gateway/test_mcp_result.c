/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "gateway/mcp_result.h"

static void check_modern(const char *result, const char *method, const char *info, const char *wanted) {
	AUTO_TEXT struct text written = {0};
	text_init(&written, 0);
	mcp_result_write(&written, SLICE("7"), slice_of(result), true, slice_of(method), slice_of(info));
	check_text(&written, wanted);
}

static void a_legacy_result_leaves_as_it_came(void **state) {
	(void)state;
	AUTO_TEXT struct text written = {0};
	text_init(&written, 0);
	mcp_result_write(&written, SLICE("\"a\""), SLICE("{ \"x\" : [1,2] }"), false, SLICE("tools/call"), SLICE("{}"));
	check_text(&written, "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{ \"x\" : [1,2] }}");
}

static void what_a_modern_result_lacks_goes_in_front(void **state) {
	(void)state;
	check_modern("{\"x\" : 1}", "tools/call", "",
		"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"resultType\":\"complete\",\"x\" : 1}}");
	check_modern("{}", "tools/call", "", "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"resultType\":\"complete\"}}");
	check_modern(" { } ", "tools/call", "",
		"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"resultType\":\"complete\" }}");
	check_modern("{\"resultType\":\"x\"}", "tools/call", "",
		"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"resultType\":\"x\"}}");
	check_modern("{\"resultType\":\"x\"}", "tools/list", "",
		"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"ttlMs\":0,\"cacheScope\":\"private\",\"resultType\":\"x\"}}");
}

static void the_server_is_named_beside_what_it_says_itself(void **state) {
	(void)state;
	check_modern("{\"resultType\":\"x\",\"y\":2}", "tools/call", "{\"name\":\"n\"}",
		"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"n\"}},"
		"\"resultType\":\"x\",\"y\":2}}");
	check_modern("{\"resultType\":\"x\",\"_meta\":{\"k\":1},\"y\":2}", "tools/call", "{\"name\":\"n\"}",
		"{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"n\"},\"k\":1},"
		"\"resultType\":\"x\",\"y\":2}}");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_legacy_result_leaves_as_it_came),
		cmocka_unit_test(what_a_modern_result_lacks_goes_in_front),
		cmocka_unit_test(the_server_is_named_beside_what_it_says_itself),
	};
	return cmocka_run_group_tests_name("mcp_result", tests, NULL, NULL);
}
