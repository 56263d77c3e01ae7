/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "client/gateway_url.h"

static struct gateway_url fine(const char *text) {
	struct gateway_url url;
	struct fault why;
	assert_true(gateway_url_read(slice_of(text), &url, &why));
	return url;
}

static void all_four_schemes_and_pasted_paths_are_read(void **state) {
	(void)state;
	struct gateway_url url = fine("http://127.0.0.1:7410");
	assert_false(url.is_secure);
	assert_int_equal(url.port, 7410);
	assert_string_equal(url.host, "127.0.0.1");
	assert_string_equal(url.authority, "127.0.0.1:7410");
	assert_string_equal(url.path, "");
	url = fine(" wss://rooms.example/v0/ws ");
	assert_true(url.is_secure);
	assert_int_equal(url.port, 443);
	assert_string_equal(url.path, "");
	url = fine("ws://[::1]:80/behind/proxy/");
	assert_string_equal(url.host, "::1");
	assert_string_equal(url.authority, "[::1]:80");
	assert_string_equal(url.path, "/behind/proxy");
	assert_int_equal(fine("https://a/").port, 443);
	assert_int_equal(fine("http://a").port, 80);
}

static void it_is_written_for_rest(void **state) {
	AUTO_TEXT struct text text;
	struct gateway_url url = fine("wss://rooms.example:444/x/v0/ws");
	(void)state;
	text_init(&text, 0);
	gateway_url_write(&url, &text);
	check_text(&text, "https://rooms.example:444/x");
}

static void what_is_no_gateway_is_refused(void **state) {
	static const char *const bad[] = {
		"",
		"127.0.0.1:7410",
		"ftp://a",
		"http://",
		"http:///x",
		"http://a:99999",
		"http://a:b",
		"http://user@a",
		"http://a?x=1",
		"http://a#x",
		"http://a b",
		"http://a\r\nHost: b",
		"http://\"a\"",
	};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		struct gateway_url url = {.port = 1};
		struct fault why;
		assert_false(gateway_url_read(slice_of(bad[i]), &url, &why));
		assert_int_equal(why.code, FAULT_BAD_INPUT);
		assert_int_equal(url.port, 1);
	}
}

static void long_ones_are_refused(void **state) {
	char text[2000] = "http://";
	struct gateway_url url;
	struct fault why;
	(void)state;
	memset(text + 7, 'a', 400);
	assert_false(gateway_url_read(slice_of(text), &url, &why));
	memcpy(text, "http://a/", 9);
	memset(text + 9, 'b', 1500);
	assert_false(gateway_url_read(slice_of(text), &url, &why));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_four_schemes_and_pasted_paths_are_read),
		cmocka_unit_test(it_is_written_for_rest),
		cmocka_unit_test(what_is_no_gateway_is_refused),
		cmocka_unit_test(long_ones_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
