/* SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"

#include "check.h"

static void monotonic_time_never_goes_back(void **state) {
	(void)state;
	uint64_t last_us = clock_monotonic_us();
	for (int i = 0; i < 10000; i++) {
		uint64_t now_us = clock_monotonic_us();
		assert_true(now_us >= last_us);
		last_us = now_us;
	}
	assert_true(clock_monotonic_ms() >= last_us / 1000);
}

static void wall_time_is_of_this_century(void **state) {
	(void)state;
	int64_t begin_of_2020 = 0, now = clock_wall_ms();
	assert_true(clock_read(SLICE("2020-01-01T00:00:00Z"), &begin_of_2020));
	assert_true(now > begin_of_2020);
}

/* The numbers are those of another implementation's calendar. */
static const struct {
	const char *text;
	int64_t wall_ms;
} known[] = {
	{"1970-01-01T00:00:00.000Z", 0},
	{"1969-12-31T23:59:59.999Z", -1},
	{"2026-11-22T05:04:52.123Z", 1795323892123},
	{"0001-01-01T00:00:00.000Z", -62135596800000},
	{"9999-12-31T23:59:59.999Z", 253402300799999},
	{"2000-02-29T20:00:00.000Z", 951854400000},
	{"1900-03-01T00:00:00.000Z", -2203891200000},
	{"0000-01-01T00:00:00.000Z", -62167219200000},
};

static void known_instants_are_written_and_read(void **state) {
	(void)state;
	for (size_t i = 0; i < COUNT_OF(known); i++) {
		char text[CLOCK_TEXT_SIZE];
		int64_t wall_ms = 7;
		clock_write(known[i].wall_ms, text);
		assert_string_equal(text, known[i].text);
		assert_true(clock_read(slice_of(known[i].text), &wall_ms));
		assert_true(wall_ms == known[i].wall_ms);
	}
}

static void every_day_of_ten_thousand_years_goes_round(void **state) {
	(void)state;
	int64_t first = -62167219200000, last = 253402300799999, wall_ms;
	char text[CLOCK_TEXT_SIZE];
	for (int64_t at = first; at <= last; at += 86400000 + 1) { /* the time of day wanders too */
		clock_write(at, text);
		assert_true(clock_read(slice_of(text), &wall_ms));
		assert_true(wall_ms == at);
	}
	clock_write(INT64_MIN, text);
	assert_string_equal(text, "0000-01-01T00:00:00.000Z");
	clock_write(INT64_MAX, text);
	assert_string_equal(text, "9999-12-31T23:59:59.999Z");
}

static void other_forms_of_rfc_3339_are_read(void **state) {
	(void)state;
	static const struct {
		const char *text;
		const char *same;
	} cases[] = {
		{"2026-11-22T05:04:52Z", "2026-11-22T05:04:52.000Z"},
		{"2026-11-22t05:04:52z", "2026-11-22T05:04:52.000Z"},
		{"2026-11-22T05:04:52.1Z", "2026-11-22T05:04:52.100Z"},
		{"2026-11-22T05:04:52.12Z", "2026-11-22T05:04:52.120Z"},
		{"2026-11-22T05:04:52.123999999999999999999999Z", "2026-11-22T05:04:52.123Z"},
		{"2026-11-22T05:04:52+00:00", "2026-11-22T05:04:52.000Z"},
		{"2026-11-22T05:04:52-00:00", "2026-11-22T05:04:52.000Z"},
		{"2026-11-22T05:04:52.5+05:30", "2026-11-21T23:34:52.500Z"},
		{"2026-12-31T23:30:00-08:00", "2027-01-01T07:30:00.000Z"},
		{"2024-02-29T00:00:00+23:59", "2024-02-28T00:01:00.000Z"},
		{"1998-12-31T23:59:60Z", "1999-01-01T00:00:00.000Z"},
		{"1998-12-31T15:59:60.123-08:00", "1999-01-01T00:00:00.123Z"},
		{"1999-01-01T00:29:60+00:30", "1999-01-01T00:00:00.000Z"},
		{"1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999Z"},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		int64_t wall_ms = 7, same = 8;
		assert_true(clock_read(slice_of(cases[i].text), &wall_ms));
		assert_true(clock_read(slice_of(cases[i].same), &same));
		assert_true(wall_ms == same);
	}
}

static void anything_else_is_refused(void **state) {
	(void)state;
	static const char *const refused[] = {
		"",
		"2026-11-22",
		"2026-11-22T05:04:52",
		"2026-11-22T05:04:52 Z",
		"2026-11-22 05:04:52Z",
		"2026-11-22T05:04:52.Z",
		"2026-11-22T05:04:52,1Z",
		"2026-11-22T05:04:52ZZ",
		"2026-11-22T05:04:52Z ",
		" 2026-11-22T05:04:52Z",
		"2026-11-22T05:04:52+0530",
		"2026-11-22T05:04:52+05",
		"2026-11-22T05:04:52+24:00",
		"2026-11-22T05:04:52+05:60",
		"2026-11-22T05:04:52.1+05:3",
		"2026-00-22T05:04:52Z",
		"2026-13-22T05:04:52Z",
		"2026-11-00T05:04:52Z",
		"2026-11-31T05:04:52Z",
		"2026-02-29T05:04:52Z",
		"2100-02-29T05:04:52Z",
		"2026-11-22T24:00:00Z",
		"2026-11-22T05:60:52Z",
		"2026-11-22T05:04:61Z",
		"1998-12-31T23:58:60Z",
		"1998-12-31T22:59:60Z",
		"1998-12-31T23:59:60+01:00",
		"2026/11/22T05:04:52Z",
		"2026-11-22T05-04-52Z",
		"20a6-11-22T05:04:52Z",
		"2026-1a-22T05:04:52Z",
		"-026-11-22T05:04:52Z",
		"+2026-11-22T05:04:52Z",
		"2026-11-22T05:04:52\xc2\xa0Z",
	};
	for (size_t i = 0; i < COUNT_OF(refused); i++) {
		int64_t wall_ms = 7;
		assert_false(clock_read(slice_of(refused[i]), &wall_ms));
		assert_int_equal(wall_ms, 7);
	}
}

static void spans_are_read_as_people_write_them(void **state) {
	(void)state;
	static const struct {
		const char *text;
		int64_t ms;
	} cases[] = {
		{"0", 0},
		{"30", 30000},
		{"250ms", 250},
		{"5s", 5000},
		{"5m", 300000},
		{"24h", 86400000},
		{"7d", 604800000},
		{"36500d", 3153600000000},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		int64_t ms = -1;
		assert_true(clock_span_read(slice_of(cases[i].text), &ms, NULL));
		assert_true(ms == cases[i].ms);
	}
	static const char *const refused[] = {"", "s", "-5s", "5 s", "5S", "5min", "1.5h", "5s5",
		"36501d", "99999999999999999999d", "0x5"};
	for (size_t i = 0; i < COUNT_OF(refused); i++) {
		struct fault why = {0};
		int64_t ms = -1;
		assert_false(clock_span_read(slice_of(refused[i]), &ms, &why));
		assert_int_equal(ms, -1);
		assert_int_equal(why.code, FAULT_BAD_INPUT);
		assert_non_null(strstr(why.text, "no span of time: write 250ms"));
	}
}

static void sizes_are_read_as_people_write_them(void **state) {
	(void)state;
	static const struct {
		const char *text;
		int64_t octets;
	} cases[] = {
		{"0", 0},
		{"512", 512},
		{"512B", 512},
		{"2KB", 2000},
		{"3MB", 3000000},
		{"4GB", 4000000000},
		{"64KiB", 65536},
		{"1MiB", 1048576},
		{"2GiB", 2147483648},
		{"9223372036854775807", INT64_MAX},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		int64_t octets = -1;
		assert_true(clock_size_read(slice_of(cases[i].text), &octets, NULL));
		assert_true(octets == cases[i].octets);
	}
	static const char *const refused[] = {"", "B", "1kib", "1K", "1 KiB", "-1", "1.5MiB",
		"9223372036854775808", "9007199254740992KiB"};
	for (size_t i = 0; i < COUNT_OF(refused); i++) {
		struct fault why = {0};
		int64_t octets = -1;
		assert_false(clock_size_read(slice_of(refused[i]), &octets, &why));
		assert_int_equal(octets, -1);
		assert_int_equal(why.code, FAULT_BAD_INPUT);
		assert_non_null(strstr(why.text, "is no size"));
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(monotonic_time_never_goes_back),
		cmocka_unit_test(wall_time_is_of_this_century),
		cmocka_unit_test(known_instants_are_written_and_read),
		cmocka_unit_test(every_day_of_ten_thousand_years_goes_round),
		cmocka_unit_test(other_forms_of_rfc_3339_are_read),
		cmocka_unit_test(anything_else_is_refused),
		cmocka_unit_test(spans_are_read_as_people_write_them),
		cmocka_unit_test(sizes_are_read_as_people_write_them),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
