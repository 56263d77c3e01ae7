/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "gateway/sign_in_pace.h"

#include <stdio.h>

#define NOW 1000000

static struct sign_in_pace *pace;
static struct fault why;
static uint64_t retry;

static int set_up(void **state) {
	(void)state;
	pace = sign_in_pace_open(SIGN_IN_UNITS, &why);
	return pace ? 0 : -1;
}

static int tear_down(void **state) {
	(void)state;
	sign_in_pace_close(pace);
	return 0;
}

static bool may_try(const char *address, uint64_t now) { return sign_in_pace_take(pace, address, SIGN_IN_COST, now, &retry); }

static void ten_tries_may_fail_and_then_one_waits(void **state) {
	(void)state;
	for (int i = 0; i < SIGN_IN_UNITS / SIGN_IN_COST; i++) assert_true(may_try("10.0.0.1", NOW));
	assert_false(may_try("10.0.0.1", NOW));
	assert_int_equal(retry, SIGN_IN_COST * 1000);
	assert_false(may_try("10.0.0.1", NOW + retry - 1));
	assert_true(may_try("10.0.0.1", NOW + SIGN_IN_COST * 1000));
	assert_false(may_try("10.0.0.1", NOW + SIGN_IN_COST * 1000));
	assert_true(may_try("10.0.0.2", NOW));
}

static void a_try_that_succeeds_costs_one(void **state) {
	(void)state;
	for (int i = 0; i <= SIGN_IN_UNITS - SIGN_IN_COST; i++) {
		assert_true(may_try("10.0.0.1", NOW));
		sign_in_pace_give(pace, "10.0.0.1");
	}
	assert_false(may_try("10.0.0.1", NOW));
	assert_int_equal(retry, 1000);
	sign_in_pace_give(pace, "10.0.0.9"); /* nobody knows it */
}

static void another_price_is_taken_of_the_same_units(void **state) {
	(void)state;
	for (int i = 0; i < SIGN_IN_UNITS; i++) assert_true(sign_in_pace_take(pace, "10.0.0.1", 1, NOW, &retry));
	assert_false(sign_in_pace_take(pace, "10.0.0.1", 1, NOW, &retry));
	assert_int_equal(retry, 1000);
	assert_true(sign_in_pace_take(pace, "10.0.0.1", 1, NOW + 1000, &retry));
}

static void an_ipv6_address_is_its_first_half(void **state) {
	(void)state;
	char address[64];
	for (int i = 0; i < SIGN_IN_UNITS / SIGN_IN_COST; i++) {
		snprintf(address, sizeof address, "2001:db8:1:2:%x::%x", i, i);
		assert_true(may_try(address, NOW));
	}
	assert_false(may_try("2001:db8:1:2::9", NOW));
	assert_true(may_try("2001:db8:1:3::9", NOW));
	assert_true(may_try("::ffff:10.0.0.1", NOW));
	assert_true(may_try("::ffff:10.0.0.2", NOW));
	assert_int_equal(sign_in_pace_count(pace), 4);
}

static void the_address_that_tried_longest_ago_is_forgotten(void **state) {
	(void)state;
	char address[64];
	for (int i = 0; i < SIGN_IN_UNITS / SIGN_IN_COST; i++) {
		assert_true(may_try("10.1.0.1", NOW));
		assert_true(may_try("10.1.0.2", NOW));
	}
	for (int i = 0; i < SIGN_IN_ADDRESSES - 2; i++) {
		snprintf(address, sizeof address, "10.2.%d.%d", i / 256, i % 256);
		assert_true(may_try(address, NOW));
	}
	assert_false(may_try("10.1.0.1", NOW)); /* and is the last one now */
	assert_true(may_try("10.3.0.1", NOW));
	assert_int_equal(sign_in_pace_count(pace), SIGN_IN_ADDRESSES);
	assert_true(may_try("10.1.0.2", NOW));
	assert_false(may_try("10.1.0.1", NOW));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(ten_tries_may_fail_and_then_one_waits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_try_that_succeeds_costs_one, set_up, tear_down),
		cmocka_unit_test_setup_teardown(another_price_is_taken_of_the_same_units, set_up, tear_down),
		cmocka_unit_test_setup_teardown(an_ipv6_address_is_its_first_half, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_address_that_tried_longest_ago_is_forgotten, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
