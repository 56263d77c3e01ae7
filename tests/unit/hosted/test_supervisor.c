/* SPDX-License-Identifier: Apache-2.0 */
#include "hosted_rig.h"

static void a_server_that_dies_comes_back(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	AUTO_TEXT struct text lines = {0};
	rig_run(&rig, (struct hosted_settings){.back_off_ms = 1}, NULL);
	rig_ask(&rig, &made, "ann", "die");
	assert_int_equal(made.why.code, FAULT_CLOSED);
	assert_non_null(strstr(made.why.text, "exited with 3"));
	rig_ask(&rig, &made, "ann", "count"); /* waits until it is back */
	check_has(&made, "\"1\"");
	assert_int_equal(hosted_restarts(rig.hosted), 1);
	assert_int_equal(hosted_health(rig.hosted), HOSTED_HEALTHY);
	text_init(&lines, 0);
	hosted_write_log(rig.hosted, &lines);
	assert_non_null(strstr(lines.bytes, "dying as asked\n"));
	rig_close(&rig);
}

static void one_that_may_not_restart_stays_in_error(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	struct fault why;
	rig_run(&rig, (struct hosted_settings){.restart = HOSTED_RESTART_NEVER}, NULL);
	rig_ask(&rig, &made, "ann", "die");
	rig_until(&rig, hosted_state(rig.hosted) == HOSTED_ERROR);
	rig_begin(&made, "ann");
	made.ask.method = SLICE("tools/list");
	assert_false(hosted_ask_start(rig.hosted, &made.ask, &why));
	assert_int_equal(why.code, FAULT_NOT_READY);
	assert_non_null(strstr(why.text, "exited with 3"));
	assert_true(hosted_start(rig.hosted, NULL));
	rig_ask(&rig, &made, "ann", "echo");
	check_has(&made, "1e400");
	rig_close(&rig);
}

static void one_that_leaves_in_peace_is_left_alone_unless_always_is_said(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	rig_run(&rig, (struct hosted_settings){.back_off_ms = 1}, NULL);
	rig_ask(&rig, &made, "ann", "leave");
	rig_until(&rig, hosted_state(rig.hosted) == HOSTED_DISCONNECTED);
	rig_close(&rig);

	rig_run(&rig, (struct hosted_settings){.back_off_ms = 1, .restart = HOSTED_RESTART_ALWAYS}, NULL);
	rig_ask(&rig, &made, "ann", "leave");
	rig_until(&rig, hosted_restarts(rig.hosted) == 1 && hosted_state(rig.hosted) == HOSTED_CONNECTED);
	rig_close(&rig);
}

static void a_crash_loop_ends_in_error_and_delays_nobody(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	rig_open(&rig);
	struct hosted *bad = rig_add(&rig, "bad",
		(struct hosted_settings){.back_off_ms = 1, .restarts = 3}, WORDS("--exit", "0"));
	rig.hosted = rig_add(&rig, "good", (struct hosted_settings){.back_off_ms = 1}, NULL);
	assert_true(hosted_start(bad, NULL));
	assert_true(hosted_start(rig.hosted, NULL));
	rig_begin(&made, "ann");
	rig_call(bad, &made, "echo"); /* it may come up yet */
	rig_until(&rig, made.answered);
	assert_int_equal(made.why.code, FAULT_NOT_READY);
	rig_ask(&rig, &made, "ann", "echo");
	check_has(&made, "1e400");
	rig_until(&rig, hosted_health(bad) == HOSTED_UNHEALTHY);
	assert_int_equal(hosted_state(bad), HOSTED_ERROR);
	assert_int_equal(hosted_restarts(bad), 3);
	assert_int_equal(hosted_children(bad), 0);
	assert_non_null(strstr(hosted_reason(bad), "not again"));
	rig_close(&rig);
}

static void what_cannot_be_started_says_so(void **state) {
	(void)state;
	struct hosted_rig rig;
	rig_open(&rig);
	struct hosted_settings settings = {.id = "none", .restart = HOSTED_RESTART_NEVER, .arguments = WORDS("/no/such/program")};
	struct hosted *hosted = hosted_add(rig.servers, &settings, NULL);
	assert_non_null(hosted);
	(void)!hosted_start(hosted, NULL);
	rig_until(&rig, hosted_state(hosted) == HOSTED_ERROR);
	assert_true(strlen(hosted_reason(hosted)) > 0);
	rig_close(&rig);
}

static void a_silent_server_fails_at_its_deadline(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct hosted_settings settings = {.id = "mute", .restart = HOSTED_RESTART_NEVER, .start_ms = 50, .stop_ms = 50, .arguments = WORDS("sleep", "600")};
	rig_open(&rig);
	struct hosted *hosted = hosted_add(rig.servers, &settings, NULL);
	assert_non_null(hosted);
	assert_true(hosted_start(hosted, NULL));
	rig_until(&rig, hosted_state(hosted) == HOSTED_ERROR);
	assert_non_null(strstr(hosted_reason(hosted), "handshake"));
	assert_int_equal(hosted_children(hosted), 0);
	rig_close(&rig);
}

static void stopping_lets_open_calls_finish(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made, late;
	rig_run(&rig, (struct hosted_settings){.back_off_ms = 1}, NULL);
	rig_begin(&made, "ann");
	rig_call(rig.hosted, &made, "ask");
	rig_until(&rig, made.questioned);
	assert_true(hosted_stop(rig.hosted, RIG_PATIENCE_MS, NULL));
	assert_int_equal(hosted_state(rig.hosted), HOSTED_DRAINING);
	rig_begin(&late, "ann");
	late.ask.method = SLICE("tools/list");
	assert_false(hosted_ask_start(rig.hosted, &late.ask, NULL));
	hosted_question_answer(made.question, SLICE("{\"action\":\"accept\"}"));
	rig_until(&rig, made.answered);
	check_has(&made, "accept");
	rig_until(&rig, hosted_state(rig.hosted) == HOSTED_DISCONNECTED);
	assert_int_equal(hosted_children(rig.hosted), 0);
	assert_false(hosted_stop(rig.hosted, 0, NULL));
	rig_close(&rig);
}

static void stopping_waits_no_longer_than_its_patience(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	rig_run(&rig, (struct hosted_settings){.stop_ms = 100}, NULL);
	rig_begin(&made, "ann");
	rig_call(rig.hosted, &made, "hold");
	assert_true(hosted_stop(rig.hosted, 20, NULL));
	rig_until(&rig, hosted_state(rig.hosted) == HOSTED_DISCONNECTED);
	assert_int_equal(made.answered, 1);
	assert_non_null(strstr(made.why.text, "the server"));
	rig_close(&rig);
}

static void a_restart_begins_anew(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	rig_run(&rig, (struct hosted_settings){.back_off_ms = 1}, NULL);
	rig_ask(&rig, &made, "ann", "count");
	rig_ask(&rig, &made, "ann", "count");
	check_has(&made, "\"2\"");
	assert_true(hosted_restart(rig.hosted, NULL));
	rig_until(&rig, hosted_state(rig.hosted) == HOSTED_CONNECTED);
	rig_ask(&rig, &made, "ann", "count");
	check_has(&made, "\"1\"");
	assert_int_equal(hosted_restarts(rig.hosted), 1);
	assert_true(rig.moved >= 5);
	rig_close(&rig);
}

static void an_idle_process_ends_but_for_the_last(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	rig_run(&rig, (struct hosted_settings){.idle_ms = 50}, NULL);
	rig_ask(&rig, &made, "ann", "count");
	rig_ask(&rig, &made, "ben", "count");
	check_has(&made, "\"1\"");
	rig_until(&rig, hosted_children(rig.hosted) == 1);
	assert_int_equal(hosted_state(rig.hosted), HOSTED_CONNECTED);
	assert_int_equal(hosted_restarts(rig.hosted), 0);
	rig_close(&rig);
}

static void settings_that_are_not_sound_are_refused(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct fault why;
	rig_open(&rig);
	struct hosted_settings settings = {.id = "a b", .arguments = WORDS("true")};
	assert_null(hosted_add(rig.servers, &settings, &why));
	assert_int_equal(why.code, FAULT_BAD_INPUT);
	settings.id = "a";
	settings.roots = "{}";
	assert_null(hosted_add(rig.servers, &settings, &why));
	settings.roots = NULL;
	assert_non_null(hosted_add(rig.servers, &settings, &why));
	assert_null(hosted_add(rig.servers, &settings, &why));
	assert_int_equal(why.code, FAULT_EXISTS);
	assert_int_equal(hosted_count(rig.servers), 1);
	struct hosted *found = hosted_find(rig.servers, SLICE("a"));
	assert_ptr_equal(found, hosted_next(rig.servers, NULL));
	assert_null(hosted_next(rig.servers, found));
	assert_string_equal(hosted_state_word(hosted_state(found)), "registered");
	hosted_remove(found);
	assert_null(hosted_find(rig.servers, SLICE("a")));
	rig_close(&rig);
}

static void removing_ends_what_is_open(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	rig_run(&rig, (struct hosted_settings){.back_off_ms = 1}, NULL);
	rig_begin(&made, "ann");
	rig_call(rig.hosted, &made, "ask");
	rig_until(&rig, made.questioned);
	hosted_remove(rig.hosted);
	assert_int_equal(made.answered, 1);
	assert_int_equal(made.why.code, FAULT_CLOSED);
	rig_close(&rig);
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);

	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_server_that_dies_comes_back),
		cmocka_unit_test(one_that_may_not_restart_stays_in_error),
		cmocka_unit_test(one_that_leaves_in_peace_is_left_alone_unless_always_is_said),
		cmocka_unit_test(a_crash_loop_ends_in_error_and_delays_nobody),
		cmocka_unit_test(what_cannot_be_started_says_so),
		cmocka_unit_test(a_silent_server_fails_at_its_deadline),
		cmocka_unit_test(stopping_lets_open_calls_finish),
		cmocka_unit_test(stopping_waits_no_longer_than_its_patience),
		cmocka_unit_test(a_restart_begins_anew),
		cmocka_unit_test(an_idle_process_ends_but_for_the_last),
		cmocka_unit_test(settings_that_are_not_sound_are_refused),
		cmocka_unit_test(removing_ends_what_is_open),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
