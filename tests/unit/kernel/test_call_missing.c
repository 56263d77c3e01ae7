/* SPDX-License-Identifier: Apache-2.0 */
/* A call that lacks parameters: asked, answered, given up, and without memory. */
#include "failing_malloc.h"

#include "kernel/call_missing.h"

#undef CALL_MISSING_MS
#define CALL_MISSING_MS 50
#include "kernel/call_missing.c"

#include "kernel_rig.h"
#include "kernel/call_callback.h"

#define TOOLS \
	"[{\"name\":\"greet\",\"annotations\":{\"readOnlyHint\":true},\"inputSchema\":{\"type\":\"object\",\"required\":[\"name\",\"age\"]," \
	"\"properties\":{\"name\":{\"type\":\"string\"},\"age\":{\"type\":\"integer\",\"minimum\":1},\"note\":{\"type\":\"string\"}}}}]"
#define ACCEPT(content) SLICE("{\"action\":\"accept\",\"content\":{" content "}}")

static const struct policy open_policy = {.access = ACCESS_OPT_OUT, .approval = APPROVAL_AUTO_APPROVE};

static void begin(struct kernel_rig *rig, const struct policy *policy) {
	kernel_rig_open(rig, policy);
	fake_write(rig, "tools", TOOLS);
	fake_run(rig, policy);
}

static struct call_asker plain(void) { return (struct call_asker){.principal = SLICE("ann")}; }

static void start(struct kernel_rig *rig, struct rig_ask *made, const char *params) {
	kernel_rig_start_call(rig, made, plain(), params);
	assert_int_equal(made->questioned, 0); /* never from inside */
}

static void is_asked(struct kernel_rig *rig, struct rig_ask *made, unsigned times) {
	rig_until(&rig->of, made->questioned == times || made->answered);
	assert_int_equal(made->questioned, times);
	assert_int_equal(made->answered, 0);
	assert_string_equal(made->asked, "elicitation/create");
}

static void says_missing(const struct rig_ask *made, const char *missing) {
	if (!strstr(made->result, "\"isError\":true") || !strstr(made->result, "parameters_missing") || !strstr(made->result, missing))
		fail_msg("%s: %s %s", missing, made->result, made->message);
}

static void what_was_answered_becomes_part_of_the_call(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	begin(&rig, &open_policy);
	start(&rig, &made, "{\"name\":\"greet\",\"arguments\":{\"note\":\"n\"},\"_meta\":{\"x.y/z\":1}}");
	is_asked(&rig, &made, 1);
	call_question_answer(made.question, ACCEPT("\"name\":\"Zoe\",\"age\":0"));
	assert_int_equal(made.questioned, 1); /* nothing happens in there */
	is_asked(&rig, &made, 2);
	call_question_answer(made.question, ACCEPT("\"age\":7,\"name\":\"another\",\"more\":1"));
	rig_until(&rig.of, made.answered);
	if (!strstr(made.result, "{\\\"note\\\":\\\"n\\\",\\\"name\\\":\\\"Zoe\\\",\\\"age\\\":7}") || !strstr(made.result, "x.y/z")) fail_msg("%s", made.result);
	rig_until(&rig.of, kernel_rig_audited(&rig, "TOOL_EXECUTED"));
	assert_true(kernel_rig_audited(&rig, "dev.hustings.parameters_asked  PENDING ann greet"));
	assert_true(kernel_rig_audited(&rig, "dev.hustings.parameters_answered  BLOCKED ann greet"));
	assert_true(kernel_rig_audited(&rig, "dev.hustings.parameters_answered  SUCCESS ann greet"));
	kernel_rig_close(&rig);
}

static void an_answer_that_comes_twice_or_late_changes_nothing(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	begin(&rig, &open_policy);
	start(&rig, &made, "{\"name\":\"greet\",\"arguments\":{\"age\":7}}");
	is_asked(&rig, &made, 1);
	struct hosted_question *question = made.question;
	call_question_answer(question, ACCEPT("\"name\":\"Zoe\""));
	call_question_answer(question, ACCEPT("\"name\":\"Bob\""));
	call_question_refuse(question, -32601, SLICE("no"), SLICE_NONE);
	rig_until(&rig.of, made.answered);
	if (!strstr(made.result, "Zoe")) fail_msg("%s", made.result);
	kernel_rig_close(&rig);
}

static void nobody_who_answers_in_time_is_a_no(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	begin(&rig, &open_policy);
	start(&rig, &made, "{\"name\":\"greet\"}");
	is_asked(&rig, &made, 1);
	rig_until(&rig.of, made.answered);
	assert_int_equal(made.withdrawn, 1);
	says_missing(&made, "[\"name\",\"age\"]");
	kernel_rig_close(&rig);
}

static void what_cannot_be_asked_or_is_no_answer_ends_the_call(void **state) {
	(void)state;
	static const char *const answers[] = {"", "{\"action\":\"decline\"}", "{\"action\":\"cancel\"}", "{}", "[]", "7"};
	struct kernel_rig rig;
	struct rig_ask made;
	begin(&rig, &open_policy);
	for (size_t i = 0; i < COUNT_OF(answers); i++) {
		start(&rig, &made, "{\"name\":\"greet\",\"arguments\":{\"age\":7}}");
		is_asked(&rig, &made, 1);
		if (answers[i][0]) call_question_answer(made.question, slice_of(answers[i]));
		else call_question_refuse(made.question, -32601, SLICE("no such method"), SLICE_NONE);
		assert_int_equal(made.answered, 0);
		rig_until(&rig.of, made.answered);
		says_missing(&made, "[\"name\"]");
	}
	kernel_rig_close(&rig);
}

static void a_call_may_end_while_it_waits(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made[3];
	begin(&rig, &open_policy);
	for (size_t i = 0; i < COUNT_OF(made); i++) start(&rig, &made[i], "{\"name\":\"greet\"}");
	call_cancel(&made[0].ask, "not wanted"); /* before anybody was asked */
	is_asked(&rig, &made[1], 1);
	is_asked(&rig, &made[2], 1);
	call_cancel(&made[1].ask, "not wanted");
	hosted_remove(rig.of.hosted);
	rig_until(&rig.of, made[2].answered);
	assert_int_equal(made[0].questioned + made[0].answered + made[1].answered, 0);
	kernel_rig_close(&rig);
}

static void turned_off_it_is_refused_at_once(void **state) {
	(void)state;
	struct policy policy = open_policy;
	struct kernel_rig rig;
	struct rig_ask made;
	policy.is_flowless = true;
	begin(&rig, &policy);
	kernel_rig_call(&rig, &made, plain(), "{\"name\":\"greet\"}");
	assert_int_equal(made.questioned, 0);
	assert_int_equal(made.code, -32602);
	kernel_rig_close(&rig);
}

/* At whatever place it runs out, the call is answered, and the next one is none the worse. */
static void without_memory_the_call_is_answered_all_the_same(void **state) {
	(void)state;
	struct kernel_rig rig;
	struct rig_ask made;
	begin(&rig, &open_policy);
	for (int at = 1; at <= 4; at++) {
		malloc_fails_at(at);
		start(&rig, &made, "{\"name\":\"greet\",\"arguments\":{\"age\":7}}");
		rig_until(&rig.of, made.questioned || made.answered);
		if (made.questioned) call_question_answer(made.question, ACCEPT("\"name\":\"Zoe\""));
		rig_until(&rig.of, made.answered);
		malloc_fails_at(0);
	}
	start(&rig, &made, "{\"name\":\"greet\",\"arguments\":{\"age\":7}}");
	is_asked(&rig, &made, 1);
	call_question_answer(made.question, ACCEPT("\"name\":\"Zoe\""));
	rig_until(&rig.of, made.answered);
	if (!strstr(made.result, "Zoe")) fail_msg("%s", made.result);
	kernel_rig_close(&rig);
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);

	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_answered_becomes_part_of_the_call),
		cmocka_unit_test(an_answer_that_comes_twice_or_late_changes_nothing),
		cmocka_unit_test(nobody_who_answers_in_time_is_a_no),
		cmocka_unit_test(what_cannot_be_asked_or_is_no_answer_ends_the_call),
		cmocka_unit_test(a_call_may_end_while_it_waits),
		cmocka_unit_test(turned_off_it_is_refused_at_once),
		cmocka_unit_test(without_memory_the_call_is_answered_all_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
