/* SPDX-License-Identifier: Apache-2.0 */
#include "room_scene.h"

#include "failing_malloc.h"
#include "base/map.c"
#include "room/room.c"

static void run_timer(struct room *room) { time_passed(&room->next); }

static void a_room_that_nobody_needs_closes_by_itself(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	struct room *room = scene_room(&scene, "room:a");
	assert_int_equal(room->idle_since, 0);
	assert_int_equal(room->next.at, 0); /* nothing to wait for while somebody is here */
	assert_true(guest_proposes(&alice, "p1"));
	guest_leave(&alice);
	scene_pass(&scene);
	uint64_t now = loop_now(scene.loop);
	assert_true(room->idle_since <= now && room->idle_since > 0);
	room->idle_since = now - ROOM_IDLE_MS;
	run_timer(room);
	assert_ptr_equal(scene_room(&scene, "room:a"), room); /* a proposal is open */
	assert_true(proposals_settle(room, SLICE("p1"), PROPOSALS_WITHDRAW, alice.principal, PRIVILEGE_FULL,
		SLICE_NONE, NULL, NULL));
	run_timer(room);
	assert_ptr_equal(scene_room(&scene, "room:a"), room); /* and then something is not stored yet */
	assert_int_not_equal(room->next.at, 0);
	scene_pass(&scene);
	if (scene_room(&scene, "room:a")) run_timer(room); /* the pass may have run it already */
	assert_null(scene_room(&scene, "room:a"));
	assert_int_equal(scene_counter(&scene, COUNTER_ROOMS), 0);
	guest_finish(&alice);
	scene_close(&scene);
}

static void one_that_comes_back_in_time_keeps_the_room(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	struct room *room = scene_room(&scene, "room:a");
	guest_finish(&alice);
	scene_pass(&scene);
	guest_comes(&alice, &scene, "alice");
	assert_int_equal(room->idle_since, 0);
	run_timer(room);
	assert_ptr_equal(scene_room(&scene, "room:a"), room);
	guest_finish(&alice);
	scene_close(&scene);
}

static void a_room_that_comes_back_goes_on_where_the_topic_stands(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	assert_true(guest_chats(&alice, "one"));
	scene_pass(&scene);
	guest_finish(&alice);
	scene_pass(&scene);
	struct room *room = scene_room(&scene, "room:a");
	room->idle_since = loop_now(scene.loop) - ROOM_IDLE_MS;
	run_timer(room);
	assert_null(scene_room(&scene, "room:a"));
	guest_comes(&alice, &scene, "alice");
	assert_int_equal(scene_room(&scene, "room:a")->sequence, 1);
	assert_int_equal(scene_room(&scene, "room:a")->stored, 1);
	guest_clear(&alice);
	assert_true(guest_chats(&alice, "one"));
	scene_pass(&scene);
	assert_int_equal(guest_heard(&alice, "\"id\":\"one\""), 1);
	assert_int_equal(scene_room(&scene, "room:a")->sequence, 1);
	guest_finish(&alice);
	scene_close(&scene);
}

static void heartbeats_beat_while_somebody_is_there(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	scene.settings.heartbeat_ms = 86400000;
	scene_change(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_comes(&bob, &scene, "bob");
	struct room *room = scene_room(&scene, "room:a");
	assert_true(room->heartbeat_at > 86400000 && room->heartbeat_at <= loop_now(scene.loop) + 86400000);
	scene_pass(&scene);
	guest_clear(&alice);
	run_timer(room);
	assert_int_equal(guest_texts(&alice), 0);
	room->heartbeat_at = 1;
	run_timer(room);
	scene_pass(&scene);
	assert_int_equal(guest_heard(&alice, "\"event\":\"heartbeat\""), 2);
	scene.settings.heartbeat_ms = 1000;
	scene_change(&scene);
	assert_true(room->heartbeat_at <= loop_now(scene.loop) + 1000);
	scene.settings.heartbeat_ms = 0;
	scene_change(&scene);
	assert_int_equal(room->heartbeat_at, 0);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void participants_are_listed_as_json(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob, carol;
	AUTO_TEXT struct text json;
	struct scan_value root;
	text_init(&json, 0);
	scene_open(&scene);
	guest_init_like(&alice, &scene, &(struct principal_facts){.id = SLICE("al.ice"), .name = SLICE("Al"), .kind = PRINCIPAL_ROBOT, .mcp_version = SLICE("2025-06-18")});
	guest_join(&alice, "room:a");
	guest_comes(&bob, &scene, "bob");
	scene.store.holds = true;
	assert_true(guest_chats(&alice, "x"));
	guest_init(&carol, &scene, "carol"); /* not welcomed yet: not there */
	carol.joining.history = 5;
	guest_start(&carol, "room:a");
	room_write_participants(scene_room(&scene, "room:a"), &json);
	assert_true(scan_check(text_slice(&json), SCAN_DEPTH, &root, NULL));
	assert_int_equal(scan_count(&root), 2);
	assert_non_null(strstr(json.bytes, "{\"id\":\"al.ice\",\"name\":\"Al\",\"kind\":\"robot\",\"mcp\":{\"version\":"
					   "\"2025-06-18\"},\"privilege\":\"full\",\"connectedAt\":\"20"));
	scene.store.holds = false;
	scene_pass(&scene);
	guest_finish(&alice);
	guest_finish(&bob);
	guest_finish(&carol);
	scene_close(&scene);
}

static void a_room_may_go_while_the_store_is_asked_for_it(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	scene.store.holds = true;
	guest_init(&alice, &scene, "alice");
	guest_start(&alice, "room:a");
	joining_cancel(&alice.joining);
	room_close(scene_room(&scene, "room:a"));
	store_answer(&scene.store);
	assert_null(scene_room(&scene, "room:a"));
	assert_int_equal(alice.seated, 0);
	guest_finish(&alice);
	scene_close(&scene);
}

static void without_memory_a_room_does_not_open(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, carol;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	assert_true(guest_chats(&alice, "x"));
	assert_true(guest_proposes(&alice, "p"));
	scene_pass(&scene);
	guest_finish(&alice);
	rooms_drain(scene.rooms);
	rooms_close(scene.rooms);
	scene_open_rooms(&scene);
	bool is_in = false;
	for (int call = 1; call < 20 && !is_in; call++) {
		guest_init(&carol, &scene, "carol");
		malloc_fails_at(call);
		guest_start(&carol, "room:a");
		store_answer(&scene.store);
		malloc_fails_at(0);
		scene_pass(&scene);
		assert_int_equal(carol.seated, 1);
		is_in = carol.seat != NULL;
		if (!is_in) {
			assert_int_equal(carol.why.code, FAULT_NO_MEMORY);
			assert_null(call < 3 ? scene_room(&scene, "room:a") : NULL);
		}
		guest_finish(&carol);
	}
	assert_true(is_in);
	scene_close(&scene);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_room_that_nobody_needs_closes_by_itself),
		cmocka_unit_test(one_that_comes_back_in_time_keeps_the_room),
		cmocka_unit_test(a_room_that_comes_back_goes_on_where_the_topic_stands),
		cmocka_unit_test(heartbeats_beat_while_somebody_is_there),
		cmocka_unit_test(participants_are_listed_as_json),
		cmocka_unit_test(a_room_may_go_while_the_store_is_asked_for_it),
		cmocka_unit_test(without_memory_a_room_does_not_open),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
