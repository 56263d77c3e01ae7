/* SPDX-License-Identifier: Apache-2.0 */
/* Which conversation serves whom, and what becomes of questions that could belong to another. */
#include "hosted_rig.h"

static const struct hosted_settings plain = {.back_off_ms = 1};

static void ask_in(struct hosted_rig *rig, struct rig_ask *made, const char *principal,
	const char *session, const char *tool) {
	rig_begin(made, principal);
	made->ask.session = slice_of(session);
	rig_call(rig->hosted, made, tool);
}

static void finish(struct hosted_rig *rig, struct rig_ask *made) {
	rig_until(rig, made->answered);
	assert_string_equal(made->why.text, "");
}

static void who_cannot_be_asked_stays_away_from_who_can(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask asked, mute;
	rig_run(&rig, plain, NULL);
	ask_in(&rig, &asked, "ann", "1", "ask");
	rig_until(&rig, asked.questioned);
	rig_begin(&mute, "ann");
	mute.ask.abilities = 0;
	mute.ask.session = SLICE("2");
	rig_call(rig.hosted, &mute, "hold");
	rig_until(&rig, hosted_children(rig.hosted) == 2);
	hosted_ask_cancel(&mute.ask, "enough");
	hosted_question_answer(asked.question, SLICE("{\"n\":1}"));
	finish(&rig, &asked);
	rig_close(&rig);
}

static void an_idle_conversation_of_another_makes_place_before_two_sessions_share(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask ben, one, two;
	rig_run(&rig, (struct hosted_settings){.children = 2, .eras = HOSTED_ERA_ONLY_LEGACY}, NULL);
	ask_in(&rig, &ben, "ben", "b", "echo");
	finish(&rig, &ben);
	ask_in(&rig, &one, "ann", "1", "ask");
	rig_until(&rig, one.questioned);
	ask_in(&rig, &two, "ann", "2", "ask");
	rig_until(&rig, two.questioned || two.answered);
	assert_int_equal(two.questioned, 1);
	hosted_question_answer(two.question, SLICE("{\"n\":2}"));
	hosted_question_answer(one.question, SLICE("{\"n\":1}"));
	finish(&rig, &one);
	finish(&rig, &two);
	rig_close(&rig);
}

/* Sixty-five principals, and four conversations: nobody who cannot be asked waits for another. */
static void who_cannot_be_asked_never_waits_for_others(void **state) {
	(void)state;
	static struct rig_ask slow[64];
	struct hosted_rig rig;
	struct rig_ask last;
	char name[16];
	rig_run(&rig, plain, NULL);
	for (size_t i = 0; i < COUNT_OF(slow); i++) {
		snprintf(name, sizeof name, "p%zu", i);
		rig_begin(&slow[i], name);
		slow[i].ask.abilities = 0;
		rig_call(rig.hosted, &slow[i], "hold");
	}
	rig_begin(&last, "last");
	last.ask.abilities = 0;
	rig_call(rig.hosted, &last, "echo");
	finish(&rig, &last);
	assert_int_equal(hosted_children(rig.hosted), 5);
	for (size_t i = 0; i < COUNT_OF(slow); i++) hosted_ask_cancel(&slow[i].ask, "enough");
	rig_close(&rig);
}

/* The server may still be at the call that was given up, and ask about it. */
static void a_conversation_with_a_call_given_up_is_not_for_another_session(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	rig_run(&rig, plain, NULL);
	ask_in(&rig, &made, "ann", "1", "count");
	finish(&rig, &made);
	check_has(&made, "\"1\"");
	ask_in(&rig, &made, "ann", "1", "hold");
	rig_until(&rig, hosted_asks(rig.hosted) == 1);
	hosted_ask_cancel(&made.ask, "enough");
	ask_in(&rig, &made, "ann", "2", "count");
	finish(&rig, &made);
	check_has(&made, "\"1\"");
	ask_in(&rig, &made, "ann", "1", "count");
	finish(&rig, &made);
	check_has(&made, "\"2\"");
	rig_close(&rig);
}

static void strangers_share_a_conversation_only_where_nobody_can_be_asked(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	rig_run(&rig, (struct hosted_settings){.share = HOSTED_SHARE_CALL}, NULL);
	ask_in(&rig, &made, "ann", "1", "count");
	finish(&rig, &made);
	ask_in(&rig, &made, "ben", "2", "count");
	finish(&rig, &made);
	check_has(&made, "\"1\"");
	rig_begin(&made, "cid");
	made.ask.abilities = 0;
	rig_call(rig.hosted, &made, "count");
	finish(&rig, &made);
	check_has(&made, "\"2\"");
	assert_int_equal(hosted_children(rig.hosted), 2);
	rig_close(&rig);
}

static void a_principal_with_two_conversations_gives_one_up_for_who_has_none(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask one, two, more, ben;
	rig_run(&rig, (struct hosted_settings){.children = 2, .eras = HOSTED_ERA_ONLY_LEGACY}, NULL);
	ask_in(&rig, &one, "ann", "1", "ask");
	ask_in(&rig, &two, "ann", "2", "ask");
	rig_until(&rig, one.questioned && two.questioned);
	ask_in(&rig, &ben, "ben", "b", "echo");
	rig_until(&rig, hosted_asks(rig.hosted) == 3);
	/* One of the two takes nothing new: its session goes on in the other. */
	ask_in(&rig, &more, "ann", "1", "hold");
	hosted_question_answer(one.question, SLICE("{\"n\":1}"));
	hosted_question_answer(two.question, SLICE("{\"n\":2}"));
	finish(&rig, &one);
	finish(&rig, &two);
	finish(&rig, &ben);
	assert_int_equal(more.answered, 0);
	hosted_ask_cancel(&more.ask, "enough");
	rig_close(&rig);
}

static void sessions_that_come_together_do_not_wait_for_each_others_process(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask asks[3];
	static const char *const sessions[] = {"1", "2", "3"};
	rig_run(&rig, (struct hosted_settings){.eras = HOSTED_ERA_ONLY_LEGACY}, NULL);
	for (int i = 0; i < 3; i++) ask_in(&rig, &asks[i], "ann", sessions[i], "ask");
	loop_step(rig.loop, 0);
	assert_int_equal(hosted_children(rig.hosted), 3);
	for (int i = 0; i < 3; i++) {
		rig_until(&rig, asks[i].questioned);
		hosted_question_answer(asks[i].question, SLICE("{\"n\":1}"));
		finish(&rig, &asks[i]);
	}
	assert_int_equal(hosted_children(rig.hosted), 3);
	rig_close(&rig);
}

static void a_subscription_is_held_by_each_process_of_its_principal(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask one, two, made;
	rig_run(&rig, (struct hosted_settings){.eras = HOSTED_ERA_ONLY_LEGACY}, NULL);
	ask_in(&rig, &one, "ann", "1", "ask");
	rig_until(&rig, one.questioned);
	assert_true(hosted_subscribe(rig.hosted, SLICE("ann"), SLICE("test://one"), NULL));
	ask_in(&rig, &two, "ann", "2", "ask"); /* in a process that did not run yet */
	rig_until(&rig, two.questioned);
	hosted_question_answer(one.question, SLICE("{\"n\":1}"));
	hosted_question_answer(two.question, SLICE("{\"n\":2}"));
	finish(&rig, &one);
	finish(&rig, &two);
	ask_in(&rig, &made, "ann", "1", "touch");
	finish(&rig, &made);
	assert_int_equal(rig.updated, 1);
	ask_in(&rig, &made, "ann", "2", "touch");
	finish(&rig, &made);
	assert_int_equal(rig.updated, 2);
	hosted_unsubscribe(rig.hosted, SLICE("ann"), SLICE("test://one"));
	ask_in(&rig, &made, "ann", "2", "touch");
	finish(&rig, &made);
	assert_int_equal(rig.updated, 2);
	rig_close(&rig);
}

static void who_only_subscribes_keeps_nobody_out(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask made;
	rig_run(&rig, (struct hosted_settings){.children = 1, .eras = HOSTED_ERA_ONLY_LEGACY}, NULL);
	assert_true(hosted_subscribe(rig.hosted, SLICE("ann"), SLICE("test://one"), NULL));
	rig_ask(&rig, &made, "ben", "count");
	check_has(&made, "\"1\"");
	rig_ask(&rig, &made, "ann", "touch"); /* and is served again where a place is */
	assert_int_equal(rig.updated, 1);
	rig_close(&rig);
}

static void one_principal_does_not_fill_the_whole_waiting_line(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask held, ben;
	struct fault why = {0};
	rig_run(&rig, (struct hosted_settings){.children = 1, .eras = HOSTED_ERA_ONLY_LEGACY}, NULL);
	rig_begin(&held, "cid");
	rig_call(rig.hosted, &held, "hold");
	static struct rig_ask waiting[HOSTED_WAITING_OF_ONE];
	for (int i = 0; i < HOSTED_WAITING_OF_ONE; i++) {
		rig_begin(&waiting[i], "ann");
		rig_call(rig.hosted, &waiting[i], "echo");
	}
	struct rig_ask one_more;
	rig_begin(&one_more, "ann");
	one_more.ask.method = SLICE("tools/call");
	assert_false(hosted_ask_start(rig.hosted, &one_more.ask, &why));
	assert_int_equal(why.code, FAULT_FULL);
	rig_begin(&ben, "ben");
	rig_call(rig.hosted, &ben, "echo");
	hosted_ask_cancel(&held.ask, "enough");
	finish(&rig, &ben);
	for (int i = 0; i < HOSTED_WAITING_OF_ONE; i++) finish(&rig, &waiting[i]);
	rig_close(&rig);
}

static void what_waits_for_a_server_is_bounded_in_octets(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask held, waiting[64], one_more;
	struct fault why = {0};
	size_t length = HOSTED_WAITING_OCTETS / 64;
	char *params = malloc(length + 1);
	assert_non_null(params);
	memset(params, ' ', length);
	memcpy(params, "{\"name\":\"echo\"", 14);
	params[length - 1] = '}';
	params[length] = '\0';
	rig_run(&rig, (struct hosted_settings){.children = 1, .eras = HOSTED_ERA_ONLY_LEGACY}, NULL);
	rig_begin(&held, "cid");
	rig_call(rig.hosted, &held, "hold");
	for (int i = 0; i < 65; i++) {
		struct rig_ask *made = i < 64 ? &waiting[i] : &one_more;
		rig_begin(made, "ann");
		made->ask.method = SLICE("tools/call");
		made->ask.params = slice_of(params);
		assert_int_equal(hosted_ask_start(rig.hosted, &made->ask, &why), i < 64);
	}
	assert_int_equal(why.code, FAULT_FULL);
	for (int i = 0; i < 64; i++) hosted_ask_cancel(&waiting[i].ask, "enough");
	assert_true(hosted_ask_start(rig.hosted, &one_more.ask, &why));
	hosted_ask_cancel(&one_more.ask, "enough");
	hosted_ask_cancel(&held.ask, "enough");
	free(params);
	rig_close(&rig);
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);

	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_cannot_be_asked_stays_away_from_who_can),
		cmocka_unit_test(who_cannot_be_asked_never_waits_for_others),
		cmocka_unit_test(an_idle_conversation_of_another_makes_place_before_two_sessions_share),
		cmocka_unit_test(a_conversation_with_a_call_given_up_is_not_for_another_session),
		cmocka_unit_test(strangers_share_a_conversation_only_where_nobody_can_be_asked),
		cmocka_unit_test(a_principal_with_two_conversations_gives_one_up_for_who_has_none),
		cmocka_unit_test(sessions_that_come_together_do_not_wait_for_each_others_process),
		cmocka_unit_test(a_subscription_is_held_by_each_process_of_its_principal),
		cmocka_unit_test(who_only_subscribes_keeps_nobody_out),
		cmocka_unit_test(one_principal_does_not_fill_the_whole_waiting_line),
		cmocka_unit_test(what_waits_for_a_server_is_bounded_in_octets),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
