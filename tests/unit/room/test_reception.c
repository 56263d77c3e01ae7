/* SPDX-License-Identifier: Apache-2.0 */
#include "room_scene.h"

#include "failing_malloc.h"
#include "base/text.c"
#include "room/reception.c"

static void a_seat_closed_inside_its_own_reception_is_gone(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_comes(&bob, &scene, "bob");
	assert_true(guest_chats(&alice, "kept"));
	assert_false(guest_says(&alice, "{\"protocol\":\"\xff\"}"));
	assert_int_equal(alice.code, WEBSOCKET_NOT_TEXT);
	scene_pass(&scene);
	assert_int_equal(guest_heard(&bob, "\"id\":\"kept\""), 1);
	assert_int_equal(guest_heard(&bob, "\"event\":\"leave\""), 1);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void ten_seconds_of_nothing_but_pace_refusals_end_the_connection(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	scene.settings.pace = (struct pace_rate){1, 86400000};
	scene_change(&scene);
	guest_comes(&alice, &scene, "alice");
	assert_true(guest_chats(&alice, "1"));
	assert_int_equal(alice.seat->participant->refused_since, 0);
	assert_true(guest_chats(&alice, "2"));
	assert_int_equal(alice.seat->participant->refused_since, loop_now(scene.loop));
	alice.seat->participant->pace.full_at_us = 0;
	assert_true(guest_chats(&alice, "3")); /* one passed: counted anew */
	assert_int_equal(alice.seat->participant->refused_since, 0);
	assert_true(guest_says(&alice, "nonsense"));
	alice.seat->participant->refused_since = loop_now(scene.loop) - PACE_PATIENCE_MS;
	assert_false(guest_chats(&alice, "4"));
	assert_int_equal(alice.code, WEBSOCKET_POLICY);
	guest_finish(&alice);
	scene_close(&scene);
}

static void nonsense_is_charged_to_the_pace(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	scene.settings.pace = (struct pace_rate){2, 86400000};
	scene_change(&scene);
	guest_comes(&alice, &scene, "alice");
	assert_true(guest_says(&alice, "nonsense"));
	assert_true(seat_refuse(alice.seat, "shape", "binary_frame", "send text"));
	assert_int_equal(guest_heard(&alice, "rate_limited"), 0);
	assert_int_equal(guest_heard(&alice, "binary_frame"), 1);
	assert_true(guest_says(&alice, "nonsense"));
	assert_true(seat_refuse(alice.seat, "size", "too_large", "too much"));
	assert_int_equal(guest_heard(&alice, "rate_limited"), 2);
	assert_int_equal(scene_counter(&scene, COUNTER_REFUSED_SIZE), 1);
	assert_int_equal(scene_counter(&scene, COUNTER_REFUSED_SHAPE), 3);
	alice.seat->participant->refused_since = loop_now(scene.loop) - PACE_PATIENCE_MS;
	assert_false(seat_refuse(alice.seat, "shape", "binary_frame", "send text"));
	guest_finish(&alice);
	scene_close(&scene);
}

static void a_breach_of_privilege_is_announced_where_the_house_says_so(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	scene.settings.announce_violations = true;
	scene_change(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_init(&bob, &scene, "bob");
	bob.joining.privilege = PRIVILEGE_RESTRICTED;
	guest_join(&bob, "room:a");
	assert_true(guest_requests(&bob, "r1", ""));
	assert_true(guest_says(&bob, "nonsense"));
	scene_pass(&scene);
	assert_int_equal(guest_heard(&alice, "{\"event\":\"violation\",\"participant\":{\"id\":\"bob\"}"), 1);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void an_echo_means_stored_for_a_repetition_too(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	scene.settings.power_safe = true;
	scene_change(&scene);
	guest_comes(&alice, &scene, "alice");
	scene_pass(&scene);
	store_synced(&scene.store, false);
	guest_clear(&alice);
	assert_true(guest_chats(&alice, "x"));
	scene_pass(&scene);
	assert_true(guest_chats(&alice, "x"));
	assert_true(guest_chats(&alice, "x"));
	scene_pass(&scene);
	assert_int_equal(guest_texts(&alice), 0);
	store_synced(&scene.store, false);
	assert_int_equal(guest_heard(&alice, "\"id\":\"x\""), 3);
	assert_true(guest_chats(&alice, "x"));
	assert_int_equal(guest_heard(&alice, "\"id\":\"x\""), 4);
	/* One that leaves is owed nothing; one whose envelope is lost is told nothing. */
	assert_true(guest_chats(&alice, "y"));
	assert_true(guest_chats(&alice, "y"));
	guest_leave(&alice);
	scene_pass(&scene);
	store_synced(&scene.store, false);
	guest_finish(&alice);
	guest_comes(&alice, &scene, "alice");
	assert_true(guest_chats(&alice, "z"));
	scene_pass(&scene);
	assert_true(guest_chats(&alice, "z"));
	guest_clear(&alice);
	store_synced(&scene.store, true);
	assert_int_equal(alice.code, WEBSOCKET_INTERNAL);
	assert_int_equal(guest_texts(&alice), 0);
	guest_finish(&alice);
	scene_close(&scene);
}

static void echo_off_gets_no_echo_of_a_repetition(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice;
	scene_open(&scene);
	guest_init(&alice, &scene, "alice");
	alice.joining.is_mute = true;
	guest_join(&alice, "room:a");
	guest_clear(&alice);
	assert_true(guest_chats(&alice, "x"));
	scene_pass(&scene);
	assert_true(guest_chats(&alice, "x"));
	scene_pass(&scene);
	assert_int_equal(guest_texts(&alice), 0);
	guest_finish(&alice);
	scene_close(&scene);
}

static void who_is_leaving_is_not_listened_to(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_comes(&bob, &scene, "bob");
	leaving_mark(bob.seat, LEAVING_NO_MEMORY);
	leaving_mark(bob.seat, LEAVING_BEHIND);
	assert_true(guest_chats(&bob, "x"));
	scene_pass(&scene);
	assert_int_equal(bob.code, WEBSOCKET_INTERNAL);
	assert_string_equal(bob.reason, "no memory");
	assert_int_equal(guest_heard(&alice, "\"id\":\"x\""), 0);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

static void a_full_disk_refuses_and_takes_nothing_from_the_pace(void **state) {
	(void)state;
	static const struct {
		enum fault_code fault;
		const char *word;
	} ways[] = {{FAULT_FULL, "storage_full"}, {FAULT_IO, "storage_failed"},
		{FAULT_NO_MEMORY, "no_memory"}};
	struct scene scene;
	struct guest alice, bob;
	scene_open(&scene);
	scene.settings.pace = (struct pace_rate){3, 86400000};
	scene.settings.proposal_pace = (struct pace_rate){1, 86400000};
	scene_change(&scene);
	guest_comes(&alice, &scene, "alice");
	guest_comes(&bob, &scene, "bob");
	for (size_t i = 0; i < COUNT_OF(ways); i++) {
		scene.store.spool.reserve_fault = ways[i].fault;
		for (int again = 0; again < 5; again++) {
			guest_clear(&alice);
			assert_true(guest_proposes(&alice, "p"));
			assert_int_equal(guest_heard(&alice, ways[i].word), 1);
			assert_int_equal(guest_heard(&alice, "\"gate\":\"journal\""), 1);
		}
	}
	scene.store.spool.reserve_fault = FAULT_NONE;
	assert_int_equal(scene_counter(&scene, COUNTER_STORAGE_FULL), 10);
	assert_true(guest_proposes(&alice, "p"));
	scene_pass(&scene);
	assert_int_equal(guest_heard(&bob, "\"id\":\"p\""), 1);
	guest_finish(&alice);
	guest_finish(&bob);
	scene_close(&scene);
}

/* Whatever runs out of memory, a word is told whole or the connection ends. */
static void without_memory_no_word_is_half(void **state) {
	(void)state;
	for (int call = 1; call < 12; call++) {
		struct scene scene;
		struct guest alice, bob;
		scene_open(&scene);
		scene.settings.announce_violations = true;
		scene_change(&scene);
		guest_comes(&alice, &scene, "alice");
		guest_init(&bob, &scene, "bob");
		bob.joining.privilege = PRIVILEGE_RESTRICTED;
		guest_join(&bob, "room:a");
		assert_true(guest_chats(&bob, "known"));
		scene_pass(&scene);
		malloc_fails_at(call);
		struct seat *seat = bob.seat;
		char call_text[] = "{\"protocol\":\"mcpx/v0.1\",\"id\":\"r\",\"kind\":\"mcp\",\"payload\":{\"method\":\"x\"}}";
		char again[] = "{\"protocol\":\"mcpx/v0.1\",\"id\":\"known\",\"kind\":\"chat\",\"payload\":{\"text\":\"hi\"}}";
		assert_true(seat_receive(seat, slice_of(call_text)));
		assert_true(seat_receive(seat, slice_of(again)));
		telling_send(seat, ENVELOPE_SYSTEM, SLICE_NONE, SLICE("{}"));
		malloc_fails_at(0);
		loop_step(scene.loop, 0);
		guest_finish(&alice);
		guest_finish(&bob);
		scene_close(&scene);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_seat_closed_inside_its_own_reception_is_gone),
		cmocka_unit_test(ten_seconds_of_nothing_but_pace_refusals_end_the_connection),
		cmocka_unit_test(nonsense_is_charged_to_the_pace),
		cmocka_unit_test(a_breach_of_privilege_is_announced_where_the_house_says_so),
		cmocka_unit_test(an_echo_means_stored_for_a_repetition_too),
		cmocka_unit_test(echo_off_gets_no_echo_of_a_repetition),
		cmocka_unit_test(who_is_leaving_is_not_listened_to),
		cmocka_unit_test(a_full_disk_refuses_and_takes_nothing_from_the_pace),
		cmocka_unit_test(without_memory_no_word_is_half),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
