/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "mcp/mcp_modern.h"

#define VERSION "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\""
#define CAPABILITIES "\"io.modelcontextprotocol/clientCapabilities\":"

static void check_params(const char *params, struct mcp_modern_meta meta, const char *wanted) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	mcp_modern_write_params(&text, slice_of(params), &meta);
	check_text(&text, wanted);
}

static void metadata_comes_to_what_was_there(void **state) {
	(void)state;
	check_params(NULL, (struct mcp_modern_meta){0}, "{\"_meta\":{" VERSION "," CAPABILITIES "{}}}");
	check_params("{\"a\":1e400,\"_meta\":{\"x\\u0041/y\":[2]},\"b\":{}}", (struct mcp_modern_meta){0},
		"{\"_meta\":{" VERSION "," CAPABILITIES "{},\"x\\u0041/y\":[2]},\"a\":1e400,\"b\":{}}");
	const struct mcp_modern_meta all = {.client_info = SLICE("{\"name\":\"n\"}"),
		.capabilities = SLICE("{\"roots\":{}}"),
		.log_level = SLICE("info"),
		.version = SLICE("v")};
	check_params("{\"_meta\":{\"io.modelcontextprotocol/logLevel\":\"debug\",\"progressToken\":7}}", all,
		"{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"v\"," CAPABILITIES "{\"roots\":{}},"
		"\"io.modelcontextprotocol/clientInfo\":{\"name\":\"n\"},"
		"\"io.modelcontextprotocol/logLevel\":\"info\",\"progressToken\":7}}");
}

static void a_retry_replaces_what_the_last_one_had(void **state) {
	(void)state;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	mcp_modern_write_retry(&text, SLICE("{\"name\":\"t\",\"requestState\":\"old\",\"inputResponses\":{}}"),
		SLICE("{\"k\":{}}"), SLICE("\"new\""));
	check_text(&text, "{\"inputResponses\":{\"k\":{}},\"requestState\":\"new\",\"name\":\"t\"}");
	text_clear(&text);
	mcp_modern_write_retry(&text, SLICE("{\"requestState\":\"old\"}"), SLICE_NONE, SLICE_NONE);
	check_text(&text, "{\"inputResponses\":{}}");
}

static struct scan_value checked(const char *json) {
	struct scan_value root;
	struct scan_fault fault;
	assert_true(scan_check(slice_of(json), SCAN_DEPTH, &root, &fault));
	return root;
}

static void results_say_what_they_are(void **state) {
	(void)state;
	struct scan_value value = checked("{\"resultType\":\"input_required\"}");
	assert_true(mcp_modern_wants_input(&value));
	value = checked("{\"resultType\":\"complete\"}");
	assert_false(mcp_modern_wants_input(&value));
	value = checked("[]");
	assert_false(mcp_modern_wants_input(&value));
	assert_false(mcp_modern_is_discovery(&value));
	value = checked("{\"supportedVersions\":[\"2025-11-25\",\"2026-07-28\"],\"capabilities\":{}}");
	assert_true(mcp_modern_is_discovery(&value));
	value = checked("{\"supportedVersions\":[\"2099-01-01\"],\"capabilities\":{}}");
	assert_false(mcp_modern_is_discovery(&value));
	value = checked("{\"supportedVersions\":\"2026-07-28\",\"capabilities\":{}}");
	assert_false(mcp_modern_is_discovery(&value));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(metadata_comes_to_what_was_there),
		cmocka_unit_test(a_retry_replaces_what_the_last_one_had),
		cmocka_unit_test(results_say_what_they_are),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
