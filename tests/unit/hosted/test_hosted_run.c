/* SPDX-License-Identifier: Apache-2.0 */
#include "hosted_rig.h"

static const struct hosted_settings plain = {.back_off_ms = 1};

static void a_call_goes_to_a_legacy_server_and_its_answer_comes_back(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	rig_run(&rig, plain, NULL);
	assert_true(hosted_speaks(rig.hosted, HOSTED_LEGACY));
	assert_false(hosted_speaks(rig.hosted, HOSTED_MODERN));
	rig_ask(&rig, &made, "ann", "echo");
	check_has(&made, "1e400");
	rig_ask(&rig, &made, "ann", "seen");
	check_has(&made, "elicitation");
	rig_ask(&rig, &made, "ann", "unheard-of");
	assert_int_equal(made.code, -32602);
	assert_int_equal(hosted_asks(rig.hosted), 0);
	rig_close(&rig);
}

static void params_on_several_lines_are_one_message(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	rig_run(&rig, plain, NULL);
	rig_begin(&made, "ann");
	made.ask.method = SLICE("tools/call");
	made.ask.params = SLICE("{\"name\":\"echo\",\"arguments\":{\"a\":\n"
				"{\"jsonrpc\":\"2.0\",\"id\":\"mine\",\"method\":\"tools/call\",\"params\":{\"name\":\"die\"}}\r\n}}");
	assert_true(hosted_ask_start(rig.hosted, &made.ask, NULL));
	rig_until(&rig, made.answered);
	check_has(&made, "mine");
	rig_ask(&rig, &made, "ann", "count");
	check_has(&made, "\"1\"");
	assert_int_equal(hosted_restarts(rig.hosted), 0);
	rig_close(&rig);
}

static void a_modern_server_is_asked_with_metadata(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	rig_run(&rig, plain, WORDS("--era", "modern"));
	assert_false(hosted_speaks(rig.hosted, HOSTED_LEGACY));
	assert_true(hosted_speaks(rig.hosted, HOSTED_MODERN));
	rig_begin(&made, "ann");
	made.ask.client_info = SLICE("{\"name\":\"me\"}");
	made.ask.log_level = SLICE("debug");
	made.ask.abilities = HOSTED_CAN_FORM | HOSTED_CAN_ROOTS;
	rig_call(rig.hosted, &made, "seen");
	rig_until(&rig, made.answered);
	check_has(&made, "\\\"io.modelcontextprotocol/clientCapabilities\\\":{\\\"elicitation\\\":"
			 "{\\\"form\\\":{}},\\\"roots\\\":{}}");
	check_has(&made, "\\\"io.modelcontextprotocol/clientInfo\\\":{\\\"name\\\":\\\"me\\\"}");
	check_has(&made, "\\\"io.modelcontextprotocol/logLevel\\\":\\\"debug\\\"");
	check_has(&made, "\\\"x.y/z\\\":1");
	check_slice(hosted_facts(rig.hosted, HOSTED_MODERN)->name, "test A");
	rig_close(&rig);
}

static void a_server_of_both_eras_is_asked_in_the_askers(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	rig_run(&rig, plain, WORDS("--era", "dual", "--dies-of-strangers"));
	assert_true(hosted_speaks(rig.hosted, HOSTED_LEGACY));
	assert_true(hosted_speaks(rig.hosted, HOSTED_MODERN));
	rig_ask(&rig, &made, "ann", "seen");
	check_has(&made, "2025-11-25");
	rig_begin(&made, "ann");
	made.ask.era = HOSTED_MODERN;
	rig_call(rig.hosted, &made, "seen");
	rig_until(&rig, made.answered);
	check_has(&made, "2026-07-28");
	rig_close(&rig);
}

static void a_server_that_dies_of_strangers_serves_on(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	rig_run(&rig, plain, WORDS("--dies-of-strangers"));
	assert_false(hosted_speaks(rig.hosted, HOSTED_MODERN));
	rig_begin(&made, "ann");
	made.ask.era = HOSTED_MODERN;
	rig_call(rig.hosted, &made, "echo");
	rig_until(&rig, made.answered);
	check_has(&made, "1e400");
	assert_int_equal(hosted_restarts(rig.hosted), 0);
	rig_close(&rig);
}

static void a_question_of_a_legacy_server_goes_to_its_asker(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	rig_run(&rig, plain, NULL);
	rig_begin(&made, "ann");
	rig_call(rig.hosted, &made, "ask");
	rig_until(&rig, made.questioned);
	assert_string_equal(made.asked, "elicitation/create");
	hosted_question_answer(made.question, SLICE("{\"action\":\"accept\"}"));
	rig_until(&rig, made.answered);
	check_has(&made, "accept");
	rig_begin(&made, "ann");
	rig_call(rig.hosted, &made, "sample");
	rig_until(&rig, made.questioned);
	hosted_question_refuse(made.question, -1, SLICE("no"), SLICE_NONE);
	rig_until(&rig, made.answered);
	check_has(&made, "refused");
	rig_close(&rig);
}

static void two_principals_get_their_own_questions_in_swapped_time(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask ann, ben;
	rig_run(&rig, plain, NULL);
	rig_begin(&ann, "ann");
	rig_begin(&ben, "ben");
	rig_call(rig.hosted, &ann, "ask");
	rig_call(rig.hosted, &ben, "ask");
	rig_until(&rig, ann.questioned && ben.questioned);
	hosted_question_answer(ben.question, SLICE("{\"action\":\"accept\",\"content\":{\"n\":\"ben\"}}"));
	rig_until(&rig, ben.answered);
	assert_int_equal(ann.answered, 0);
	hosted_question_answer(ann.question, SLICE("{\"action\":\"accept\",\"content\":{\"n\":\"ann\"}}"));
	rig_until(&rig, ann.answered);
	check_has(&ann, "ann");
	check_has(&ben, "ben");
	assert_int_equal(hosted_children(rig.hosted), 2);
	rig_close(&rig);
}

static void two_sessions_of_a_principal_get_their_own_questions(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask one, two;
	rig_run(&rig, plain, NULL);
	rig_begin(&one, "ann");
	rig_begin(&two, "ann");
	one.ask.session = SLICE("1");
	two.ask.session = SLICE("2");
	rig_call(rig.hosted, &one, "ask");
	rig_call(rig.hosted, &two, "ask");
	rig_until(&rig, one.questioned && two.questioned);
	hosted_question_answer(two.question, SLICE("{\"n\":2}"));
	hosted_question_answer(one.question, SLICE("{\"n\":1}"));
	rig_until(&rig, one.answered && two.answered);
	check_has(&one, "1");
	check_has(&two, "2");
	rig_close(&rig);
}

static void a_question_while_two_calls_are_open_is_declined(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask held, made;
	rig_run(&rig, plain, NULL);
	rig_begin(&held, "ann");
	rig_call(rig.hosted, &held, "hold");
	rig_ask(&rig, &made, "ann", "ask");
	check_has(&made, "decline");
	assert_int_equal(rig.declined, 1);
	assert_int_equal(made.questioned, 0);
	hosted_ask_cancel(&held.ask, "enough");
	assert_int_equal(held.answered, 0);
	rig_close(&rig);
}

static void what_an_asker_cannot_answer_is_refused_and_named(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	rig_run(&rig, (struct hosted_settings){.roots = "[{\"uri\":\"file:///r\"}]"}, NULL);
	rig_begin(&made, "ann");
	made.ask.abilities = 0;
	rig_call(rig.hosted, &made, "ask");
	rig_until(&rig, made.answered);
	check_has(&made, "refused");
	assert_int_equal(made.lacking, HOSTED_CAN_FORM);
	rig_begin(&made, "ann");
	made.ask.abilities = 0;
	rig_call(rig.hosted, &made, "roots");
	rig_until(&rig, made.answered);
	check_has(&made, "file:///r");
	rig_close(&rig);
}

static void a_modern_server_that_wants_input_is_asked_again(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	rig_run(&rig, plain, WORDS("--era", "modern"));
	rig_begin(&made, "ann");
	rig_call(rig.hosted, &made, "ask");
	rig_until(&rig, made.questioned);
	assert_string_equal(made.asked, "elicitation/create");
	hosted_question_answer(made.question, SLICE("{\"action\":\"accept\"}"));
	rig_until(&rig, made.answered);
	check_has(&made, "accept");

	rig_begin(&made, "ann");
	made.ask.era = HOSTED_MODERN;
	made.ask.takes_input = true;
	rig_call(rig.hosted, &made, "ask");
	rig_until(&rig, made.answered);
	assert_int_equal(made.questioned, 0);
	check_has(&made, "input_required");
	rig_close(&rig);
}

static void progress_and_log_messages_go_to_the_asker(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	rig_run(&rig, plain, NULL);
	rig_ask(&rig, &made, "ann", "steps");
	assert_int_equal(made.progressed, 3);
	rig_begin(&made, "ann");
	made.ask.era = HOSTED_MODERN; /* and no level: it wants none */
	rig_call(rig.hosted, &made, "log");
	rig_until(&rig, made.answered);
	assert_int_equal(made.told, 0);
	rig_ask(&rig, &made, "ann", "log");
	assert_int_equal(made.told, 1);
	rig_close(&rig);
}

static void calls_of_one_session_meet_one_process_at_once(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made[20];
	rig_run(&rig, plain, NULL);
	for (int i = 0; i < 19; i++) {
		rig_begin(&made[i], "ann");
		rig_call(rig.hosted, &made[i], "hold");
	}
	rig_ask(&rig, &made[19], "ann", "release");
	for (int i = 0; i < 19; i++) rig_until(&rig, made[i].answered);
	assert_int_equal(hosted_children(rig.hosted), 1);
	rig_close(&rig);
}

static void a_principal_without_a_place_waits_for_one(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask held, made, late;
	rig_run(&rig, (struct hosted_settings){.children = 1, .eras = HOSTED_ERA_ONLY_LEGACY}, NULL);
	rig_begin(&held, "ann");
	rig_call(rig.hosted, &held, "hold");
	rig_begin(&late, "eve");
	late.ask.deadline_ms = 1;
	rig_call(rig.hosted, &late, "count");
	rig_until(&rig, late.answered);
	assert_int_equal(late.why.code, FAULT_TIMEOUT);
	rig_begin(&made, "ben");
	rig_call(rig.hosted, &made, "count");
	hosted_ask_cancel(&held.ask, "enough");
	rig_until(&rig, made.answered);
	check_has(&made, "\"1\""); /* a process of its own, that remembers nothing of the other */
	assert_int_equal(hosted_restarts(rig.hosted), 0);
	rig_close(&rig);
}

static void a_process_for_all_is_told_that_nobody_answers(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	char process[64];
	rig_run(&rig, (struct hosted_settings){.share = HOSTED_SHARE_ALL}, NULL);
	rig_ask(&rig, &made, "ann", "seen");
	assert_null(strstr(made.result, "elicitation"));
	rig_ask(&rig, &made, "ann", "pid");
	snprintf(process, sizeof process, "%.60s", strstr(made.result, "\"text\":"));
	rig_ask(&rig, &made, "ben", "pid");
	check_has(&made, process);
	rig_ask(&rig, &made, "ben", "ask");
	check_has(&made, "decline");
	rig_close(&rig);
}

static void a_process_a_call_serves_strangers_one_by_one(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask ann, ben;
	rig_run(&rig, (struct hosted_settings){.share = HOSTED_SHARE_CALL, .children = 2}, NULL);
	rig_begin(&ann, "ann");
	rig_begin(&ben, "ben");
	rig_call(rig.hosted, &ann, "ask");
	rig_call(rig.hosted, &ben, "ask");
	rig_until(&rig, ann.questioned && ben.questioned);
	hosted_question_answer(ann.question, SLICE("{\"n\":1}"));
	hosted_question_answer(ben.question, SLICE("{\"n\":2}"));
	rig_until(&rig, ann.answered && ben.answered);
	rig_close(&rig);
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);

	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_goes_to_a_legacy_server_and_its_answer_comes_back),
		cmocka_unit_test(params_on_several_lines_are_one_message),
		cmocka_unit_test(a_modern_server_is_asked_with_metadata),
		cmocka_unit_test(a_server_of_both_eras_is_asked_in_the_askers),
		cmocka_unit_test(a_server_that_dies_of_strangers_serves_on),
		cmocka_unit_test(a_question_of_a_legacy_server_goes_to_its_asker),
		cmocka_unit_test(two_principals_get_their_own_questions_in_swapped_time),
		cmocka_unit_test(two_sessions_of_a_principal_get_their_own_questions),
		cmocka_unit_test(a_question_while_two_calls_are_open_is_declined),
		cmocka_unit_test(what_an_asker_cannot_answer_is_refused_and_named),
		cmocka_unit_test(a_modern_server_that_wants_input_is_asked_again),
		cmocka_unit_test(progress_and_log_messages_go_to_the_asker),
		cmocka_unit_test(calls_of_one_session_meet_one_process_at_once),
		cmocka_unit_test(a_principal_without_a_place_waits_for_one),
		cmocka_unit_test(a_process_for_all_is_told_that_nobody_answers),
		cmocka_unit_test(a_process_a_call_serves_strangers_one_by_one),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
