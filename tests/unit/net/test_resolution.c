/* SPDX-License-Identifier: Apache-2.0 */
#include "net_rig.h"

#include "net/resolution.h"

#include <netdb.h>

static struct loop *loop;
static struct resolution *resolution;
static unsigned told;
static unsigned addresses;
static struct fault told_why;
static bool closes;

static void on_done(void *context, const struct addrinfo *found, const struct fault *why) {
	assert_ptr_equal(context, &told);
	assert_true((found == NULL) == (why != NULL));
	told++;
	for (; found; found = found->ai_next) addresses++;
	if (why) told_why = *why;
	if (!closes) return;
	resolution_close(resolution);
	resolution = NULL;
}

static int set_up(void **state) {
	(void)state;
	loop = rig_loop();
	told = addresses = 0;
	closes = false;
	resolution = NULL;
	told_why.code = FAULT_NONE;
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	resolution_close(resolution);
	loop_close(loop);
	return 0;
}

static void ask(const char *name, uint64_t deadline_ms) {
	struct fault why;
	resolution = resolution_open(loop, name, deadline_ms, on_done, &told, &why);
	assert_non_null(resolution);
	assert_int_equal(told, 0);
}

static void a_name_is_resolved(void **state) {
	(void)state;
	ask("localhost", 10 * 60 * 1000);
	RIG_UNTIL(loop, told);
	assert_true(addresses > 0);
	assert_int_equal(told, 1);
}

static void it_may_be_closed_from_inside_done(void **state) {
	(void)state;
	closes = true;
	ask("localhost", 10 * 60 * 1000);
	RIG_UNTIL(loop, told);
	assert_null(resolution);
}

static void a_name_that_is_none_is_told(void **state) {
	(void)state;
	ask("no such name", 10 * 60 * 1000);
	RIG_UNTIL(loop, told);
	assert_int_equal(told_why.code, FAULT_NOT_FOUND);
	assert_non_null(strstr(told_why.text, "no such name"));
}

/* Whichever comes first, it is told once. */
static void a_deadline_ends_the_wait(void **state) {
	(void)state;
	ask("no-such-host.invalid", 1);
	RIG_UNTIL(loop, told);
	assert_int_equal(addresses, 0);
	assert_true(told_why.code == FAULT_TIMEOUT || told_why.code == FAULT_NOT_FOUND);
	loop_step(loop, 0);
	assert_int_equal(told, 1);
}

static void a_closed_one_tells_nobody(void **state) {
	(void)state;
	ask("localhost", 10 * 60 * 1000);
	resolution_close(resolution);
	resolution = NULL;
	ask("localhost", 10 * 60 * 1000);
	RIG_UNTIL(loop, told);
	assert_int_equal(told, 1);
}

static void names_are_bounded(void **state) {
	(void)state;
	char name[RESOLUTION_NAME + 2];
	struct fault why;
	memset(name, 'a', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	assert_null(resolution_open(loop, name, 1, on_done, &told, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	assert_null(resolution_open(loop, "", 1, on_done, &told, &why));
	assert_int_equal(told, 0);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_name_is_resolved, set_up, tear_down),
		cmocka_unit_test_setup_teardown(it_may_be_closed_from_inside_done, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_name_that_is_none_is_told, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_deadline_ends_the_wait, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_closed_one_tells_nobody, set_up, tear_down),
		cmocka_unit_test_setup_teardown(names_are_bounded, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
