/* SPDX-License-Identifier: Apache-2.0 */
#include "room_scene.h"

static void a_promotion_holds_at_once_and_all_hear_of_it(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_init(&bob, &scene, "bob");
	bob.joining.privilege = PRIVILEGE_RESTRICTED;
	guest_join(&bob, "room:a");
	scene_pass(&scene);
	guest_clear(&alice);
	guest_clear(&bob);
	assert_true(guest_requests(&bob, "r1", ""));
	rooms_promote(scene.rooms, SLICE("bob"), SLICE_NONE, PRIVILEGE_FULL);
	rooms_promote(scene.rooms, SLICE("bob"), SLICE("room:a"), PRIVILEGE_FULL);
	rooms_promote(scene.rooms, SLICE("nobody"), SLICE_NONE, PRIVILEGE_FULL);
	assert_true(guest_requests(&bob, "r2", ""));
	scene_pass(&scene);
	assert_int_equal(guest_heard(&bob, "\"code\":-32001"), 1);
	assert_int_equal(guest_heard(&bob, "{\"event\":\"privilege\",\"participant\":{\"id\":\"bob\",\"privilege\":\"full\",\"oldPrivilege\":\"restricted\"}}"), 1);
	assert_int_equal(guest_texts(&alice), 2);
	assert_int_equal(guest_heard(&alice, "\"event\":\"heartbeat\",\"participant\":{\"id\":\"bob\""), 1);
	assert_int_equal(guest_heard(&alice, "\"privilege\":\"full\""), 1);
	assert_int_equal(guest_heard(&alice, "\"id\":\"r2\""), 1);
	rooms_promote(scene.rooms, SLICE("bob"), SLICE_NONE, PRIVILEGE_RESTRICTED);
	assert_true(guest_requests(&bob, "r3", ""));
	assert_int_equal(guest_heard(&bob, "\"code\":-32001"), 2);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void comings_and_goings_are_audited_and_not_kept_in_history(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_leave(&alice);
	scene_pass(&scene);
	assert_non_null(strstr(scene.store.audits, "joined alice  full 0\n"));
	assert_non_null(strstr(scene.store.audits, "left alice  full 0\n"));
	assert_int_equal(scene.store.spool.count, 0);
	guest_finish(&alice);
	scene_close(&scene);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_promotion_holds_at_once_and_all_hear_of_it),
		cmocka_unit_test(comings_and_goings_are_audited_and_not_kept_in_history),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
