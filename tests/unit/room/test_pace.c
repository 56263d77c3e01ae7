/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "room/pace.h"

static void it_holds_the_count_it_names_and_no_more(void **state) {
	(void)state;
	struct pace pace = {0};
	struct pace_rate rate = {200, 1000};
	uint64_t retry = 0, now = 5000000;
	for (int i = 0; i < 200; i++) assert_true(pace_take(&pace, &rate, now, &retry));
	assert_false(pace_take(&pace, &rate, now, &retry));
	assert_int_equal(retry, 5);
	assert_false(pace_take(&pace, &rate, now + 4999, &retry));
	assert_int_equal(retry, 1);
	assert_true(pace_take(&pace, &rate, now + 5000, &retry));
	assert_false(pace_take(&pace, &rate, now + 5000, &retry));
}

static void it_refills_evenly_and_never_overflows(void **state) {
	(void)state;
	struct pace pace = {0};
	struct pace_rate rate = {10, 60000};
	uint64_t retry = 0, now = 1000000000;
	for (int i = 0; i < 10; i++) assert_true(pace_take(&pace, &rate, now, &retry));
	assert_false(pace_take(&pace, &rate, now, &retry));
	assert_int_equal(retry, 6000);
	now += 3600u * 1000000;
	for (int i = 0; i < 10; i++) assert_true(pace_take(&pace, &rate, now, &retry));
	assert_false(pace_take(&pace, &rate, now, &retry));
}

static void off_is_no_bound(void **state) {
	(void)state;
	struct pace pace = {0};
	struct pace_rate rate = {0};
	uint64_t retry = 0;
	for (int i = 0; i < 10000; i++) assert_true(pace_take(&pace, &rate, 1, &retry));
	pace_give(&pace, &rate);
	assert_int_equal(pace.full_at_us, 0);
}

static void what_was_given_back_can_be_taken_again(void **state) {
	(void)state;
	struct pace pace = {0};
	struct pace_rate rate = {1, 1000};
	uint64_t retry = 0;
	assert_true(pace_take(&pace, &rate, 1000, &retry));
	assert_false(pace_take(&pace, &rate, 1000, &retry));
	pace_give(&pace, &rate);
	assert_true(pace_take(&pace, &rate, 1000, &retry));
	pace.full_at_us = 3;
	pace_give(&pace, &rate);
	assert_int_equal(pace.full_at_us, 0);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_holds_the_count_it_names_and_no_more),
		cmocka_unit_test(it_refills_evenly_and_never_overflows),
		cmocka_unit_test(off_is_no_bound),
		cmocka_unit_test(what_was_given_back_can_be_taken_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
