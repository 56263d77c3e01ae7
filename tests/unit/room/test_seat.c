/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that runs out at any point of somebody's coming, speaking and going. */
#include "room_scene.h"

#include "failing_malloc.h"
#include "base/text.c"
#include "room/seat.c"

static void a_coming_without_memory_is_refused_and_leaves_nobody_behind(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_init(&bob, &scene, "bob");
	malloc_fails_at(1);
	guest_start(&bob, "room:a");
	malloc_fails_at(0);
	assert_null(bob.seat);
	assert_int_equal(bob.why.code, FAULT_NO_MEMORY);
	assert_int_equal(scene_room(&scene, "room:a")->participants.count, 1);
	guest_finish(&bob);
	guest_init(&bob, &scene, "alice"); /* nor is the one who is there replaced by nobody */
	malloc_fails_at(1);
	guest_start(&bob, "room:a");
	malloc_fails_at(0);
	assert_null(bob.seat);
	assert_int_equal(alice.code, 0);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void a_welcome_that_finds_no_memory_ends_the_connection(void **state) {
	(void)state;
	bool was_welcomed = false;
	for (int call = 2; call < 12 && !was_welcomed; call++) {
		struct scene scene;
		struct guest alice, bob;
		scene_open(&scene);
		guest_comes(&alice, &scene, "alice");
		guest_init(&bob, &scene, "bob");
		malloc_fails_at(call);
		guest_start(&bob, "room:a");
		malloc_fails_at(0);
		was_welcomed = bob.sends > 0;
		scene_pass(&scene);
		assert_int_equal(bob.code, was_welcomed ? 0 : WEBSOCKET_INTERNAL);
		guest_finish(&alice);
		guest_finish(&bob);
		scene_close(&scene);
	}
	assert_true(was_welcomed);
}

static void a_change_of_privilege_is_told_whole_or_the_connection_ends(void **state) {
	(void)state;
	bool was_told = false;
	for (int call = 1; call < 12 && !was_told; call++) {
		struct scene scene;
		struct guest alice;
		scene_open(&scene);
		guest_comes(&alice, &scene, "alice");
		guest_clear(&alice);
		malloc_fails_at(call);
		rooms_promote(scene.rooms, SLICE("alice"), SLICE_NONE, PRIVILEGE_RESTRICTED);
		malloc_fails_at(0);
		was_told = alice.sends > 0;
		assert_int_equal(alice.seat->privilege, PRIVILEGE_RESTRICTED);
		scene_pass(&scene);
		assert_int_equal(alice.code, was_told ? 0 : WEBSOCKET_INTERNAL);
		guest_finish(&alice);
		scene_close(&scene);
	}
	assert_true(was_told);
}

static void a_proposal_without_memory_is_relayed_and_its_book_may_miss_it(void **state) {
	(void)state;
	for (int call = 1; call < 12; call++) {
		struct scene scene;
		struct guest alice, bob;
		scene_open(&scene);
		guest_comes(&alice, &scene, "alice");
		guest_comes(&bob, &scene, "bob");
		scene_pass(&scene);
		malloc_fails_at(call);
		char text[] = "{\"protocol\":\"mcpx/v0.1\",\"id\":\"p\",\"kind\":\"mcp/proposal\",\"payload\":{\"method\":\"m\"}}";
		assert_true(seat_receive(alice.seat, slice_of(text)));
		malloc_fails_at(0);
		scene_pass(&scene);
		assert_int_equal(guest_heard(&bob, "\"id\":\"p\""), 1);
		(void)!proposals_settle(scene_room(&scene, "room:a"), SLICE("p"), PROPOSALS_WITHDRAW, alice.principal,
			PRIVILEGE_FULL, SLICE("x"), NULL, NULL);
		guest_finish(&alice);
		guest_finish(&bob);
		scene_close(&scene);
	}
}

static void those_who_are_marked_go_together_at_the_end_of_the_pass(void **state) {
	(void)state;
	struct scene scene;
	struct guest guests[6];
	char id[16];
	scene_open(&scene);
	for (int i = 0; i < 6; i++) {
		snprintf(id, sizeof id, "g%d", i);
		guest_comes(&guests[i], &scene, id);
	}
	scene_pass(&scene);
	for (int i = 0; i < 6; i++) guest_clear(&guests[i]);
	for (int i = 1; i < 6; i += 2) leaving_mark(guests[i].seat, LEAVING_BEHIND);
	guest_leave(&guests[5]); /* marked, and gone by itself */
	scene_pass(&scene);
	assert_int_equal(guests[1].code, WEBSOCKET_AGAIN_LATER);
	assert_int_equal(guests[3].code, WEBSOCKET_AGAIN_LATER);
	assert_int_equal(guests[5].code, 0);
	assert_int_equal(guest_heard(&guests[0], "\"event\":\"leave\""), 3);
	assert_int_equal(guest_heard(&guests[4], "\"event\":\"leave\""), 3);
	assert_true(guest_chats(&guests[2], "x"));
	scene_pass(&scene);
	assert_int_equal(guest_heard(&guests[0], "\"id\":\"x\""), 1);
	for (int i = 0; i < 6; i++) guest_finish(&guests[i]);
	scene_close(&scene);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_coming_without_memory_is_refused_and_leaves_nobody_behind),
		cmocka_unit_test(a_welcome_that_finds_no_memory_ends_the_connection),
		cmocka_unit_test(a_change_of_privilege_is_told_whole_or_the_connection_ends),
		cmocka_unit_test(a_proposal_without_memory_is_relayed_and_its_book_may_miss_it),
		cmocka_unit_test(those_who_are_marked_go_together_at_the_end_of_the_pass),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
