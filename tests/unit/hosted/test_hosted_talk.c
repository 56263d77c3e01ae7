/* SPDX-License-Identifier: Apache-2.0 */
/* What a talk keeps of a conversation: its process, its place, its principal, and whose questions are whose. */
#include "hosted_rig.h"

struct told {
	struct hosted_talk talk;
	unsigned lost;
};

static void lost(struct hosted_talk *talk, const struct fault *why) {
	assert_non_null(why->text);
	CONTAINER_OF(talk, struct told, talk)->lost++;
}

static void begin(struct told *told, const char *principal, const char *session) {
	*told = (struct told){.talk = {.principal = slice_of(principal), .session = slice_of(session), .lost = lost}};
}

static void ask(struct hosted_rig *rig, struct rig_ask *made, struct told *told, const char *tool) {
	rig_begin(made, told->talk.principal.bytes);
	made->ask.abilities = 0;
	made->ask.session = told->talk.session;
	made->ask.talk = &told->talk;
	rig_call(rig->hosted, made, tool);
}

static void finish(struct hosted_rig *rig, struct rig_ask *made) {
	rig_until(rig, made->answered);
	assert_string_equal(made->why.text, "");
}

static void an_open_one_keeps_its_conversation(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask first, second, stranger;
	struct told told;
	rig_run(&rig, (struct hosted_settings){.children = 2, .eras = HOSTED_ERA_ONLY_LEGACY, .idle_ms = 1}, NULL);
	begin(&told, "ann", "1");
	ask(&rig, &first, &told, "echo");
	finish(&rig, &first);
	struct hosted_child *kept = told.talk.child;
	assert_non_null(kept);
	assert_ptr_equal(hosted_talk_next(kept, NULL), &told.talk);
	/* Somebody else gets the other place, and not this one, however idle it is. */
	rig_begin(&stranger, "ben");
	rig_call(rig.hosted, &stranger, "echo");
	finish(&rig, &stranger);
	ask(&rig, &second, &told, "echo");
	finish(&rig, &second);
	assert_ptr_equal(told.talk.child, kept);
	hosted_talk_close(&told.talk);
	hosted_talk_close(&told.talk);
	rig_until(&rig, told.lost == 1 || hosted_children(rig.hosted) == 1); /* it ends for being idle, or the other does */
	hosted_talk_end(&told.talk);
	assert_null(told.talk.child);
	rig_close(&rig);
}

/* Four principals, a server with one place, and none of them waits for the end of another's. */
static void nobody_waits_for_the_end_of_anothers(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask asks[3], plain, able;
	struct told ann, again, ben, cid;
	rig_run(&rig, (struct hosted_settings){.children = 1, .eras = HOSTED_ERA_ONLY_LEGACY}, NULL);
	begin(&ann, "ann", "1");
	begin(&again, "ann", "2");
	begin(&ben, "ben", "3");
	begin(&cid, "cid", "4");
	ask(&rig, &asks[0], &ann, "echo");
	finish(&rig, &asks[0]);
	ask(&rig, &asks[1], &again, "echo");
	finish(&rig, &asks[1]);
	assert_ptr_equal(again.talk.child, ann.talk.child); /* those of one principal share */
	/* Plain calls, of those who can be asked something and of those who cannot. */
	rig_begin(&plain, "ben");
	plain.ask.abilities = 0;
	rig_call(rig.hosted, &plain, "echo");
	finish(&rig, &plain);
	rig_begin(&able, "dot");
	rig_call(rig.hosted, &able, "ask");
	rig_until(&rig, able.questioned);
	hosted_question_answer(able.question, SLICE("{\"n\":1}"));
	finish(&rig, &able);
	/* Further talks go on in one conversation that all share. */
	ask(&rig, &asks[2], &ben, "echo");
	finish(&rig, &asks[2]);
	assert_ptr_not_equal(ben.talk.child, ann.talk.child);
	ask(&rig, &asks[2], &cid, "echo");
	finish(&rig, &asks[2]);
	assert_ptr_equal(cid.talk.child, ben.talk.child);
	assert_true(hosted_children(rig.hosted) <= 3);
	/* And stay there when a place to keep is free; the next one has it. */
	struct hosted_child *kept = ann.talk.child;
	hosted_talk_close(&ann.talk);
	assert_ptr_equal(again.talk.child, kept);
	hosted_talk_end(&again.talk);
	hosted_talk_end(&ann.talk);
	ask(&rig, &asks[2], &ben, "echo");
	finish(&rig, &asks[2]);
	assert_ptr_equal(cid.talk.child, ben.talk.child);
	begin(&ann, "eve", "5");
	ask(&rig, &asks[0], &ann, "echo");
	finish(&rig, &asks[0]);
	assert_ptr_not_equal(ann.talk.child, ben.talk.child);
	hosted_talk_end(&ann.talk);
	hosted_talk_end(&ben.talk);
	hosted_talk_end(&cid.talk);
	rig_until(&rig, hosted_children(rig.hosted) <= 2); /* what is more than the places goes at once */
	rig_close(&rig);
}

static void one_call_at_a_time_is_so_beside_them(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask asks[3], plain;
	struct told ann, ben;
	rig_run(&rig, (struct hosted_settings){.children = 1, .share = HOSTED_SHARE_CALL, .eras = HOSTED_ERA_ONLY_LEGACY}, NULL);
	begin(&ann, "ann", "1");
	begin(&ben, "ben", "2");
	ask(&rig, &asks[0], &ann, "echo");
	finish(&rig, &asks[0]);
	rig_begin(&plain, "ben");
	rig_call(rig.hosted, &plain, "echo");
	finish(&rig, &plain);
	ask(&rig, &asks[1], &ben, "echo");
	ask(&rig, &asks[2], &ben, "echo");
	finish(&rig, &asks[1]);
	finish(&rig, &asks[2]);
	assert_ptr_not_equal(ann.talk.child, ben.talk.child);
	hosted_talk_end(&ann.talk);
	hosted_talk_end(&ben.talk);
	rig_close(&rig);
}

static unsigned late;

static void answered_late(struct hosted *hosted, struct hosted_child *child, const struct scan_value *result) {
	assert_ptr_equal(hosted_child_server(child), hosted);
	assert_int_equal(result->type, SCAN_OBJECT);
	late++;
}

static void what_is_given_up_is_heard_of_when_it_is_answered(void **state) {
	(void)state;
	static const struct hosted_governor governor = {.answered_late = answered_late};
	struct hosted_rig rig;
	struct rig_ask given_up, plain;
	struct told told;
	late = 0;
	rig_open(&rig);
	hosted_servers_govern(rig.servers, &governor);
	rig.hosted = rig_add(&rig, "test", (struct hosted_settings){.eras = HOSTED_ERA_ONLY_LEGACY}, NULL);
	assert_true(hosted_start(rig.hosted, NULL));
	begin(&told, "ann", "1");
	rig_begin(&given_up, "ann");
	given_up.ask.abilities = 0;
	given_up.ask.session = told.talk.session;
	given_up.ask.talk = &told.talk;
	given_up.ask.is_awaited = true;
	rig_call(rig.hosted, &given_up, "hold");
	rig_until(&rig, told.talk.child);
	hosted_ask_cancel(&given_up.ask, "gone");
	ask(&rig, &plain, &told, "release");
	finish(&rig, &plain);
	rig_until(&rig, late == 1);
	hosted_talk_end(&told.talk);
	rig_close(&rig);
}

static void so_many_late_answers_are_awaited_and_no_more(void **state) {
	(void)state;
	static const struct hosted_governor governor = {.answered_late = answered_late};
	static struct rig_ask given_up[HOSTED_LATE + 1];
	struct hosted_rig rig;
	struct rig_ask plain;
	struct told told;
	late = 0;
	rig_open(&rig);
	hosted_servers_govern(rig.servers, &governor);
	rig.hosted = rig_add(&rig, "test", (struct hosted_settings){.eras = HOSTED_ERA_ONLY_LEGACY}, NULL);
	assert_true(hosted_start(rig.hosted, NULL));
	begin(&told, "ann", "1");
	ask(&rig, &plain, &told, "echo");
	finish(&rig, &plain);
	for (size_t i = 0; i < COUNT_OF(given_up); i++) {
		rig_begin(&given_up[i], "ann");
		given_up[i].ask.abilities = 0;
		given_up[i].ask.session = told.talk.session;
		given_up[i].ask.talk = &told.talk;
		given_up[i].ask.is_awaited = true;
		rig_call(rig.hosted, &given_up[i], "hold");
		hosted_ask_cancel(&given_up[i].ask, "gone");
	}
	ask(&rig, &plain, &told, "release");
	finish(&rig, &plain);
	rig_until(&rig, late == HOSTED_LATE);
	ask(&rig, &plain, &told, "echo"); /* behind whatever else is answered */
	finish(&rig, &plain);
	assert_int_equal(late, HOSTED_LATE);
	/* There is room again; and a conversation may end while answers are awaited. */
	rig_begin(&given_up[0], "ann");
	given_up[0].ask.abilities = 0;
	given_up[0].ask.session = told.talk.session;
	given_up[0].ask.talk = &told.talk;
	given_up[0].ask.is_awaited = true;
	rig_call(rig.hosted, &given_up[0], "hold");
	hosted_ask_cancel(&given_up[0].ask, "gone");
	hosted_talk_end(&told.talk);
	rig_close(&rig);
	assert_int_equal(late, HOSTED_LATE);
}

/* Kept by one principal, shared by several, or by all: so many and no more. */
static void one_conversation_has_so_many_talks(enum hosted_share share, bool is_kept) {
	static struct told told[HOSTED_TALKS + 1];
	struct hosted_rig rig;
	struct rig_ask made;
	struct told other;
	rig_run(&rig, (struct hosted_settings){.children = 1, .share = share, .eras = HOSTED_ERA_ONLY_LEGACY}, NULL);
	begin(&other, "ben", "0");
	if (!is_kept) {
		ask(&rig, &made, &other, "echo");
		finish(&rig, &made);
	}
	size_t most = HOSTED_TALKS - (share == HOSTED_SHARE_ALL && !is_kept);
	for (size_t i = 0; i < most; i++) {
		begin(&told[i], "ann", "1");
		ask(&rig, &made, &told[i], "echo");
		finish(&rig, &made);
		assert_ptr_equal(told[i].talk.child, told[0].talk.child);
	}
	begin(&told[most], "ann", "1");
	rig_begin(&made, "ann");
	made.ask.abilities = 0;
	made.ask.talk = &told[most].talk;
	made.ask.method = SLICE("tools/call");
	made.ask.params = SLICE("{\"name\":\"echo\",\"arguments\":{}}");
	struct fault why;
	assert_false(hosted_ask_start(rig.hosted, &made.ask, &why));
	assert_int_equal(why.code, FAULT_FULL);
	hosted_talk_end(&told[0].talk);
	ask(&rig, &made, &told[most], "echo");
	finish(&rig, &made);
	for (size_t i = 1; i <= most; i++) hosted_talk_end(&told[i].talk);
	hosted_talk_end(&other.talk);
	rig_close(&rig);
}

static void one_conversation_has_a_bound(void **state) {
	(void)state;
	one_conversation_has_so_many_talks(HOSTED_SHARE_PRINCIPAL, true);
	one_conversation_has_so_many_talks(HOSTED_SHARE_PRINCIPAL, false);
	one_conversation_has_so_many_talks(HOSTED_SHARE_ALL, false);
}

static void a_question_that_may_be_a_talks_is_nobodys(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask first, other, same, stranger;
	struct told told;
	rig_run(&rig, (struct hosted_settings){.children = 1, .eras = HOSTED_ERA_ONLY_LEGACY}, NULL);
	begin(&told, "ann", "1");
	ask(&rig, &first, &told, "echo");
	finish(&rig, &first);
	rig_begin(&stranger, "ben"); /* in the only place, so that she has no other conversation */
	rig_call(rig.hosted, &stranger, "ask");
	rig_until(&rig, stranger.questioned);
	rig_begin(&other, "ann");
	other.ask.session = SLICE("2");
	rig_call(rig.hosted, &other, "ask");
	rig_until(&rig, other.answered);
	assert_int_equal(other.questioned, 0);
	assert_true(rig.declined > 0);
	rig_begin(&same, "ann");
	same.ask.session = SLICE("1");
	rig_call(rig.hosted, &same, "ask");
	rig_until(&rig, same.questioned);
	hosted_question_answer(same.question, SLICE("{\"n\":1}"));
	finish(&rig, &same);
	hosted_question_answer(stranger.question, SLICE("{\"n\":1}"));
	finish(&rig, &stranger);
	hosted_talk_end(&told.talk);
	rig_close(&rig);
}

static void one_is_lost_with_its_conversation(void **state) {
	(void)state;
	struct hosted_rig rig;
	struct rig_ask first, second;
	struct told told;
	struct fault why;
	rig_run(&rig, (struct hosted_settings){.eras = HOSTED_ERA_ONLY_LEGACY, .back_off_ms = 1}, NULL);
	begin(&told, "ann", "1");
	ask(&rig, &first, &told, "echo");
	finish(&rig, &first);
	assert_true(hosted_restart(rig.hosted, &why));
	rig_until(&rig, told.lost);
	assert_null(told.talk.child);
	assert_int_equal(told.lost, 1);
	rig_until(&rig, hosted_state(rig.hosted) == HOSTED_CONNECTED);
	rig_begin(&second, "ann");
	second.ask.session = SLICE("1");
	second.ask.method = SLICE("tools/call");
	second.ask.params = SLICE("{\"name\":\"echo\",\"arguments\":{}}");
	second.ask.talk = &told.talk;
	if (hosted_ask_start(rig.hosted, &second.ask, &why)) {
		rig_until(&rig, second.answered);
		why = second.why;
	}
	assert_int_equal(why.code, FAULT_CLOSED);
	hosted_talk_end(&told.talk);
	rig_close(&rig);
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);

	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_open_one_keeps_its_conversation),
		cmocka_unit_test(nobody_waits_for_the_end_of_anothers),
		cmocka_unit_test(one_call_at_a_time_is_so_beside_them),
		cmocka_unit_test(what_is_given_up_is_heard_of_when_it_is_answered),
		cmocka_unit_test(so_many_late_answers_are_awaited_and_no_more),
		cmocka_unit_test(one_conversation_has_a_bound),
		cmocka_unit_test(a_question_that_may_be_a_talks_is_nobodys),
		cmocka_unit_test(one_is_lost_with_its_conversation),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
