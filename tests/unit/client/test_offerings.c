/* SPDX-License-Identifier: Apache-2.0 */
/* What is offered to hosts, what is known of them, and who is let in. */
#include "check.h"

#include "client/caller.h"
#include "client/inquiry.h"
#include "client/offerings.h"
#include "client/web_guard.h"

#include <stdio.h>

static struct offerings *offerings;

static int set_up(void **state) {
	struct fault why;
	(void)state;
	offerings = offerings_open(&why);
	return offerings == NULL;
}

static int tear_down(void **state) {
	(void)state;
	offerings_close(offerings);
	return 0;
}

static struct scan_value object_of(const char *text) {
	struct scan_value root;
	struct scan_fault fault;
	assert_true(scan_check(slice_of(text), SCAN_DEPTH, &root, &fault));
	return root;
}

static bool offer_resource(const char *uri, struct fault *why) {
	const struct hustings_resource resource = {.uri = uri, .name = "n", .type = "text/plain"};
	return offerings_add_resource(offerings, &resource, why);
}

static void templates_fit_what_has_no_slash_in_it(void **state) {
	(void)state;
	assert_true(offerings_fits("a:///{id}", SLICE("a:///7")));
	assert_true(offerings_fits("a:///{id}/data", SLICE("a:///x.y/data")));
	assert_true(offerings_fits("a:///{one}-{two}", SLICE("a:///x-y-z")));
	assert_false(offerings_fits("a:///{id}", SLICE("a:///")));
	assert_false(offerings_fits("a:///{id}", SLICE("a:///7/8")));
	assert_false(offerings_fits("a:///{id}/data", SLICE("a:///7")));
	assert_false(offerings_fits("a:///{id", SLICE("a:///7")));
	assert_false(offerings_fits("a:", SLICE("a:b")));
}

static void a_name_is_taken_once_and_free_when_it_was_withdrawn(void **state) {
	struct fault why;
	(void)state;
	assert_true(offer_resource("a:1", &why));
	assert_false(offer_resource("a:1", &why));
	assert_int_equal(why.code, FAULT_EXISTS);
	assert_true(offer_resource("a:{x}", &why));
	assert_false(offer_resource("a:{x}", &why));
	assert_true(offerings_remove(offerings, MCP_ITEMS_TEMPLATES, SLICE("a:{x}")));
	assert_false(offerings_remove(offerings, MCP_ITEMS_TEMPLATES, SLICE("a:{x}")));
	assert_false(offer_resource("no scheme", &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	const struct hustings_prompt nameless = {.name = ""}, odd = {.name = "p", .arguments = "{}"};
	assert_false(offerings_add_prompt(offerings, &nameless, &why));
	assert_false(offerings_add_prompt(offerings, &odd, &why));
}

static void lists_come_in_pages(void **state) {
	struct fault why;
	char uri[40];
	struct scan_value none = object_of("{}"), second = object_of("{\"cursor\":\"100\"}"),
			  odd = object_of("{\"cursor\":\"many\"}");
	AUTO_TEXT struct text text = {0};
	(void)state;
	for (int i = 0; i < 101; i++) {
		snprintf(uri, sizeof uri, "a:%d", i);
		assert_true(offer_resource(uri, &why));
	}
	text_init(&text, 0);
	assert_true(offerings_write(offerings, MCP_ITEMS_RESOURCES, &none, &text));
	assert_non_null(strstr(text.bytes, "\"nextCursor\":\"100\""));
	text_clear(&text);
	assert_true(offerings_write(offerings, MCP_ITEMS_RESOURCES, &second, &text));
	check_slice(text_slice(&text), "{\"resources\":[{\"uri\":\"a:100\",\"name\":\"n\",\"mimeType\":\"text/plain\"}]}");
	assert_false(offerings_write(offerings, MCP_ITEMS_RESOURCES, &odd, &text));
}

#define META(members) "{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"" members "}}"
#define CAPABILITIES(members) META(",\"io.modelcontextprotocol/clientCapabilities\":{" members "}")

static void a_modern_caller_says_what_it_can_with_every_request(void **state) {
	struct caller caller;
	struct fault why;
	int64_t code;
	AUTO_TEXT struct text data = {0};
	struct scan_value params = object_of(CAPABILITIES("\"elicitation\":{},\"roots\":{}"));
	(void)state;
	text_init(&data, 0);
	assert_true(caller_read(&caller, &params, &code, &data, &why));
	assert_int_equal(caller.abilities, 1 << INQUIRY_FORM | 1 << INQUIRY_ROOTS);
	assert_false(caller_hears(&caller, "emergency"));
	params = object_of(CAPABILITIES("\"elicitation\":{\"url\":{}},\"sampling\":{}"));
	assert_true(caller_read(&caller, &params, &code, &data, &why));
	assert_int_equal(caller.abilities, 1 << INQUIRY_URL | 1 << INQUIRY_SAMPLING);
	params = object_of(META(""));
	assert_false(caller_read(&caller, &params, &code, &data, &why));
	assert_int_equal(code, -32602);
	params = object_of("{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2030-01-01\"}}");
	assert_false(caller_read(&caller, &params, &code, &data, &why));
	assert_int_equal(code, -32022);
	check_slice(text_slice(&data), "{\"supported\":[\"2026-07-28\"],\"requested\":\"2030-01-01\"}");
}

static void a_legacy_caller_hears_all_until_it_sets_a_level(void **state) {
	struct caller caller = {.is_modern = false};
	struct scan_value params = object_of("{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"sampling\":{}}}");
	struct scan_value warning = object_of("{\"level\":\"warning\"}"), loud = object_of("{\"level\":\"loud\"}");
	(void)state;
	assert_false(caller_hears(&caller, "error"));
	caller_introduce(&caller, &params);
	assert_int_equal(caller.version, ERA_2025_06_18);
	assert_int_equal(caller.abilities, 1 << INQUIRY_SAMPLING);
	assert_true(caller_hears(&caller, "debug"));
	assert_true(caller_set_level(&caller, &warning));
	assert_false(caller_hears(&caller, "notice"));
	assert_true(caller_hears(&caller, "warning"));
	assert_false(caller_hears(&caller, "loud"));
	assert_false(caller_set_level(&caller, &loud));
}

static unsigned status_of(const struct web_guard *guard, const char *host, const char *more) {
	char text[400];
	struct http1_head head;
	struct http1_fault fault;
	size_t used;
	const char *what;
	snprintf(text, sizeof text, "POST /mcp HTTP/1.1\r\nHost: %s\r\n%s\r\n", host, more);
	assert_int_equal(http1_request(slice_of(text), &head, &used, &fault), HTTP1_READY);
	return web_guard_refuses(guard, &head, &what);
}

static void who_asks_from_elsewhere_stays_outside(void **state) {
	struct web_guard guard;
	struct fault why;
	const char *const hosts[] = {"notes.example", NULL}, *const origins[] = {"https://app.example", NULL};
	(void)state;
	assert_true(web_guard_init(&guard, "127.0.0.1", hosts, origins, NULL, &why));
	assert_int_equal(status_of(&guard, "127.0.0.1:4711", ""), 0);
	assert_int_equal(status_of(&guard, "[::1]:80", ""), 0);
	assert_int_equal(status_of(&guard, "LOCALHOST", ""), 0);
	assert_int_equal(status_of(&guard, "notes.example:1", ""), 0);
	assert_int_equal(status_of(&guard, "localhost.evil.example", ""), 403);
	assert_int_equal(status_of(&guard, "127.0.0.1.evil.example:4711", ""), 403);
	assert_int_equal(status_of(&guard, "localhost", "Origin: https://app.example\r\n"), 0);
	assert_int_equal(status_of(&guard, "localhost", "Origin: http://localhost:3000\r\n"), 0);
	assert_int_equal(status_of(&guard, "localhost", "Origin: https://evil.example\r\n"), 403);
	assert_int_equal(status_of(&guard, "localhost", "Origin: null\r\n"), 403);
	web_guard_finish(&guard);

	assert_true(web_guard_init(&guard, "127.0.0.1", NULL, NULL, "secret", &why));
	assert_int_equal(status_of(&guard, "localhost", ""), 401);
	assert_int_equal(status_of(&guard, "localhost", "Authorization: Bearer wrong\r\n"), 401);
	assert_int_equal(status_of(&guard, "localhost", "Authorization: Basic secret\r\n"), 401);
	assert_int_equal(status_of(&guard, "localhost", "Authorization: bearer secret\r\n"), 0);
	web_guard_finish(&guard);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(templates_fit_what_has_no_slash_in_it),
		cmocka_unit_test_setup_teardown(a_name_is_taken_once_and_free_when_it_was_withdrawn, set_up, tear_down),
		cmocka_unit_test_setup_teardown(lists_come_in_pages, set_up, tear_down),
		cmocka_unit_test(a_modern_caller_says_what_it_can_with_every_request),
		cmocka_unit_test(a_legacy_caller_hears_all_until_it_sets_a_level),
		cmocka_unit_test(who_asks_from_elsewhere_stays_outside),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
