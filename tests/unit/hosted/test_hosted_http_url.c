/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "hosted/hosted_http_url.h"

#include <stdlib.h>

static void check_resolves(const char *base, const char *named, const char *wanted) {
	char *url = hosted_http_url_resolve(slice_of(base), slice_of(named));
	assert_non_null(url);
	assert_string_equal(url, wanted);
	free(url);
}

static void a_reference_is_seen_from_its_base(void **state) {
	(void)state;
	check_resolves("http://a:1/x/sse", "/messages?s=1", "http://a:1/messages?s=1");
	check_resolves("http://a:1/x/sse", "messages?s=1", "http://a:1/x/messages?s=1");
	check_resolves("http://a:1/x/sse?k=/y/z", "messages", "http://a:1/x/messages");
	check_resolves("http://a:1/x/sse?k=v", "?s=1", "http://a:1/x/sse?s=1");
	check_resolves("http://a", "messages", "http://a/messages");
	check_resolves("http://a?k=v", "messages", "http://a/messages");
	check_resolves("https://a/x", "//b/y", "https://b/y");
	check_resolves("https://a/x", "http://b/y", "http://b/y");
	check_resolves("https://a/x", "/y?to=http://b/", "https://a/y?to=http://b/");
	check_resolves("https://a/x", "y?to=http://b/", "https://a/y?to=http://b/");
	check_resolves("https://a/x", "", "https://a/");
}

static bool may(const char *from, const char *to) {
	return hosted_http_url_may_follow(slice_of(from), slice_of(to));
}

static void only_the_same_origin_may_be_followed(void **state) {
	(void)state;
	assert_true(may("http://a:1/x", "http://a:1/y"));
	assert_true(may("http://A:1", "HTTP://a:1/y?z"));
	assert_true(may("http://a/x", "https://a/x"));
	assert_true(may("https://[::1]:8/x", "https://[::1]:8/y"));
	assert_false(may("https://a/x", "http://a/x"));
	assert_false(may("http://a:1/x", "https://a:1/x"));
	assert_false(may("http://a/x", "https://a:444/x"));
	assert_false(may("http://a:1/x", "http://a:2/x"));
	assert_false(may("http://a/x", "http://a.b/x"));
	assert_false(may("http://a/x", "http://a@b/x"));
	assert_false(may("http://a/x", "http://a\\@b/x"));
	assert_false(may("http://a/x", "ftp://a/x"));
	assert_false(may("http://a/x", "/x"));
	assert_false(may("http://a/x", "x?http://a/"));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reference_is_seen_from_its_base),
		cmocka_unit_test(only_the_same_origin_may_be_followed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
