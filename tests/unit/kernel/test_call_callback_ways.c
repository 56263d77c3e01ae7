/* SPDX-License-Identifier: Apache-2.0 */
/* What a server asks during a call (MGP 13.4), brought to askers that know forms, or to a person. */
#include "callback_rig.h"

/* ---- Askers that know forms ---- */

static void who_knows_forms_gets_one(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	begin(&rig, ASKS(CONFIRM));
	call_with(&rig, &made, plain_asker("ann"), HOSTED_CAN_FORM, 0);
	rig_until(&rig.of, made.questioned);
	assert_string_equal(made.asked, "elicitation/create");
	assert_non_null(strstr(shown, "\"enum\":[\"confirm\",\"cancel\"]"));
	assert_null(strstr(shown, "cb-"));
	call_question_answer(made.question, SLICE("{\"action\":\"accept\",\"content\":{\"response\":\"confirm\"}}"));
	rig_until(&rig.of, made.answered);
	assert_int_equal(fake_got(&rig, "{\"callback_id\":\"cb-001\",\"response\":\"confirm\"}"), 1);
	kernel_rig_close(&rig);
}

/* How long its request waits from now on. */
static uint64_t patience_of(const struct kernel_rig *rig, const struct rig_ask *made) {
	return made->ask.call->inner.run->deadline.at - loop_now(rig->of.loop);
}

static void a_call_waits_as_long_as_its_callback(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	begin(&rig, ASKS(CONFIRM ",\"timeout_ms\":600000") "\n" ASKS("\"callback_id\":\"b\",\"type\":\"input\",\"message\":\"m\",\"timeout_ms\":5000"));
	fake_write(&rig, "callback.after", "\"result\":\"too early\"");
	call_with(&rig, &made, plain_asker("ann"), HOSTED_CAN_FORM, 40000);
	rig_until(&rig.of, made.questioned == 2);
	assert_true(patience_of(&rig, &made) > 500000);
	call_extend(&made.ask, 1); /* what brings the form has a shorter time in mind */
	assert_true(patience_of(&rig, &made) > 500000);
	call_question_answer(first_shown, SLICE("{\"action\":\"cancel\"}"));
	assert_in_range(patience_of(&rig, &made), 30000, 45100);
	call_question_answer(made.question, SLICE("{\"action\":\"cancel\"}"));
	assert_in_range(patience_of(&rig, &made), 30000, 40100);
	call_cancel(&made.ask, "enough");
	kernel_rig_close(&rig);
}

static void a_form_that_is_declined_is_a_no(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	begin(&rig, ASKS(CONFIRM));
	call_with(&rig, &made, plain_asker("ann"), HOSTED_CAN_FORM, 0);
	rig_until(&rig.of, made.questioned);
	call_question_refuse(made.question, -1, SLICE("no"), SLICE_NONE);
	rig_until(&rig.of, made.answered);
	assert_int_equal(fake_got(&rig, "{\"callback_id\":\"cb-001\",\"response\":\"cancel\"}"), 1);
	kernel_rig_close(&rig);
}

static void a_plain_servers_form_is_a_callback(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	char id[64];
	begin_as(&rig, "", "{\"jsonrpc\":\"2.0\",\"id\":\"q1\",\"method\":\"elicitation/create\",\"params\":{\"message\":\"Which?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"colour\":{\"type\":\"string\",\"enum\":[\"red\",\"blue\"]}}}}}");
	call_with(&rig, &made, mgp_asker("ann"), 0, 0);
	rig_until(&rig.of, made.questioned);
	assert_string_equal(made.asked, MGP_CALLBACK);
	assert_non_null(strstr(shown, "\"type\":\"selection\""));
	read_id(id);
	respond(&rig, "ann", id, "\"green\"");
	refused("callback_invalid");
	respond(&rig, "ann", id, "\"blue\"");
	assert_int_equal(heard.code, 0);
	rig_until(&rig.of, fake_got(&rig, "{\"action\":\"accept\",\"content\":{\"colour\":\"blue\"}}") == 1);
	call_cancel(&made.ask, "enough");
	kernel_rig_close(&rig);
}

static void who_knows_both_gets_each_as_it_came(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	begin_as(&rig, "", "{\"jsonrpc\":\"2.0\",\"id\":\"q1\",\"method\":\"elicitation/create\",\"params\":{\"message\":\"Which?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{}}}}");
	call_with(&rig, &made, mgp_asker("ann"), HOSTED_CAN_FORM, 0);
	rig_until(&rig.of, made.questioned);
	assert_string_equal(made.asked, "elicitation/create");
	call_question_answer(made.question, SLICE("{\"action\":\"cancel\"}"));
	rig_until(&rig.of, fake_got(&rig, "{\"action\":\"cancel\"}") == 1);
	call_cancel(&made.ask, "enough");
	kernel_rig_close(&rig);
}

/* ---- People ---- */

static const struct decision *wait_for_decision(struct kernel_rig *rig) {
	rig_until(&rig->of, kernel_rig_open_decision(rig, DECISION_CALLBACK));
	return kernel_rig_open_decision(rig, DECISION_CALLBACK);
}

static enum fault_code answer_as(struct kernel_rig *rig, const char *who, bool approves, const char *words) {
	const struct decision *decision = wait_for_decision(rig);
	const struct inbox_answer answer = {
		.who = slice_of(who),
		.is_admin = true,
		.approves = approves,
		.answer = words ? slice_of(words) : SLICE_NONE,
	};
	struct fault why = {0};
	return inbox_answer(rig->inbox, slice_of(decision->id), &answer, &why) ? FAULT_NONE : why.code;
}

static void who_cannot_be_asked_has_a_person_asked(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	begin(&rig, ASKS(CONFIRM));
	call_with(&rig, &made, plain_asker("ann"), 0, 0);
	const struct decision *decision = wait_for_decision(&rig);
	check_slice(decision->requester, "ann");
	check_slice(decision->server, "fake");
	check_slice(decision->tool, "ask");
	assert_int_equal(made.questioned, 0);
	assert_int_equal(answer_as(&rig, "ann", true, NULL), FAULT_REFUSED); /* its own question */
	assert_int_equal(answer_as(&rig, "root", true, "\"delete\""), FAULT_BAD_INPUT);
	assert_int_equal(answer_as(&rig, "root", true, NULL), FAULT_NONE);
	rig_until(&rig.of, made.answered);
	assert_int_equal(fake_got(&rig, "{\"callback_id\":\"cb-001\",\"response\":\"confirm\"}"), 1);
	rig_until(&rig.of, kernel_rig_audited(&rig, "dev.hustings.callback_answered  SUCCESS root ask"));
	kernel_rig_close(&rig);
}

static void an_input_needs_words_of_the_person(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	begin(&rig, ASKS("\"callback_id\":\"n\",\"type\":\"input\",\"message\":\"Name?\""));
	call_with(&rig, &made, plain_asker("ann"), 0, 0);
	assert_int_equal(answer_as(&rig, "root", true, NULL), FAULT_BAD_INPUT);
	assert_int_equal(answer_as(&rig, "root", true, "\"Ann\""), FAULT_NONE);
	rig_until(&rig.of, made.answered);
	assert_int_equal(fake_got(&rig, "{\"callback_id\":\"n\",\"response\":\"Ann\"}"), 1);
	kernel_rig_close(&rig);
}

static void a_person_may_say_no(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	begin(&rig, ASKS(CONFIRM));
	call_with(&rig, &made, plain_asker("ann"), 0, 0);
	assert_int_equal(answer_as(&rig, "root", false, NULL), FAULT_NONE);
	rig_until(&rig.of, made.answered);
	assert_int_equal(fake_got(&rig, "{\"callback_id\":\"cb-001\",\"response\":\"cancel\"}"), 1);
	kernel_rig_close(&rig);
}

static void a_person_who_is_silent_says_nothing(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	begin(&rig, ASKS(CONFIRM ",\"timeout_ms\":1000"));
	call_with(&rig, &made, plain_asker("ann"), 0, 0);
	(void)wait_for_decision(&rig);
	rig_until(&rig.of, made.answered);
	assert_int_equal(fake_got(&rig, "\"reason\":\"timeout\""), 1);
	rig_until(&rig.of, !kernel_rig_open_decision(&rig, DECISION_CALLBACK));
	kernel_rig_close(&rig);
}

static void the_question_goes_with_its_call(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	begin(&rig, ASKS(CONFIRM));
	call_with(&rig, &made, plain_asker("ann"), 0, 0);
	(void)wait_for_decision(&rig);
	call_cancel(&made.ask, "gone");
	assert_null(kernel_rig_open_decision(&rig, DECISION_CALLBACK));
	kernel_rig_close(&rig);
}

static void where_no_person_can_be_asked_nobody_is(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made[3];
	AUTO_TEXT struct text says = {0};
	size_t open = 0;
	text_init(&says, 0);
	for (int i = 0; i < HOSTED_QUESTIONS; i++)
		text_printf(&says, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/mgp.callback.request\",\"params\":{\"request_id\":$,\"callback_id\":\"c%d\",\"type\":\"input\",\"message\":\"m\"}}\n", i);
	begin(&rig, says.bytes);
	for (int i = 0; i < 2; i++) {
		call_with(&rig, &made[i], plain_asker("ann"), 0, 0);
		open += HOSTED_QUESTIONS;
		rig_until(&rig.of, inbox_open_count(rig.inbox) == open);
	}
	fake_write(&rig, "callback.after", "\"error\":{\"code\":-32000,\"message\":\"nobody\"}");
	fake_write(&rig, "ask.stream", ASKS(CONFIRM)); /* one more than one requester may have open */
	call_with(&rig, &made[2], plain_asker("ann"), 0, 0);
	rig_until(&rig.of, made[2].answered);
	assert_int_equal(fake_got(&rig, "{\"callback_id\":\"cb-001\",\"response\":null,\"reason\":\"unavailable\"}"), 1);
	assert_int_equal(inbox_open_count(rig.inbox), open);
	assert_true(made[2].lacking & HOSTED_CAN_FORM);
	for (int i = 0; i < 2; i++) call_cancel(&made[i].ask, "enough");
	assert_int_equal(inbox_open_count(rig.inbox), 0);
	kernel_rig_close(&rig);
}

static void what_cannot_be_brought_to_the_asker_goes_to_a_person(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	char id[64];
	begin(&rig, ASKS(CONFIRM));
	call_with(&rig, &made, mgp_asker("ann"), 0, 0);
	rig_until(&rig.of, made.questioned);
	read_id(id);
	call_question_refuse(made.question, -32601, SLICE("no events"), SLICE_NONE);
	respond(&rig, "ann", id, "\"confirm\"");
	refused("callback_expired");
	assert_int_equal(answer_as(&rig, "root", true, "\"cancel\""), FAULT_NONE);
	rig_until(&rig.of, made.answered);
	assert_int_equal(fake_got(&rig, "{\"callback_id\":\"cb-001\",\"response\":\"cancel\"}"), 1);
	kernel_rig_close(&rig);
}

/* ---- What wants no answer ---- */

static void what_wants_no_answer_is_told(void **state) {
	(void)state;
	for (int is_mgp = 0; is_mgp < 2; is_mgp++) {
		struct kernel_rig rig;
		struct rig_ask made;
		begin(&rig, ASKS("\"type\":\"notification\",\"message\":\"Half way\""));
		fake_write(&rig, "ask.call", DONE);
		call_with(&rig, &made, is_mgp ? mgp_asker("ann") : plain_asker("ann"), 0, 0);
		rig_until(&rig.of, made.answered);
		assert_int_equal(made.told, 1);
		assert_int_equal(made.questioned, 0);
		if (is_mgp) assert_non_null(strstr(shown, "notifications/mgp.callback.request {\"callback_id\":\"cb-"));
		else assert_string_equal(shown, "notifications/message {\"level\":\"info\",\"data\":\"Half way\"}");
		assert_int_equal(fake_got(&rig, "mgp/callback/respond"), 0);
		kernel_rig_close(&rig);
	}
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);

	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_knows_forms_gets_one),
		cmocka_unit_test(a_call_waits_as_long_as_its_callback),
		cmocka_unit_test(a_form_that_is_declined_is_a_no),
		cmocka_unit_test(a_plain_servers_form_is_a_callback),
		cmocka_unit_test(who_knows_both_gets_each_as_it_came),
		cmocka_unit_test(who_cannot_be_asked_has_a_person_asked),
		cmocka_unit_test(an_input_needs_words_of_the_person),
		cmocka_unit_test(a_person_may_say_no),
		cmocka_unit_test(a_person_who_is_silent_says_nothing),
		cmocka_unit_test(the_question_goes_with_its_call),
		cmocka_unit_test(where_no_person_can_be_asked_nobody_is),
		cmocka_unit_test(what_cannot_be_brought_to_the_asker_goes_to_a_person),
		cmocka_unit_test(what_wants_no_answer_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
