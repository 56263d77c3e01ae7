/* SPDX-License-Identifier: Apache-2.0 */
/* Questions that go wrong: taken back, too many, ended from inside of a callback; and ends of asks. */
#include "hosted_rig.h"

static const struct hosted_settings plain = {.back_off_ms = 1};

static void cancel_when_withdrawn(struct hosted_ask *ask, struct hosted_question *question) {
	rig_withdrawn(ask, question);
	hosted_ask_cancel(ask, "its question was withdrawn");
}

static void an_ask_may_be_cancelled_when_its_question_is_withdrawn(void **state) {
	(void)state;
	static struct hosted_ask_events events;
	struct hosted_rig rig;
	struct rig_ask made;
	rig_run(&rig, plain, NULL);
	events = rig_ask_events;
	events.withdrawn = cancel_when_withdrawn;
	rig_begin(&made, "ann");
	made.ask.events = &events;
	rig_call(rig.hosted, &made, "doubt");
	rig_until(&rig, made.withdrawn);
	assert_int_equal(hosted_asks(rig.hosted), 0);
	rig_ask(&rig, &made, "ann", "release");
	assert_int_equal(made.answered, 1);
	rig_close(&rig);
}

static void a_question_is_withdrawn_when_its_process_dies(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made, killer;
	rig_run(&rig, plain, NULL);
	rig_begin(&made, "ann");
	rig_call(rig.hosted, &made, "ask");
	rig_until(&rig, made.questioned);
	rig_begin(&killer, "ann");
	rig_call(rig.hosted, &killer, "die");
	rig_until(&rig, made.answered && killer.answered);
	assert_int_equal(made.withdrawn, 1);
	assert_int_equal(made.why.code, FAULT_CLOSED);
	rig_close(&rig);
}

static void a_server_that_asks_too_much_at_once_is_refused(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	rig_run(&rig, plain, WORDS("--era", "modern"));
	rig_ask(&rig, &made, "ann", "pester");
	assert_int_equal(made.why.code, FAULT_TOO_LARGE);
	assert_true(made.questioned < 100);
	assert_int_equal(hosted_asks(rig.hosted), 0);
	rig_close(&rig);
}

static void refuse_at_once(struct hosted_ask *ask, struct hosted_question *question,
	struct slice method, const struct scan_value *params) {
	rig_questioned(ask, question, method, params);
	hosted_question_refuse(question, -1, SLICE("no"), SLICE_NONE);
}

static void a_question_may_be_refused_inside_of_its_callback(void **state) {
	(void)state;
	static struct hosted_ask_events events;
	struct hosted_rig rig;
	struct rig_ask made;
	events = rig_ask_events;
	events.questioned = refuse_at_once;
	rig_run(&rig, plain, WORDS("--era", "modern"));
	rig_begin(&made, "ann");
	made.ask.events = &events;
	rig_call(rig.hosted, &made, "pester");
	rig_until(&rig, made.answered);
	assert_int_equal(made.code, -1);
	assert_int_equal(made.questioned, 1);
	rig_close(&rig);
}

static void what_a_server_babbles_is_logged_at_a_bounded_rate(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	AUTO_TEXT struct text lines = {0};
	size_t count = 0;
	rig_run(&rig, plain, NULL);
	rig_ask(&rig, &made, "ann", "babble");
	check_has(&made, "babbled");
	text_init(&lines, 0);
	hosted_write_log(rig.hosted, &lines);
	for (size_t i = 0; i < lines.length; i++) count += lines.bytes[i] == '\n';
	assert_true(count > 0 && count < 4000);
	rig_close(&rig);
}

static void an_answer_that_is_none_ends_its_call(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	rig_run(&rig, plain, NULL);
	rig_ask(&rig, &made, "ann", "botch");
	assert_int_equal(made.code, -32603);
	rig_ask(&rig, &made, "ann", "echo");
	check_has(&made, "1e400");
	rig_close(&rig);
}

static void what_only_reads_is_asked_again_when_its_process_dies(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask reading, calling, killer;
	rig_run(&rig, plain, NULL);
	rig_begin(&reading, "ann");
	reading.ask.method = SLICE("resources/read");
	reading.ask.params = SLICE("{\"uri\":\"test://held\"}");
	assert_true(hosted_ask_start(rig.hosted, &reading.ask, NULL));
	rig_begin(&calling, "ann");
	rig_call(rig.hosted, &calling, "hold");
	rig_begin(&killer, "ann");
	rig_call(rig.hosted, &killer, "die");
	rig_until(&rig, calling.answered && killer.answered);
	assert_int_equal(calling.why.code, FAULT_CLOSED); /* it may have had its effect */
	assert_int_equal(reading.answered, 0);
	rig_until(&rig, hosted_restarts(rig.hosted) == 1 && hosted_state(rig.hosted) == HOSTED_CONNECTED);
	rig_ask(&rig, &killer, "ann", "die");
	rig_until(&rig, reading.answered); /* a second time it is not */
	assert_int_equal(reading.why.code, FAULT_CLOSED);
	rig_close(&rig);
}

static void a_restart_on_demand_keeps_those_who_wait(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	rig_run(&rig, plain, NULL);
	assert_true(hosted_restart(rig.hosted, NULL));
	assert_int_equal(hosted_state(rig.hosted), HOSTED_DRAINING);
	rig_ask(&rig, &made, "ann", "echo");
	check_has(&made, "1e400");
	rig_close(&rig);
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);

	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_ask_may_be_cancelled_when_its_question_is_withdrawn),
		cmocka_unit_test(a_question_is_withdrawn_when_its_process_dies),
		cmocka_unit_test(a_server_that_asks_too_much_at_once_is_refused),
		cmocka_unit_test(a_question_may_be_refused_inside_of_its_callback),
		cmocka_unit_test(what_a_server_babbles_is_logged_at_a_bounded_rate),
		cmocka_unit_test(an_answer_that_is_none_ends_its_call),
		cmocka_unit_test(what_only_reads_is_asked_again_when_its_process_dies),
		cmocka_unit_test(a_restart_on_demand_keeps_those_who_wait),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
