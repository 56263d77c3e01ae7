/* SPDX-License-Identifier: Apache-2.0 */
#include "room_scene.h"

#include "failing_malloc.h"
#include "room/arrears.c"
#include "room/room_log.c"

#define V0(id) \
	"{\"protocol\":\"mcp-x/v0\",\"id\":\"" id "\",\"kind\":\"chat\",\"payload\":{\"text\":\"hi\"}}"

static void one_send_brings_a_whole_pass_in_order(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_comes(&bob, &scene, "bob");
	scene_pass(&scene);
	guest_clear(&bob);
	int64_t before = scene_counter(&scene, COUNTER_ENVELOPES_OUT);
	char id[16];
	for (int i = 0; i < 50; i++) {
		snprintf(id, sizeof id, "m%02d", i);
		assert_true(guest_chats(i % 2 ? &alice : &bob, id));
	}
	assert_int_equal(guest_texts(&bob), 0); /* nothing before it is stored */
	scene_pass(&scene);
	assert_int_equal(bob.sends, 1);
	assert_int_equal(guest_texts(&bob), 50);
	assert_true(guest_heard_at(&bob, "m00") < guest_heard_at(&bob, "m01"));
	assert_true(guest_heard_at(&bob, "m48") < guest_heard_at(&bob, "m49"));
	assert_int_equal(scene_counter(&scene, COUNTER_ENVELOPES_OUT) - before, 100);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void readers_of_both_dialects_get_their_own(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_init(&bob, &scene, "bob");
	bob.joining.dialect = ENVELOPE_V0;
	guest_join(&bob, "room:a");
	scene_pass(&scene);
	guest_clear(&alice);
	guest_clear(&bob);
	assert_true(guest_says(&bob, V0("old")));
	assert_true(guest_chats(&alice, "new"));
	scene_pass(&scene);
	assert_int_equal(guest_heard(&alice, "\"protocol\":\"mcpx/v0.1\""), 2);
	assert_int_equal(guest_heard(&bob, "\"protocol\":\"mcp-x/v0\""), 2);
	assert_int_equal(guest_heard(&bob, "notifications/chat/message"), 2);
	assert_int_equal(guest_heard(&alice, "notifications/chat/message"), 0);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void echo_off_leaves_out_the_own_and_nothing_else(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_init(&bob, &scene, "bob");
	bob.joining.is_mute = true;
	guest_join(&bob, "room:a");
	scene_pass(&scene);
	guest_clear(&bob);
	int64_t before = scene_counter(&scene, COUNTER_ENVELOPES_OUT);
	char id[16];
	for (int i = 0; i < 24; i++) {
		snprintf(id, sizeof id, "m%02d", i);
		assert_true(guest_chats(i % 3 == 0 || i == 1 || i == 23 ? &bob : &alice, id));
	}
	scene_pass(&scene);
	assert_int_equal(guest_texts(&bob), 14);
	assert_int_equal(guest_heard(&bob, "m00") + guest_heard(&bob, "m01") + guest_heard(&bob, "m21"), 0);
	assert_int_equal(guest_heard(&bob, "m02") + guest_heard(&bob, "m04") + guest_heard(&bob, "m22"), 3);
	assert_int_equal(guest_texts(&alice), 24 + 2);
	assert_int_equal(scene_counter(&scene, COUNTER_ENVELOPES_OUT) - before, 24 + 14);
	assert_int_equal(bob.seat->arrears->skips->count, 0);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void without_memory_for_skips_the_own_comes_back(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_init(&bob, &scene, "bob");
	bob.joining.is_mute = true;
	guest_join(&bob, "room:a");
	scene_pass(&scene);
	guest_clear(&bob);
	assert_true(guest_chats(&alice, "a1"));
	malloc_fails_at(1);
	assert_true(guest_chats(&bob, "b1"));
	malloc_fails_at(0);
	scene_pass(&scene);
	assert_int_equal(guest_heard(&bob, "\"id\":\"b1\""), 1);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void a_lagging_reader_is_sent_away_and_the_others_go_on(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	scene.settings.max_behind = 1000;
	scene_change(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_comes(&bob, &scene, "bob");
	scene_pass(&scene);
	bob.lags = true;
	char id[16];
	int sent = 0;
	for (; sent < 100 && !bob.code; sent++) {
		snprintf(id, sizeof id, "m%02d", sent);
		assert_true(guest_chats(&alice, id));
		scene_pass(&scene);
	}
	assert_int_equal(bob.code, WEBSOCKET_AGAIN_LATER);
	assert_true(bob.behind > 1000 && bob.behind < 1500);
	assert_int_equal(scene_counter(&scene, COUNTER_CLOSED_BEHIND), 1);
	assert_int_equal(guest_heard(&alice, "\"event\":\"leave\""), 1);
	assert_int_equal(guest_heard(&alice, "\"text\":\"hi\""), sent);
	/* What it still holds lies in one frame, filled pass by pass. */
	for (size_t i = 1; i < bob.held_count; i++) assert_ptr_equal(bob.held[i], bob.held[0]);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void a_long_welcome_is_allowed_until_it_was_read(void **state) {
	(void)state;
	struct scene scene;
	struct guest bob;
	scene_open(&scene);
	scene.settings.max_behind = 10;
	scene_change(&scene);
	guest_init(&bob, &scene, "bob");
	bob.lags = true;
	guest_join(&bob, "room:a");
	scene_pass(&scene);
	assert_int_equal(bob.code, 0);
	assert_int_equal(bob.joined, 1);
	guest_read_all(&bob);
	telling_send(bob.seat, ENVELOPE_SYSTEM, SLICE_NONE, SLICE("{\"event\":\"x\"}"));
	telling_send(bob.seat, ENVELOPE_SYSTEM, SLICE_NONE, SLICE("{\"event\":\"y\"}"));
	scene_pass(&scene);
	assert_int_equal(bob.code, WEBSOCKET_AGAIN_LATER);
	guest_finish(&bob);
	scene_close(&scene);
}

static void envelopes_larger_than_a_frame_go_in_frames_of_their_own(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	scene_pass(&scene);
	guest_clear(&alice);
	static char text[200200];
	const size_t large = sizeof text - 200;
	assert_true(guest_chats(&alice, "small"));
	for (int i = 0; i < 3; i++) {
		int head = sprintf(text,
			"{\"protocol\":\"mcpx/v0.1\",\"id\":\"large%d\",\"kind\":\"chat\",\"payload\":{\"text\":\"", i);
		memset(text + head, 'x', large);
		size_t length = (size_t)head + large;
		length += (size_t)sprintf(text + length, "\"}}");
		assert_true(seat_receive(alice.seat, slice_make(text, length)));
	}
	assert_true(guest_chats(&alice, "after"));
	scene_pass(&scene);
	assert_int_equal(guest_texts(&alice), 5);
	assert_int_equal(alice.sends, 5);
	guest_finish(&alice);
	scene_close(&scene);
}

static void what_an_undeclared_reader_says_first_declares_it_in_the_middle_of_a_pass(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_init(&bob, &scene, "bob");
	bob.joining.has_dialect = false;
	guest_join(&bob, "room:a");
	scene_pass(&scene);
	assert_int_equal(guest_heard(&bob, "mcpx/v0.1"), 1);
	guest_clear(&bob);
	assert_true(guest_chats(&alice, "one"));
	assert_true(guest_says(&bob, V0("two")));
	assert_true(guest_chats(&alice, "three"));
	scene_pass(&scene);
	assert_int_equal(guest_texts(&bob), 3);
	assert_true(guest_heard_at(&bob, "one") < guest_heard_at(&bob, "two"));
	assert_true(guest_heard_at(&bob, "two") < guest_heard_at(&bob, "three"));
	assert_int_equal(guest_heard(&bob, "\"protocol\":\"mcpx/v0.1\",\"id\":\"one\""), 1);
	assert_int_equal(guest_heard(&bob, "\"protocol\":\"mcp-x/v0\""), 2);
	assert_null(bob.seat->arrears);
	assert_true(bob.seat->is_declared);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void a_turn_keeps_what_the_reader_skips(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_init(&bob, &scene, "bob");
	bob.joining.is_mute = true;
	guest_join(&bob, "room:a");
	scene_pass(&scene);
	guest_clear(&bob);
	assert_true(guest_chats(&alice, "one"));
	assert_true(guest_chats(&bob, "own1"));
	assert_true(room_log_turn(bob.seat, ENVELOPE_V0));
	assert_true(room_log_turn(bob.seat, ENVELOPE_V0));
	assert_false(room_log_turn(bob.seat, ENVELOPE_V01)); /* one turn at a time */
	assert_true(guest_chats(&alice, "two"));
	assert_true(guest_chats(&bob, "own2"));
	scene_pass(&scene);
	assert_int_equal(guest_texts(&bob), 2);
	assert_true(guest_heard_at(&bob, "one") < guest_heard_at(&bob, "two"));
	assert_true(room_log_turn(bob.seat, ENVELOPE_V01));
	assert_int_equal(scene_room(&scene, "room:a")->lanes[ENVELOPE_V0].readers, 0);
	assert_int_equal(scene_room(&scene, "room:a")->lanes[ENVELOPE_V01].readers, 2);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void without_memory_a_turn_waits_for_the_next_message(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_init(&bob, &scene, "bob");
	bob.joining.has_dialect = false;
	guest_join(&bob, "room:a");
	scene_pass(&scene);
	guest_clear(&bob);
	assert_true(guest_chats(&alice, "one"));
	malloc_fails_at(1);
	assert_true(guest_says(&bob, V0("two")));
	malloc_fails_at(0);
	assert_false(bob.seat->is_declared);
	scene_pass(&scene);
	assert_true(guest_says(&bob, V0("three")));
	scene_pass(&scene);
	assert_int_equal(guest_heard(&bob, "\"protocol\":\"mcp-x/v0\""), 1);
	guest_leave(&bob);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void who_leaves_in_the_middle_of_a_turn_leaves_nothing_behind(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_init(&bob, &scene, "bob");
	bob.joining.has_dialect = false;
	guest_join(&bob, "room:a");
	scene_pass(&scene);
	assert_true(guest_chats(&alice, "one"));
	assert_true(guest_says(&bob, V0("two")));
	assert_non_null(bob.seat->arrears->past);
	guest_leave(&bob);
	scene_pass(&scene);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void an_envelope_that_finds_no_memory_is_refused_and_leaves_no_trace(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_init(&bob, &scene, "bob");
	bob.joining.dialect = ENVELOPE_V0;
	guest_join(&bob, "room:a");
	scene_pass(&scene);
	guest_clear(&alice);
	guest_clear(&bob);
	struct room *room = scene_room(&scene, "room:a");
	room_log_finish(room); /* so that the lanes have to be made anew */
	alice.seat->start = bob.seat->start = 0;
	room->lanes[ENVELOPE_V0].readers = room->lanes[ENVELOPE_V01].readers = 1;
	for (int call = 1; call <= 2; call++) {
		malloc_fails_at(call);
		assert_true(guest_chats(&alice, "lost"));
		malloc_fails_at(0);
		assert_int_equal(room->lanes[ENVELOPE_V0].end + room->lanes[ENVELOPE_V01].end, 0);
	}
	assert_true(guest_chats(&alice, "kept"));
	scene_pass(&scene);
	assert_int_equal(guest_heard(&alice, "no_memory"), 2);
	assert_int_equal(guest_texts(&bob), 1);
	assert_int_equal(guest_heard(&bob, "kept"), 1);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void a_cut_takes_back_the_last_text_alone(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	scene_pass(&scene);
	guest_clear(&alice);
	struct room *room = scene_room(&scene, "room:a");
	assert_true(guest_chats(&alice, "kept"));
	uint64_t end = room->lanes[ENVELOPE_V01].end;
	scene.store.spool.add_fails = true;
	assert_true(guest_chats(&alice, "lost"));
	scene.store.spool.add_fails = false;
	assert_int_equal(room->lanes[ENVELOPE_V01].end, end);
	assert_true(guest_chats(&alice, "next"));
	scene_pass(&scene);
	assert_int_equal(guest_heard(&alice, "kept") + guest_heard(&alice, "next"), 2);
	assert_int_equal(guest_heard(&alice, "\"id\":\"lost\""), 0);
	/* The first text of a pass is taken back with its frame. */
	scene.store.spool.add_fails = true;
	assert_true(guest_chats(&alice, "lost2"));
	scene.store.spool.add_fails = false;
	assert_int_equal(room->lanes[ENVELOPE_V01].count, 0);
	guest_finish(&alice);
	scene_close(&scene);
}

static void a_private_word_without_memory_ends_the_connection(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	scene_pass(&scene);
	guest_clear(&alice);
	char text[] = "{}";
	/* frames come from wire/frame.c: a text that no frame can hold stands for no memory */
	room_log_tell(alice.seat, slice_make(text, (size_t)UINT32_MAX));
	assert_int_equal(alice.code, 0);
	room_log_tell(alice.seat, slice_of(text)); /* it is leaving: told nothing more */
	scene_pass(&scene);
	assert_int_equal(alice.code, WEBSOCKET_INTERNAL);
	assert_int_equal(alice.sends, 0);
	guest_finish(&alice);
	scene_close(&scene);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_send_brings_a_whole_pass_in_order),
		cmocka_unit_test(readers_of_both_dialects_get_their_own),
		cmocka_unit_test(echo_off_leaves_out_the_own_and_nothing_else),
		cmocka_unit_test(without_memory_for_skips_the_own_comes_back),
		cmocka_unit_test(a_lagging_reader_is_sent_away_and_the_others_go_on),
		cmocka_unit_test(a_long_welcome_is_allowed_until_it_was_read),
		cmocka_unit_test(envelopes_larger_than_a_frame_go_in_frames_of_their_own),
		cmocka_unit_test(what_an_undeclared_reader_says_first_declares_it_in_the_middle_of_a_pass),
		cmocka_unit_test(a_turn_keeps_what_the_reader_skips),
		cmocka_unit_test(without_memory_a_turn_waits_for_the_next_message),
		cmocka_unit_test(who_leaves_in_the_middle_of_a_turn_leaves_nothing_behind),
		cmocka_unit_test(an_envelope_that_finds_no_memory_is_refused_and_leaves_no_trace),
		cmocka_unit_test(a_cut_takes_back_the_last_text_alone),
		cmocka_unit_test(a_private_word_without_memory_ends_the_connection),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
