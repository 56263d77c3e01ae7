/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queries, percent-encoding and authorities.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "wire/http1.h"

/* NULL expected: not there. */
static void expect_found(const char *query, const char *name, const char *expected) {
	AUTO_TEXT struct text value = {0};
	size_t length = strlen(query);
	char *exact = malloc(length ? length : 1);
	assert_non_null(exact);
	memcpy(exact, query, length);
	assert_int_equal(http1_query(slice_make(exact, length), name, &value), expected != NULL);
	free(exact);
	assert_false(text_failed(&value));
	if (expected) assert_string_equal(value.bytes, expected);
	else assert_int_equal(value.length, 0);
}

static void values_are_found_by_name(void **state) {
	(void)state;
	expect_found("topic=house&id=anna", "topic", "house");
	expect_found("topic=house&id=anna", "id", "anna");
	expect_found("topic=house&id=anna", "i", NULL);
	expect_found("topic=house&id=anna", "idd", NULL);
	expect_found("topic=house&topic=other", "topic", "house");
	expect_found("&&topic=house&", "topic", "house");
	expect_found("topic=a=b", "topic", "a=b");
	expect_found("topic=", "topic", "");
	expect_found("topic", "topic", "");
	expect_found("top%69c=x", "topic", "x");
	expect_found("top+ic=x", "top ic", "x");
	expect_found("top%6=x&topic=y", "topic", "y");
	expect_found("", "topic", NULL);
	expect_found("=x", "topic", NULL);
}

static void no_query_has_no_values(void **state) {
	AUTO_TEXT struct text value = {0};
	(void)state;
	assert_false(http1_query(SLICE_NONE, "topic", &value));
}

static void values_are_decoded(void **state) {
	(void)state;
	expect_found("t=a%2fb%2Fc", "t", "a/b/c");
	expect_found("t=a+b%20c%2B", "t", "a b c+");
	expect_found("t=%e2%82%AC", "t", "\xE2\x82\xAC");
	expect_found("t=%26%3d", "t", "&=");
}

static void malformed_values_fail_the_builder(void **state) {
	static const char *const bad[] = {"t=%", "t=%2", "t=%2g", "t=%g2", "t=%2&x=1", "t=%00", "t=%ff",
		"t=%c3", "t=ok%c3(", "t=%ED%A0%80"};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		AUTO_TEXT struct text value = {0};
		assert_true(http1_query(slice_of(bad[i]), "t", &value));
		assert_true(text_failed(&value));
	}
	AUTO_TEXT struct text small = {0};
	text_init(&small, 3);
	assert_true(http1_query(SLICE("t=abcd"), "t", &small));
	assert_true(text_failed(&small));
}

static void segments_are_decoded_or_nothing_is_added(void **state) {
	static const char *const bad[] = {"%", "a%2", "%zz", "%00", "%80", "a%C3"};
	AUTO_TEXT struct text to = {0};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		assert_false(http1_unescape(slice_of(bad[i]), &to));
		assert_int_equal(to.length, 0);
	}
	assert_true(http1_unescape(SLICE("a%2Fb+c%C3%bc"), &to));
	assert_string_equal(to.bytes, "a/b+c\xC3\xBC");
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		assert_false(http1_unescape(slice_of(bad[i]), &to));
		assert_string_equal(to.bytes, "a/b+c\xC3\xBC");
	}
	assert_true(http1_unescape(SLICE(""), &to));
	assert_string_equal(to.bytes, "a/b+c\xC3\xBC");
}

static void everything_can_be_escaped_and_comes_back(void **state) {
	AUTO_TEXT struct text all = {0};
	AUTO_TEXT struct text escaped = {0};
	AUTO_TEXT struct text back = {0};
	(void)state;
	http1_escape(&escaped, SLICE("aZ09-._~ /%+&\"\xC3\xBC"));
	assert_string_equal(escaped.bytes, "aZ09-._~%20%2F%25%2B%26%22%C3%BC");
	for (int i = 1; i < 128; i++) text_add_char(&all, (char)i);
	text_clear(&escaped);
	http1_escape(&escaped, text_slice(&all));
	assert_true(http1_unescape(text_slice(&escaped), &back));
	assert_true(slice_equal(text_slice(&back), text_slice(&all)));
}

static void authorities_have_a_host_and_maybe_a_port(void **state) {
	static const struct {
		const char *authority, *host;
		unsigned port;
	} good[] = {
		{"a", "a", 0},
		{"a:1", "a", 1},
		{"localhost:7410", "localhost", 7410},
		{"127.0.0.1:65535", "127.0.0.1", 65535},
		{"[::1]:1", "::1", 1},
		{"[::]", "::", 0},
		{"[2001:db8::A:192.0.2.1]", "2001:db8::A:192.0.2.1", 0},
		{"my_host-1.~x:00080", "my_host-1.~x", 80},
	};
	(void)state;
	for (size_t i = 0; i < COUNT_OF(good); i++) {
		struct slice host;
		unsigned port = 77;
		assert_true(http1_authority(slice_of(good[i].authority), &host, &port));
		assert_true(slice_is(host, good[i].host));
		assert_int_equal(port, good[i].port);
	}
}

static void malformed_authorities_are_refused(void **state) {
	static const char *const bad[] = {"", ":80", "a:", "a:0", "a:65536", "a:+1", "a:1x", "a:1:2",
		"a:000080", "a b", "a/", "u@a", "a,b", "a%41", "[::1", "::1", "[]", "[:]", "[a]", "[::1]x",
		"[::1]:", "[::1]1", "[fe80::1%25eth0]", "[v1.x]", "[::g]", "\xC3\xBC"};
	char long_name[258];
	struct slice host = SLICE("untouched");
	unsigned port = 77;
	(void)state;
	for (size_t i = 0; i < COUNT_OF(bad); i++)
		assert_false(http1_authority(slice_of(bad[i]), &host, &port));
	memset(long_name, 'a', sizeof long_name);
	assert_false(http1_authority(slice_make(long_name, 256), &host, &port));
	assert_true(slice_is(host, "untouched"));
	assert_int_equal(port, 77);
	assert_true(http1_authority(slice_make(long_name, 255), &host, &port));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_found_by_name),
		cmocka_unit_test(no_query_has_no_values),
		cmocka_unit_test(values_are_decoded),
		cmocka_unit_test(malformed_values_fail_the_builder),
		cmocka_unit_test(segments_are_decoded_or_nothing_is_added),
		cmocka_unit_test(everything_can_be_escaped_and_comes_back),
		cmocka_unit_test(authorities_have_a_host_and_maybe_a_port),
		cmocka_unit_test(malformed_authorities_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
