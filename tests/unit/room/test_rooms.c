/* SPDX-License-Identifier: Apache-2.0 */
#include "room_scene.h"

#include "failing_malloc.h"
#include "room/rooms.c"

/* ---- The pass end ---- */

static void what_cannot_be_stored_reaches_nobody_and_its_room_closes(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob, carol;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_comes(&bob, &scene, "bob");
	guest_init(&carol, &scene, "carol");
	guest_join(&carol, "room:other");
	scene_pass(&scene);
	guest_clear(&bob);
	assert_true(guest_chats(&alice, "lost"));
	scene.store.spool.commit_fails = true;
	scene_pass(&scene);
	scene.store.spool.commit_fails = false;
	assert_int_equal(guest_texts(&bob), 0);
	assert_int_equal(alice.code, WEBSOCKET_INTERNAL);
	assert_int_equal(bob.code, WEBSOCKET_INTERNAL);
	assert_int_equal(carol.code, 0); /* nothing of hers was lost */
	assert_null(scene_room(&scene, "room:a"));
	guest_finish(&alice);
	/* Sent again it is new: the room remembers only what the store has. */
	guest_comes(&alice, &scene, "alice");
	assert_true(guest_chats(&alice, "lost"));
	scene_pass(&scene);
	assert_int_equal(guest_heard(&alice, "\"id\":\"lost\""), 1);
	assert_int_equal(scene_room(&scene, "room:a")->sequence, 1);
	guest_finish(&alice);
	guest_finish(&bob);
	guest_finish(&carol);
	scene_close(&scene);
}

static struct guest *comes_back;

static void come_back(struct guest *guest) {
	(void)guest;
	guest_start(comes_back, "room:a");
}

static void who_comes_back_at_once_to_a_room_that_closes_is_refused(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, again;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_init(&again, &scene, "alice");
	comes_back = &again;
	alice.on_closed = come_back;
	assert_true(guest_chats(&alice, "lost"));
	scene.store.spool.commit_fails = true;
	scene_pass(&scene);
	assert_int_equal(again.seated, 1);
	assert_null(again.seat);
	assert_int_equal(again.why.code, FAULT_IO);
	assert_null(scene_room(&scene, "room:a"));
	guest_finish(&alice);
	guest_finish(&again);
	scene_close(&scene);
}

static void an_audit_record_that_is_lost_closes_no_room(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	scene_pass(&scene);
	assert_true(guest_says(&alice, "nonsense"));
	scene.store.spool.commit_fails = true;
	scene_pass(&scene);
	assert_int_equal(alice.code, 0);
	scene.store.spool.commit_fails = false;
	assert_true(guest_chats(&alice, "x"));
	scene_pass(&scene);
	assert_int_equal(guest_heard(&alice, "\"id\":\"x\""), 1);
	guest_finish(&alice);
	scene_close(&scene);
}

static void a_store_that_fails_in_the_middle_of_a_pass_closes_at_its_end(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob, carol;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	scene_pass(&scene);
	assert_true(guest_chats(&alice, "lost"));
	scene.store.spool.commit_fails = true;
	guest_init(&bob, &scene, "bob");
	bob.joining.history = 10;
	guest_start(&bob, "room:a"); /* the store is asked: what is gathered must be written first */
	guest_init(&carol, &scene, "carol");
	carol.joining.history = 10;
	guest_start(&carol, "room:a");
	assert_int_equal(bob.code, WEBSOCKET_INTERNAL);
	assert_int_equal(carol.code, WEBSOCKET_INTERNAL);
	assert_int_equal(alice.code, 0);
	scene_pass(&scene);
	assert_int_equal(alice.code, WEBSOCKET_INTERNAL);
	scene.store.spool.commit_fails = false;
	scene_pass(&scene);
	guest_finish(&alice);
	guest_finish(&bob);
	guest_finish(&carol);
	scene_close(&scene);
}

/* ---- Power ---- */

static void with_power_durability_nothing_is_told_before_the_disk_has_it(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	scene.settings.power_safe = true;
	scene_change(&scene);
	guest_comes(&alice, &scene, "alice");
	scene_pass(&scene);
	if (scene.store.sync) store_synced(&scene.store, false);
	scene_pass(&scene);
	guest_clear(&alice);
	assert_true(guest_chats(&alice, "one"));
	scene_pass(&scene);
	assert_non_null(scene.store.sync);
	assert_true(guest_chats(&alice, "two")); /* comes while the disk writes the first */
	scene_pass(&scene);
	assert_int_equal(guest_texts(&alice), 0);
	unsigned commits = scene.store.spool.commits;
	assert_true(guest_chats(&alice, "three"));
	store_synced(&scene.store, false);
	assert_int_equal(guest_texts(&alice), 1);
	assert_int_equal(guest_heard(&alice, "one"), 1);
	assert_null(scene.store.sync); /* the next sync must not begin before what it is for is written */
	assert_int_equal(scene.store.spool.commits, commits);
	scene_pass(&scene);
	assert_int_equal(scene.store.spool.commits, commits + 1);
	assert_int_equal(guest_texts(&alice), 1);
	store_synced(&scene.store, false);
	assert_int_equal(guest_texts(&alice), 3);
	scene_pass(&scene);
	assert_null(scene.store.sync);
	guest_finish(&alice);
	scene_close(&scene);
}

static void a_disk_that_does_not_sync_closes_the_rooms_that_waited(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_init(&bob, &scene, "bob");
	guest_join(&bob, "room:b");
	scene_pass(&scene);
	scene.settings.power_safe = true;
	scene_change(&scene);
	guest_clear(&alice);
	guest_clear(&bob);
	assert_true(guest_chats(&alice, "one"));
	scene_pass(&scene);
	assert_true(guest_chats(&bob, "two"));
	scene_pass(&scene);
	store_synced(&scene.store, true);
	assert_int_equal(alice.code, WEBSOCKET_INTERNAL);
	assert_int_equal(guest_texts(&alice), 0);
	assert_int_equal(bob.code, 0);
	scene_pass(&scene);
	store_synced(&scene.store, false);
	assert_int_equal(guest_texts(&bob), 1);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void a_commit_that_fails_while_the_disk_syncs_closes_its_room_too(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	scene_pass(&scene);
	scene.settings.power_safe = true;
	scene_change(&scene);
	guest_clear(&alice);
	assert_true(guest_chats(&alice, "one"));
	scene_pass(&scene);
	assert_true(guest_chats(&alice, "two"));
	scene.store.spool.commit_fails = true;
	scene_pass(&scene);
	assert_int_equal(alice.code, WEBSOCKET_INTERNAL);
	assert_int_equal(guest_texts(&alice), 0);
	scene.store.spool.commit_fails = false;
	store_synced(&scene.store, false);
	scene_pass(&scene);
	guest_finish(&alice);
	scene_close(&scene);
}

static void durability_may_change_while_the_disk_syncs(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	scene_pass(&scene);
	guest_clear(&alice);
	scene.settings.power_safe = true;
	scene_change(&scene);
	assert_true(guest_chats(&alice, "one"));
	scene_pass(&scene);
	scene.settings.power_safe = false;
	scene_change(&scene);
	assert_true(guest_chats(&alice, "two"));
	scene_pass(&scene);
	assert_int_equal(guest_texts(&alice), 0);
	store_synced(&scene.store, false);
	assert_int_equal(guest_texts(&alice), 1);
	scene_pass(&scene);
	assert_int_equal(guest_texts(&alice), 2);
	assert_null(scene.store.sync);
	guest_finish(&alice);
	scene_close(&scene);
}

static void rooms_may_close_while_the_disk_syncs(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	scene.settings.power_safe = true;
	scene_change(&scene);
	guest_comes(&alice, &scene, "alice");
	assert_true(guest_chats(&alice, "one"));
	scene_pass(&scene);
	assert_non_null(scene.store.sync);
	rooms_drain(scene.rooms);
	assert_int_equal(alice.code, WEBSOCKET_GOING_AWAY);
	rooms_close(scene.rooms);
	scene.rooms = NULL;
	store_synced(&scene.store, false);
	guest_finish(&alice);
	scene_close(&scene);
}

/* ---- Entering ---- */

static void a_topic_that_may_not_be_made_must_be_known(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	scene.settings.anyone_creates = false;
	scene_change(&scene);
	guest_init(&alice, &scene, "alice");
	guest_join(&alice, "room:new");
	assert_null(alice.seat);
	assert_int_equal(alice.why.code, FAULT_NOT_FOUND);
	assert_null(scene_room(&scene, "room:new"));
	guest_init(&bob, &scene, "bob");
	bob.joining.may_make = true;
	guest_join(&bob, "room:new");
	assert_non_null(bob.seat);
	guest_finish(&alice);
	guest_init(&alice, &scene, "alice");
	guest_join(&alice, "room:new");
	assert_non_null(alice.seat);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void there_are_so_many_rooms_and_no_more(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	scene.settings.max_rooms = 1;
	scene_change(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_init(&bob, &scene, "bob");
	guest_join(&bob, "room:b");
	assert_null(bob.seat);
	assert_int_equal(bob.why.code, FAULT_FULL);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void a_busy_store_opens_no_room_and_an_unreadable_one_neither(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	guest_init(&alice, &scene, "alice");
	scene.store.ask_fails = true;
	guest_join(&alice, "room:a");
	assert_int_equal(alice.why.code, FAULT_FULL);
	scene.store.ask_fails = false;
	scene.store.answer_fails = true;
	guest_init(&bob, &scene, "bob");
	guest_join(&bob, "room:a");
	assert_int_equal(bob.why.code, FAULT_IO);
	assert_null(scene_room(&scene, "room:a"));
	assert_int_equal(scene_counter(&scene, COUNTER_ROOMS), 0);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void a_drain_sends_everybody_away_and_lets_nobody_in(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob, carol;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	scene.store.holds = true;
	guest_init(&bob, &scene, "bob");
	guest_start(&bob, "room:loading");
	rooms_drain(scene.rooms);
	assert_int_equal(alice.code, WEBSOCKET_GOING_AWAY);
	assert_int_equal(bob.why.code, FAULT_NOT_READY);
	guest_init(&carol, &scene, "carol");
	guest_start(&carol, "room:a");
	assert_int_equal(carol.why.code, FAULT_NOT_READY);
	guest_finish(&alice);
	guest_finish(&bob);
	guest_finish(&carol);
	scene_close(&scene);
}

static void who_goes_before_the_room_is_there_is_forgotten(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	scene.store.holds = true;
	guest_init(&alice, &scene, "alice");
	guest_start(&alice, "room:a");
	joining_cancel(&alice.joining);
	joining_cancel(&alice.joining);
	scene.store.holds = false;
	scene_pass(&scene);
	assert_int_equal(alice.seated, 0);
	struct visitor never = {.ready = NULL};
	rooms_forget(&never);
	guest_finish(&alice);
	scene_close(&scene);
}

/* ---- Live changes ---- */

static void revoked_tokens_lose_their_seats_and_others_keep_theirs(void **state) {
	(void)state;
	struct scene scene;
	struct guest one, two, three;
	scene_open(&scene);
	guest_init_like(&one, &scene, &(struct principal_facts){.id = SLICE("alice"), .token_id = SLICE("t_1")});
	guest_init_like(&two, &scene, &(struct principal_facts){.id = SLICE("bob"), .token_id = SLICE("t_2")});
	guest_init_like(&three, &scene, &(struct principal_facts){.id = SLICE("carol"), .token_id = SLICE("t_3")});
	guest_join(&one, "room:a");
	guest_join(&two, "room:a");
	guest_join(&three, "room:a");
	rooms_revoke(scene.rooms, SLICE("t_1"), SLICE_NONE);
	assert_int_equal(one.code, WEBSOCKET_REVOKED);
	assert_int_equal(two.code + three.code, 0);
	rooms_revoke(scene.rooms, SLICE("t_2"), SLICE("nobody"));
	assert_int_equal(two.code, 0);
	rooms_revoke(scene.rooms, SLICE_NONE, SLICE("bob"));
	assert_int_equal(two.code, WEBSOCKET_REVOKED);
	rooms_expire(scene.rooms, two.principal);
	assert_int_equal(three.code, 0);
	rooms_expire(scene.rooms, three.principal);
	assert_int_equal(three.code, WEBSOCKET_REVOKED);
	assert_int_equal(scene_counter(&scene, COUNTER_CLOSED_REVOKED), 3);
	guest_finish(&one);
	guest_finish(&two);
	guest_finish(&three);
	scene_close(&scene);
}

static void news_reaches_those_who_still_wait_to_come_in(void **state) {
	(void)state;
	struct scene scene;
	struct guest one, two, three;
	scene_open(&scene);
	scene.store.holds = true;
	guest_init(&one, &scene, "alice");
	guest_init(&two, &scene, "bob");
	guest_init(&three, &scene, "carol");
	guest_start(&one, "room:a");
	guest_start(&two, "room:a");
	guest_start(&three, "room:a");
	rooms_revoke(scene.rooms, SLICE_NONE, SLICE("alice"));
	assert_int_equal(one.why.code, FAULT_REFUSED);
	rooms_promote(scene.rooms, SLICE("bob"), SLICE("room:b"), PRIVILEGE_RESTRICTED);
	assert_int_equal(two.joining.privilege, PRIVILEGE_FULL);
	rooms_promote(scene.rooms, SLICE("bob"), SLICE("room:a"), PRIVILEGE_RESTRICTED);
	scene.store.holds = false;
	scene_pass(&scene);
	assert_int_equal(two.seat->privilege, PRIVILEGE_RESTRICTED);
	assert_int_equal(guest_heard(&two, "\"id\":\"bob\",\"privilege\":\"restricted\""), 1);
	assert_int_equal(three.seat->privilege, PRIVILEGE_FULL);
	guest_finish(&one);
	guest_finish(&two);
	guest_finish(&three);
	scene_close(&scene);
}

static struct guest *taken_along;

static void take_another_along(struct guest *guest) {
	(void)guest;
	guest_leave(taken_along);
}

static void who_is_sent_away_may_take_another_along(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob, carol;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_comes(&bob, &scene, "bob");
	guest_comes(&carol, &scene, "carol");
	taken_along = &bob; /* the very next in the list */
	alice.on_closed = take_another_along;
	rooms_revoke(scene.rooms, SLICE_NONE, SLICE_NONE);
	assert_int_equal(alice.code, WEBSOCKET_REVOKED);
	assert_int_equal(bob.code, 0);
	assert_null(bob.seat);
	assert_int_equal(carol.code, WEBSOCKET_REVOKED);
	scene_pass(&scene);
	guest_finish(&alice);
	guest_finish(&bob);
	guest_finish(&carol);
	scene_close(&scene);
}

static void without_memory_rooms_do_not_open(void **state) {
	(void)state;
	struct scene scene;
	struct fault why;
	scene_open(&scene);
	struct rooms_options options = {.loop = scene.loop, .store = &scene.store, .settings = &scene.settings};
	malloc_fails_at(1);
	assert_null(rooms_open(&options, &why));
	malloc_fails_at(0);
	assert_int_equal(why.code, FAULT_NO_MEMORY);
	rooms_close(NULL);
	scene_close(&scene);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_cannot_be_stored_reaches_nobody_and_its_room_closes),
		cmocka_unit_test(who_comes_back_at_once_to_a_room_that_closes_is_refused),
		cmocka_unit_test(an_audit_record_that_is_lost_closes_no_room),
		cmocka_unit_test(a_store_that_fails_in_the_middle_of_a_pass_closes_at_its_end),
		cmocka_unit_test(with_power_durability_nothing_is_told_before_the_disk_has_it),
		cmocka_unit_test(a_disk_that_does_not_sync_closes_the_rooms_that_waited),
		cmocka_unit_test(a_commit_that_fails_while_the_disk_syncs_closes_its_room_too),
		cmocka_unit_test(durability_may_change_while_the_disk_syncs),
		cmocka_unit_test(rooms_may_close_while_the_disk_syncs),
		cmocka_unit_test(a_topic_that_may_not_be_made_must_be_known),
		cmocka_unit_test(there_are_so_many_rooms_and_no_more),
		cmocka_unit_test(a_busy_store_opens_no_room_and_an_unreadable_one_neither),
		cmocka_unit_test(a_drain_sends_everybody_away_and_lets_nobody_in),
		cmocka_unit_test(who_goes_before_the_room_is_there_is_forgotten),
		cmocka_unit_test(revoked_tokens_lose_their_seats_and_others_keep_theirs),
		cmocka_unit_test(news_reaches_those_who_still_wait_to_come_in),
		cmocka_unit_test(who_is_sent_away_may_take_another_along),
		cmocka_unit_test(without_memory_rooms_do_not_open),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
