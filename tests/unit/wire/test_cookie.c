/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "wire/cookie.h"

static void a_cookie_is_found_by_its_whole_name(void **state) {
	(void)state;
	static const struct {
		const char *header;
		size_t count;
		const char *value;
	} table[] = {
		{"", 0, NULL},
		{"a=1", 1, "1"},
		{"b=2; a=1", 1, "1"},
		{"b=2;a=1;c=3", 1, "1"},
		{"a=1; a=2", 2, "1"},
		{"a=; a=2; a=3", 3, ""},
		{"A=1", 0, NULL},
		{"aa=1; xa=2; a.b=3", 0, NULL},
		{"a", 0, NULL},
		{"=a", 0, NULL},
		{";;;", 0, NULL},
		{"; a = 1 ;", 1, "1"},
		{"a=b=c", 1, "b=c"},
		{"a=\"1\"", 1, "\"1\""},
		{"b=\"x; a=1\"", 1, "1\""},
		{"b=a=1", 0, NULL},
	};
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		struct slice value = SLICE("untouched");
		assert_int_equal(cookie_count(slice_of(table[i].header), SLICE("a"), &value), table[i].count);
		check_slice(value, table[i].value ? table[i].value : "untouched");
	}
}

static void each_of_several_is_given(void **state) {
	(void)state;
	struct slice rest = SLICE("a=1; b=2; a=; x; a=3"), value;
	static const char *const values[] = {"1", "", "3"};
	for (size_t i = 0; i < COUNT_OF(values); i++) {
		assert_true(cookie_next(&rest, SLICE("a"), &value));
		check_slice(value, values[i]);
	}
	assert_false(cookie_next(&rest, SLICE("a"), &value));
}

static void all_headers_of_a_request_count(void **state) {
	(void)state;
	static const char text[] = "GET / HTTP/1.1\r\nHost: a\r\nCookie: x=1; a=first\r\nX-Cookie: a=no\r\n"
				   "COOKIE: a=second\r\ncookie: y=2\r\n\r\n";
	struct http1_head head;
	struct http1_fault fault;
	struct slice value = SLICE("untouched");
	size_t used;
	assert_int_equal(http1_request(SLICE(text), &head, &used, &fault), HTTP1_READY);
	assert_int_equal(cookie_find(&head, SLICE("a"), &value), 2);
	check_slice(value, "first");
	assert_int_equal(cookie_find(&head, SLICE("y"), &value), 1);
	check_slice(value, "2");
	assert_int_equal(cookie_find(&head, SLICE("z"), &value), 0);
	check_slice(value, "2");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cookie_is_found_by_its_whole_name),
		cmocka_unit_test(each_of_several_is_given),
		cmocka_unit_test(all_headers_of_a_request_count),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
