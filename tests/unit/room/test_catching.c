/* SPDX-License-Identifier: Apache-2.0 */
#include "room_scene.h"

#include "failing_malloc.h"
#include "room/arrears.c"
#include "room/catching.c"
#include "room/holding.c"

/* Alice says m00 .. e(count-1), and all of it is stored. */
static void fill(struct scene *scene, struct guest *alice, int count) {
	char id[16];
	scene_open(scene);
	guest_comes(alice, scene, "alice");
	for (int i = 0; i < count; i++) {
		snprintf(id, sizeof id, "m%02d", i);
		assert_true(guest_chats(alice, id));
		if (i % 3 == 0) scene_pass(scene);
	}
	scene_pass(scene);
	scene->store.holds = true;
}

static void finish(struct scene *scene, struct guest *alice, struct guest *bob) {
	scene->store.holds = false;
	guest_finish(alice);
	guest_finish(bob);
	scene_close(scene);
}

static unsigned heard_by_itself(const struct guest *guest, const char *words) {
	return guest_heard(guest, words) - (guest_heard(guest, "welcome") && memmem(guest->heard.bytes, strcspn(guest->heard.bytes, "\n"), words, strlen(words)));
}

/* e`from` .. e`to` stand there once each, in order, behind the welcome, and nothing else of that form. */
static void check_run(const struct guest *guest, int from, int to) {
	char words[32];
	size_t before = 0;
	for (int i = 0; i < 100; i++) {
		snprintf(words, sizeof words, "\"id\":\"m%02d\"", i);
		unsigned count = heard_by_itself(guest, words);
		if (i < from || i > to) {
			if (count) fail_msg("%s was heard", words);
			continue;
		}
		if (count != 1) fail_msg("%s was heard %u times", words, count);
		size_t at = guest_heard_at(guest, words);
		assert_true(at > before);
		before = at;
	}
}

static void start(struct guest *bob, struct scene *scene, int history, const char *since) {
	guest_init(bob, scene, "bob");
	bob->joining.history = (uint16_t)history;
	snprintf(bob->joining.since, sizeof bob->joining.since, "%s", since);
	guest_start(bob, "room:a");
	assert_int_equal(bob->seated, 1);
}

static void since_brings_what_was_missed_and_live_traffic_without_gap_or_repeat(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	for (size_t page = 0; page < 4; page++) {
		fill(&scene, &alice, 10);
		scene.store.page = page;
		assert_true(guest_chats(&alice, "m10")); /* in the same pass, not stored yet */
		start(&bob, &scene, 0, "m03");
		assert_true(guest_chats(&alice, "m11")); /* from here on it is live */
		scene_pass(&scene);
		assert_true(guest_chats(&alice, "m12"));
		scene_pass(&scene);
		assert_true(guest_chats(&bob, "m13")); /* it may speak while it catches up */
		for (int i = 14; i < 20; i++) {
			char id[16];
			snprintf(id, sizeof id, "m%02d", i);
			store_answer(&scene.store);
			assert_true(guest_chats(&alice, id));
			scene_pass(&scene);
		}
		while (scene.store.question_count) store_answer(&scene.store);
		check_run(&bob, 4, 19);
		assert_true(guest_heard_at(&bob, "welcome") < guest_heard_at(&bob, "m04"));
		assert_int_equal(bob.seat->state, SEAT_LIVE);
		assert_int_equal(guest_heard(&bob, "gap"), 0);
		assert_int_equal(guest_heard(&bob, "\"event\":\"join\""), 0);
		finish(&scene, &alice, &bob);
	}
}

static void history_in_the_welcome_ends_where_live_traffic_begins(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	fill(&scene, &alice, 10);
	start(&bob, &scene, 4, "");
	assert_true(guest_chats(&alice, "m10"));
	scene_pass(&scene);
	assert_int_equal(bob.sends, 0); /* nothing before the welcome */
	rooms_promote(scene.rooms, SLICE("bob"), SLICE_NONE, PRIVILEGE_RESTRICTED);
	assert_int_equal(bob.sends, 0);
	store_answer(&scene.store);
	assert_int_equal(bob.joined, 1);
	check_run(&bob, 10, 10); /* the others stand in one text */
	assert_int_equal(guest_heard(&bob, "\"envelopes\":["), 1);
	assert_null(strstr(bob.heard.bytes, "\"m05\""));
	assert_true(guest_heard_at(&bob, "\"m06\"") < guest_heard_at(&bob, "\"m09\""));
	assert_int_equal(guest_heard(&bob, "\"id\":\"bob\",\"privilege\":\"restricted\""), 1);
	finish(&scene, &alice, &bob);
}

static void history_and_since_go_together(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	fill(&scene, &alice, 5);
	start(&bob, &scene, 1, "m02");
	store_answer(&scene.store);
	store_answer(&scene.store);
	assert_int_equal(guest_heard(&bob, "m03"), 1);
	assert_int_equal(guest_heard(&bob, "m04"), 2);
	finish(&scene, &alice, &bob);
}

static void an_unknown_id_is_a_gap_and_the_reader_starts_live(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	fill(&scene, &alice, 3);
	start(&bob, &scene, 0, "never\"said");
	store_answer(&scene.store);
	assert_int_equal(guest_heard(&bob, "{\"event\":\"gap\",\"since\":\"never\\\"said\"}"), 1);
	assert_true(guest_chats(&alice, "m03"));
	scene_pass(&scene);
	check_run(&bob, 3, 3);
	finish(&scene, &alice, &bob);
}

static void a_new_topic_has_no_history_and_a_gap(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	fill(&scene, &alice, 0);
	start(&bob, &scene, 10, "m00");
	assert_int_equal(guest_heard(&bob, "\"envelopes\":[]"), 1);
	assert_int_equal(guest_heard(&bob, "\"event\":\"gap\""), 1);
	finish(&scene, &alice, &bob);
}

static void with_history_off_there_is_an_empty_list_and_a_gap(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	fill(&scene, &alice, 3);
	scene.settings.history = false;
	scene_change(&scene);
	start(&bob, &scene, 10, "m00");
	assert_int_equal(guest_heard(&bob, "\"enabled\":false,\"limit\":1000,\"envelopes\":[]"), 1);
	assert_int_equal(guest_heard(&bob, "\"event\":\"gap\""), 1);
	/* Switched on again, the topic goes on where it stood. */
	scene.settings.history = true;
	scene_change(&scene);
	assert_true(guest_chats(&alice, "m03"));
	assert_int_equal(scene_room(&scene, "room:a")->sequence, 4);
	finish(&scene, &alice, &bob);
}

static void a_store_that_fails_on_the_way_is_a_gap_and_never_silence(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	for (int way = 0; way < 4; way++) {
		fill(&scene, &alice, 9);
		scene.store.page = 2;
		scene.store.ask_fails = way == 0;
		start(&bob, &scene, way == 3 ? 5 : 0, "m01");
		scene.store.ask_fails = way == 1; /* the second page */
		scene.store.answer_fails = way >= 2;
		store_answer(&scene.store);
		scene.store.ask_fails = false;
		store_answer(&scene.store);
		assert_int_equal(guest_heard(&bob, "\"event\":\"welcome\""), 1);
		assert_int_equal(guest_heard(&bob, "\"event\":\"gap\""), 1);
		assert_int_equal(bob.seat->state, SEAT_LIVE);
		assert_int_equal(guest_heard(&bob, "\"id\":\"m02\""), way == 1);
		finish(&scene, &alice, &bob);
		scene.store.answer_fails = false;
	}
}

static void an_envelope_that_cannot_be_read_any_more_is_a_gap(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob, carol;
	fill(&scene, &alice, 5);
	struct spool *spool = fake_spool(&scene.store);
	for (size_t i = 0; i < spool->count; i++)
		if (spool->records[i].sequence == 4) spool->records[i].text.length = 5;
	start(&bob, &scene, 0, "m01");
	store_answer(&scene.store);
	assert_int_equal(guest_heard(&bob, "\"event\":\"gap\""), 1);
	assert_true(guest_heard_at(&bob, "m02") < guest_heard_at(&bob, "\"event\":\"gap\""));
	assert_true(guest_heard_at(&bob, "\"event\":\"gap\"") < guest_heard_at(&bob, "m04"));
	guest_init(&carol, &scene, "carol");
	carol.joining.history = 5;
	guest_start(&carol, "room:a");
	store_answer(&scene.store);
	assert_int_equal(guest_heard(&carol, "m02"), 1);
	assert_null(strstr(carol.heard.bytes, ",,"));
	guest_finish(&carol);
	finish(&scene, &alice, &bob);
}

static void who_leaves_while_it_catches_up_is_not_answered(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	fill(&scene, &alice, 5);
	start(&bob, &scene, 0, "m01");
	assert_true(guest_chats(&alice, "m05"));
	scene_pass(&scene);
	guest_leave(&bob);
	store_answer(&scene.store);
	assert_int_equal(guest_heard(&bob, "\"text\":\"hi\""), 0);
	scene_pass(&scene);
	assert_int_equal(guest_heard(&alice, "\"event\":\"leave\""), 1);
	finish(&scene, &alice, &bob);
}

static void who_leaves_before_its_welcome_never_joined(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	fill(&scene, &alice, 5);
	start(&bob, &scene, 3, "");
	assert_true(guest_chats(&bob, "early")); /* before its welcome nothing is taken */
	scene_pass(&scene);
	guest_leave(&bob);
	store_answer(&scene.store);
	scene_pass(&scene);
	assert_int_equal(guest_heard(&alice, "bob"), 0);
	assert_int_equal(guest_heard(&alice, "early"), 0);
	finish(&scene, &alice, &bob);
}

static void the_room_may_go_on_only_so_far_meanwhile(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	fill(&scene, &alice, 5);
	scene.settings.max_behind = 500;
	scene_change(&scene);
	start(&bob, &scene, 0, "m01");
	for (int i = 0; i < 10; i++) {
		char id[16];
		snprintf(id, sizeof id, "m%02d", 10 + i);
		assert_true(guest_chats(&alice, id));
		scene_pass(&scene);
	}
	assert_int_equal(bob.code, WEBSOCKET_AGAIN_LATER);
	store_answer(&scene.store);
	finish(&scene, &alice, &bob);
}

static void a_reader_that_takes_nothing_is_sent_away_while_it_catches_up(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	fill(&scene, &alice, 9);
	start(&bob, &scene, 0, "m01");
	bob.lags = true;
	bob.behind = scene.settings.max_behind + 2 * HISTORY_OCTETS;
	store_answer(&scene.store);
	assert_int_equal(guest_heard(&bob, "\"text\":\"hi\""), 1);
	loop_step(scene.loop, 0);
	assert_int_equal(bob.code, WEBSOCKET_AGAIN_LATER);
	finish(&scene, &alice, &bob);
}

static void memory_that_runs_out_ends_the_joining_or_leaves_no_silent_gap(void **state) {
	(void)state;
	struct scene scene;
	struct guest alice, bob;
	for (int call = 1; call < 8; call++) {
		fill(&scene, &alice, 5);
		malloc_fails_at(call);
		start(&bob, &scene, 2, "m01");
		store_answer(&scene.store);
		assert_true(guest_chats(&alice, "m05"));
		scene_pass(&scene);
		malloc_fails_at(0);
		store_answer(&scene.store);
		scene_pass(&scene);
		bool is_whole = guest_heard(&bob, "\"id\":\"m02\"") == 1 && guest_heard(&bob, "\"id\":\"m05\"") == 1;
		if (!bob.code && !is_whole && !guest_heard(&bob, "\"event\":\"gap\"")) fail_msg("call %d: silence", call);
		finish(&scene, &alice, &bob);
	}
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(since_brings_what_was_missed_and_live_traffic_without_gap_or_repeat),
		cmocka_unit_test(history_in_the_welcome_ends_where_live_traffic_begins),
		cmocka_unit_test(history_and_since_go_together),
		cmocka_unit_test(an_unknown_id_is_a_gap_and_the_reader_starts_live),
		cmocka_unit_test(a_new_topic_has_no_history_and_a_gap),
		cmocka_unit_test(with_history_off_there_is_an_empty_list_and_a_gap),
		cmocka_unit_test(a_store_that_fails_on_the_way_is_a_gap_and_never_silence),
		cmocka_unit_test(an_envelope_that_cannot_be_read_any_more_is_a_gap),
		cmocka_unit_test(who_leaves_while_it_catches_up_is_not_answered),
		cmocka_unit_test(who_leaves_before_its_welcome_never_joined),
		cmocka_unit_test(the_room_may_go_on_only_so_far_meanwhile),
		cmocka_unit_test(a_reader_that_takes_nothing_is_sent_away_while_it_catches_up),
		cmocka_unit_test(memory_that_runs_out_ends_the_joining_or_leaves_no_silent_gap),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
