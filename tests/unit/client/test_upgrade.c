/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "client/upgrade.h"

#include <stdio.h>

static struct upgrade upgrade;
static struct fault why;
static struct slice rest;

static int set_up(void **state) {
	(void)state;
	return upgrade_init(&upgrade, "a:1", SLICE("/v0/ws?topic=t"), SLICE("secret"), &why) ? 0 : 1;
}

static int tear_down(void **state) {
	(void)state;
	upgrade_finish(&upgrade);
	return 0;
}

static void the_request_has_what_rfc_6455_wants(void **state) {
	(void)state;
	const char *request = upgrade.request.bytes;
	assert_true(slice_starts_with(slice_of(request), "GET /v0/ws?topic=t HTTP/1.1\r\nHost: a:1\r\n"));
	assert_non_null(strstr(request, "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"));
	assert_non_null(strstr(request, "\r\nAuthorization: Bearer secret\r\n"));
	assert_true(strcmp(request + strlen(request) - 4, "\r\n\r\n") == 0);
}

static void a_token_cannot_smuggle_headers(void **state) {
	static const char *const bad[] = {"a\r\nX: y", "a b", "a\tb", "a\x7f", "\xc3\xa9"};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		struct upgrade other;
		assert_false(upgrade_init(&other, "a:1", SLICE("/"), slice_of(bad[i]), &why));
		assert_int_equal(why.code, FAULT_BAD_INPUT);
		upgrade_finish(&other);
	}
}

static enum upgrade_result take(const char *bytes) {
	return upgrade_take(&upgrade, slice_of(bytes), &rest, &why);
}

static void the_right_answer_in_any_pieces_opens_it(void **state) {
	char answer[300];
	(void)state;
	snprintf(answer, sizeof answer, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
					"Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n\r\nrest",
		upgrade.accept);
	for (size_t i = 0; answer[i + 4]; i++) {
		char one[2] = {answer[i], 0};
		enum upgrade_result result = take(one);
		assert_int_equal(result, answer[i + 5] ? UPGRADE_MORE : UPGRADE_DONE);
	}
	assert_int_equal(rest.length, 0);
}

static void what_follows_the_answer_is_handed_out(void **state) {
	char answer[300];
	(void)state;
	snprintf(answer, sizeof answer, "HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
					"Sec-WebSocket-Accept: %s\r\n\r\nrest",
		upgrade.accept);
	assert_int_equal(take(answer), UPGRADE_DONE);
	check_slice(rest, "rest");
}

static void a_wrong_accept_is_no_gateway(void **state) {
	(void)state;
	assert_int_equal(take("HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
			      "Sec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n\r\n"),
		UPGRADE_REFUSED);
	assert_int_equal(upgrade.status, 0);
}

static void an_extension_nobody_asked_for_is_refused(void **state) {
	char answer[300];
	(void)state;
	snprintf(answer, sizeof answer, "HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
					"Sec-WebSocket-Extensions: permessage-deflate\r\nSec-WebSocket-Accept: %s\r\n\r\n",
		upgrade.accept);
	assert_int_equal(take(answer), UPGRADE_REFUSED);
}

static void a_refusal_is_told_in_the_gateways_words(void **state) {
	(void)state;
	assert_int_equal(take("HTTP/1.1 403 Forbidden\r\nContent-Length: 26\r\n\r\n"), UPGRADE_MORE);
	assert_int_equal(take("{\"message\":\"not\\u0020you\"}"), UPGRADE_REFUSED);
	assert_int_equal(upgrade.status, 403);
	assert_string_equal(why.text, "the gateway answered 403: not you");
}

static void a_refusal_that_ends_early_counts(void **state) {
	(void)state;
	assert_false(upgrade_end(&upgrade, &why));
	assert_int_equal(take("HTTP/1.1 502 Bad Gateway\r\n\r\n"), UPGRADE_MORE);
	assert_true(upgrade_end(&upgrade, &why));
	assert_string_equal(why.text, "the gateway answered 502: Bad Gateway");
}

static void what_is_no_http_is_no_gateway(void **state) {
	(void)state;
	assert_int_equal(take("SSH-2.0-OpenSSH\r\n"), UPGRADE_REFUSED);
	assert_int_equal(upgrade.status, 0);
	assert_int_equal(why.code, FAULT_BAD_INPUT);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(the_request_has_what_rfc_6455_wants),
		TEST(a_token_cannot_smuggle_headers),
		TEST(the_right_answer_in_any_pieces_opens_it),
		TEST(what_follows_the_answer_is_handed_out),
		TEST(a_wrong_accept_is_no_gateway),
		TEST(an_extension_nobody_asked_for_is_refused),
		TEST(a_refusal_is_told_in_the_gateways_words),
		TEST(a_refusal_that_ends_early_counts),
		TEST(what_is_no_http_is_no_gateway),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
