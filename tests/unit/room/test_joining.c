/* SPDX-License-Identifier: Apache-2.0 */
#include "room_scene.h"

#include "wire/websocket.h"

static void a_welcome_comes_first_and_the_others_hear_of_it(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	scene_pass(&scene);
	assert_int_equal(guest_texts(&alice), 1); /* not its own join */
	guest_comes(&bob, &scene, "bob");
	scene_pass(&scene);
	assert_int_equal(guest_heard(&alice, "\"event\":\"join\""), 1);
	assert_int_equal(guest_heard(&bob, "\"event\":\"join\""), 0);
	assert_int_equal(guest_heard(&bob, "\"event\":\"welcome\""), 1);
	assert_int_equal(guest_heard(&bob, "\"participants\":[{\"id\":\"alice\",\"privilege\":\"full\"}]"), 1);
	guest_leave(&alice);
	scene_pass(&scene);
	assert_int_equal(guest_heard(&bob, "\"event\":\"leave\""), 1);
	assert_int_equal(scene_counter(&scene, COUNTER_PARTICIPANTS), 1);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void the_same_agent_again_replaces_its_connection_in_silence(void **state) {
	(void)state;
	struct scene scene;
	struct guest old, new, watcher;
	scene_open(&scene);
	guest_comes(&watcher, &scene, "watcher");
	guest_comes(&old, &scene, "alice");
	scene_pass(&scene);
	guest_clear(&watcher);
	guest_init_like(&new, &scene, &(struct principal_facts){.id = SLICE("alice"), .name = SLICE("Alice the second")});
	new.joining.privilege = PRIVILEGE_RESTRICTED;
	guest_join(&new, "room:a");
	scene_pass(&scene);
	assert_int_equal(old.code, WEBSOCKET_REPLACED);
	assert_int_equal(guest_texts(&watcher), 0);
	assert_int_equal(scene_counter(&scene, COUNTER_PARTICIPANTS), 2);
	assert_int_equal(scene_counter(&scene, COUNTER_CLOSED_REPLACED), 1);
	check_slice(principal_text(new.seat->participant->principal, PRINCIPAL_NAME), "Alice the second");
	assert_non_null(map_find(&scene_room(&scene, "room:a")->participants, SLICE("alice")));
	guest_finish(&old);
	guest_leave(&new);
	scene_pass(&scene);
	assert_int_equal(guest_heard(&watcher, "\"event\":\"leave\""), 1);
	guest_finish(&new);
	guest_finish(&watcher);
	scene_close(&scene);
}

static void a_human_may_have_several_connections_up_to_a_bound(void **state) {
	(void)state;
	struct scene scene;
	struct guest one, two, three, watcher;
	struct principal_facts human = {.id = SLICE("ann"), .kind = PRINCIPAL_HUMAN};
	scene_open(&scene);
	scene.settings.max_connections = 2;
	scene_change(&scene);
	guest_comes(&watcher, &scene, "watcher");
	guest_init_like(&one, &scene, &human);
	guest_init_like(&two, &scene, &human);
	guest_init_like(&three, &scene, &human);
	guest_join(&one, "room:a");
	guest_join(&two, "room:a");
	guest_join(&three, "room:a");
	assert_null(three.seat);
	assert_int_equal(three.why.code, FAULT_FULL);
	scene_pass(&scene);
	assert_int_equal(guest_heard(&watcher, "\"event\":\"join\""), 1);
	assert_int_equal(guest_heard(&one, "\"event\":\"join\""), 0);
	guest_clear(&watcher);
	assert_true(guest_chats(&one, "x"));
	scene_pass(&scene);
	assert_int_equal(guest_heard(&two, "\"id\":\"x\""), 1);
	guest_leave(&one);
	scene_pass(&scene);
	assert_int_equal(guest_heard(&watcher, "\"event\":\"leave\""), 0);
	guest_leave(&two);
	scene_pass(&scene);
	assert_int_equal(guest_heard(&watcher, "\"event\":\"leave\""), 1);
	guest_finish(&one);
	guest_finish(&two);
	guest_finish(&three);
	guest_finish(&watcher);
	scene_close(&scene);
}

static void who_sits_beside_is_not_replaced_and_keeps_its_own_privilege(void **state) {
	(void)state;
	struct scene scene;
	struct guest beside, main_one, again;
	scene_open(&scene);
	guest_init(&beside, &scene, "alice");
	beside.joining.is_beside = true;
	beside.joining.privilege = PRIVILEGE_RESTRICTED;
	guest_join(&beside, "room:a");
	guest_comes(&main_one, &scene, "alice");
	assert_int_equal(beside.code, 0);
	/* The token it came in with is restricted, whatever its namesake's is. */
	guest_clear(&beside);
	assert_true(guest_requests(&beside, "r1", ""));
	assert_int_equal(guest_heard(&beside, "\"code\":-32001"), 1);
	assert_true(guest_requests(&main_one, "r2", ""));
	assert_int_equal(guest_heard(&main_one, "\"code\":-32001"), 0);
	guest_comes(&again, &scene, "alice");
	assert_int_equal(main_one.code, WEBSOCKET_REPLACED);
	assert_int_equal(beside.code, 0);
	scene_pass(&scene);
	guest_finish(&beside);
	guest_finish(&main_one);
	guest_finish(&again);
	scene_close(&scene);
}

static void a_room_holds_so_many_participants(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	scene.settings.max_participants = 1;
	scene_change(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_init(&bob, &scene, "bob");
	guest_join(&bob, "room:a");
	assert_int_equal(bob.why.code, FAULT_FULL);
	assert_int_equal(bob.sends, 0);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void the_island_decides_the_dialect_of_who_says_none(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	scene.settings.dialect = ENVELOPE_V0;
	scene_change(&scene);
	guest_init(&alice, &scene, "alice");
	alice.joining.has_dialect = false;
	guest_join(&alice, "room:a");
	assert_int_equal(guest_heard(&alice, "{\"protocol\":\"mcp-x/v0\""), 1);
	assert_int_equal(guest_heard(&alice, "\"protocol\":\"mcp-x/v0\"}}"), 1);
	guest_finish(&alice);
	scene_close(&scene);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_welcome_comes_first_and_the_others_hear_of_it),
		cmocka_unit_test(the_same_agent_again_replaces_its_connection_in_silence),
		cmocka_unit_test(a_human_may_have_several_connections_up_to_a_bound),
		cmocka_unit_test(who_sits_beside_is_not_replaced_and_keeps_its_own_privilege),
		cmocka_unit_test(a_room_holds_so_many_participants),
		cmocka_unit_test(the_island_decides_the_dialect_of_who_says_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
