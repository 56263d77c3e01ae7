/* SPDX-License-Identifier: Apache-2.0 */
#include "room_scene.h"

#include "failing_malloc.h"
#include "room/acknowledgement.c"
#include "room/arrears.c"

static void an_echo_that_cannot_wait_for_want_of_memory_ends_the_connection(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	for (int call = 1; call < 3; call++) {
		scene_open(&scene);
		guest_comes(&alice, &scene, "alice");
		guest_comes(&bob, &scene, "bob");
		assert_true(guest_chats(&alice, "x"));
		malloc_fails_at(call);
		assert_true(guest_chats(&alice, "x"));
		malloc_fails_at(0);
		scene_pass(&scene);
		assert_int_equal(alice.code, WEBSOCKET_INTERNAL);
		assert_int_equal(bob.code, 0);
		assert_int_equal(guest_heard(&bob, "\"id\":\"x\""), 1);
		guest_finish(&alice);
		guest_finish(&bob);
		scene_close(&scene);
	}
}

static void an_echo_in_the_pass_of_its_envelope_comes_behind_the_delivery(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_comes(&bob, &scene, "bob");
	scene_pass(&scene);
	guest_clear(&alice);
	assert_true(guest_chats(&alice, "x"));
	assert_true(guest_chats(&bob, "y"));
	assert_true(guest_chats(&alice, "x"));
	assert_int_equal(alice.sends, 0);
	scene_pass(&scene);
	assert_int_equal(alice.sends, 2);
	assert_int_equal(guest_heard(&alice, "\"id\":\"x\""), 2);
	assert_int_equal(guest_heard(&bob, "\"id\":\"x\""), 1);
	assert_null(alice.seat->arrears);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void without_history_an_echo_waits_for_nothing(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	scene.settings.history = false;
	scene_change(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_clear(&alice);
	assert_true(guest_chats(&alice, "x"));
	assert_true(guest_chats(&alice, "x"));
	assert_int_equal(guest_heard(&alice, "\"id\":\"x\""), 1);
	guest_finish(&alice);
	scene_close(&scene);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_echo_that_cannot_wait_for_want_of_memory_ends_the_connection),
		cmocka_unit_test(an_echo_in_the_pass_of_its_envelope_comes_behind_the_delivery),
		cmocka_unit_test(without_history_an_echo_waits_for_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
