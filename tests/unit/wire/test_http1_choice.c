/* SPDX-License-Identifier: Apache-2.0 */
/* Which form of a thing a client takes, and whether it has it already. */
#include "check.h"

#include "wire/http1_choice.h"

#include <stdio.h>

static struct http1_head head;
static char kept[2048];

static void read_fields(const char *fields) {
	struct http1_fault fault;
	size_t used;
	int length = snprintf(kept, sizeof kept, "GET / HTTP/1.1\r\nHost: a\r\n%s\r\n", fields);
	assert_true(length > 0 && (size_t)length < sizeof kept);
	assert_int_equal(http1_request(slice_make(kept, (size_t)length), &head, &used, &fault), HTTP1_READY);
}

static void a_coding_is_taken_by_name_or_by_star(void **state) {
	(void)state;
	static const struct {
		const char *fields;
		bool takes_gzip;
	} table[] = {
		{"", false},
		{"Accept-Encoding:\r\n", false},
		{"Accept-Encoding: gzip\r\n", true},
		{"accept-encoding: br , GZIP;q=1.0, deflate\r\n", true},
		{"Accept-Encoding: br\r\nAccept-Encoding: gzip\r\n", true},
		{"Accept-Encoding: *\r\n", true},
		{"Accept-Encoding: *;q=0.001\r\n", true},
		{"Accept-Encoding: gzip;q=0.5\r\n", true},
		{"Accept-Encoding: gzip;q=0\r\n", false},
		{"Accept-Encoding: gzip; Q=0.\r\n", false},
		{"Accept-Encoding: gzip ; q=0.000\r\n", false},
		{"Accept-Encoding: gzip;q=0, *\r\n", false},
		{"Accept-Encoding: *;q=0\r\n", false},
		{"Accept-Encoding: *;q=0, gzip\r\n", true},
		{"Accept-Encoding: identity\r\n", false},
		{"Accept-Encoding: x-gzip, gzipped, gzi\r\n", false},
		{"Accept-Encoding: ,,;,;q=0,\r\n", false},
		{"X-Accept-Encoding: gzip\r\n", false},
	};
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		read_fields(table[i].fields);
		if (http1_accepts_coding(&head, "gzip") != table[i].takes_gzip) fail_msg("%s", table[i].fields);
	}
}

static void a_tag_is_found_among_others(void **state) {
	(void)state;
	static const struct {
		const char *fields;
		bool has;
	} table[] = {
		{"", false},
		{"If-None-Match: \"abc\"\r\n", true},
		{"if-none-match: W/\"abc\"\r\n", true},
		{"If-None-Match: *\r\n", true},
		{"If-None-Match: \"x\", W/\"a,b\" ,\"abc\"\r\n", true},
		{"If-None-Match: \"x\"\r\nIf-None-Match: \"abc\"\r\n", true},
		{"If-None-Match: \"x\"\"abc\"\r\n", true},
		{"If-None-Match: abc\r\n", false},
		{"If-None-Match: \"ab\"\r\n", false},
		{"If-None-Match: \"abc\r\n", false},
		{"If-None-Match: \"\r\n", false},
		{"If-None-Match: W/\r\n", false},
		{"If-None-Match: \"ABC\"\r\n", false},
		{"If-None-Match: \"x, \"abc\"\r\n", false},
		{"If-Match: \"abc\"\r\n", false},
	};
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		read_fields(table[i].fields);
		if (http1_has_already(&head, SLICE("\"abc\"")) != table[i].has) fail_msg("%s", table[i].fields);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_coding_is_taken_by_name_or_by_star),
		cmocka_unit_test(a_tag_is_found_among_others),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
