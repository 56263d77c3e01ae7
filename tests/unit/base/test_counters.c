/* SPDX-License-Identifier: Apache-2.0 */
#include "base/counters.h"

#include "check.h"

static void counters_count(void **state) {
	(void)state;
	static struct counters counters;
	assert_int_equal(counters_read(&counters, COUNTER_ROOMS), 0);
	counters_add(&counters, COUNTER_ROOMS, 3);
	counters_add(&counters, COUNTER_ROOMS, -1);
	counters_add(&counters, COUNTER_HTTP_REFUSED, 1);
	assert_int_equal(counters_read(&counters, COUNTER_ROOMS), 2);
	assert_int_equal(counters_read(&counters, COUNTER_HTTP_REFUSED), 1);
	assert_int_equal(counters_read(&counters, COUNTER_CONNECTIONS), 0);
}

/* Prometheus: lower case, and "_total" for what only grows. */
static void every_counter_has_a_name_of_its_own(void **state) {
	(void)state;
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz_";
	for (int a = 0; a < COUNTERS; a++) {
		const char *name = counter_name((enum counter)a);
		assert_non_null(name);
		assert_true(slice_starts_with(slice_of(name), "hustings_"));
		assert_int_equal(strspn(name, allowed), strlen(name));
		const char *total = strstr(name, "_total");
		assert_int_equal(total != NULL && strlen(total) == 6, !counter_is_gauge((enum counter)a));
		assert_true(strlen(counter_help((enum counter)a)) > 5);
		for (int b = 0; b < a; b++) assert_string_not_equal(name, counter_name((enum counter)b));
	}
	assert_string_equal(counter_name(COUNTER_PARTICIPANTS), "hustings_participants");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counters_count),
		cmocka_unit_test(every_counter_has_a_name_of_its_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
