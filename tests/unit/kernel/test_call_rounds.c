/* SPDX-License-Identifier: Apache-2.0 */
/* Rounds of an approved call: a modern server wants more input, and nobody is asked twice about one thing. */
#include "kernel_rig.h"

#include "kernel/call.h"
#include "kernel/call_rounds.h"

#define FIRST(number) "{\"name\":\"ask\",\"arguments\":{\"a\":" number "}}"
#define NEXT(number, state) \
	"{\"name\":\"ask\",\"arguments\":{\"a\":" number "},\"requestState\":" state \
	",\"inputResponses\":{\"who\":{\"action\":\"accept\"}}}"
#define KEPT "\"kept\"" /* what that server answers with */

/* A validator for what is dangerous makes its tools so, which say nothing of themselves. */
static const char *const dangerous[] = {"*=code_safety", NULL};
static const struct policy asking_policy = {
	.validators = dangerous,
	.permissions = PERMISSION_AUTO_APPROVE,
	.access = ACCESS_OPT_OUT,
	.approval = APPROVAL_INTERACTIVE,
};

static struct kernel_rig rig;
static struct rig_ask made;

static int set_up(void **state) {
	const char *const arguments[] = {rig.of.program, "--era", "modern", NULL};
	struct fault why = {0};
	const struct hosted_settings settings = {
		.id = "asks",
		.arguments = arguments,
		.children = 1,
		.stop_ms = 1,
		.policy = &asking_policy,
	};
	(void)state;
	kernel_rig_open(&rig, NULL);
	if (!(rig.of.hosted = hosted_add(rig.of.servers, &settings, &why))) fail_msg("%s", why.text);
	if (!hosted_start(rig.of.hosted, &why)) fail_msg("%s", why.text);
	rig_until(&rig.of, hosted_state(rig.of.hosted) == HOSTED_CONNECTED);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	kernel_rig_close(&rig);
	return 0;
}

static void start(const char *principal, const char *params) {
	const struct call_asker asker = {.principal = slice_of(principal)};
	struct fault why = {0};
	rig_begin(&made, principal);
	made.ask.method = SLICE("tools/call");
	made.ask.params = slice_of(params);
	made.ask.era = HOSTED_MODERN;
	made.ask.takes_input = true;
	if (!call_start(rig.of.hosted, &asker, &made.ask, &why)) fail_msg("%s", why.text);
	rig_until(&rig.of, made.answered || kernel_rig_open_decision(&rig, DECISION_CALL));
}

/* Somebody is asked about it; it is given up. */
static void is_asked_about(const char *principal, const char *params) {
	start(principal, params);
	assert_int_equal(made.answered, 0);
	call_cancel(&made.ask, "enough");
	assert_null(kernel_rig_open_decision(&rig, DECISION_CALL));
}

static void passes(const char *principal, const char *params, const char *result) {
	start(principal, params);
	assert_null(kernel_rig_open_decision(&rig, DECISION_CALL));
	check_has(&made, result);
}

static void approve(const char *principal, const char *params) {
	start(principal, params);
	assert_int_equal(made.answered, 0);
	kernel_rig_decide(&rig, DECISION_CALL, true, NULL);
	rig_until(&rig.of, made.answered);
	check_has(&made, "input_required");
}

static void the_next_round_is_not_asked_about_again(void **state) {
	(void)state;
	approve("ann", FIRST("1"));
	passes("ann", NEXT("1", KEPT), "accept");
}

static void one_approval_is_good_for_one_next_round(void **state) {
	(void)state;
	approve("ann", FIRST("1"));
	passes("ann", NEXT("1", KEPT), "accept");
	is_asked_about("ann", NEXT("1", KEPT));
}

/* Each of them leaves the round to whom it belongs. */
static void somebody_else_or_something_else_is_asked_about(void **state) {
	(void)state;
	is_asked_about("ann", NEXT("1", KEPT)); /* nothing was approved yet */
	approve("ann", FIRST("1"));
	is_asked_about("bob", NEXT("1", KEPT));
	is_asked_about("ann", NEXT("2", KEPT));
	is_asked_about("ann", NEXT("1", "\"made up\""));
	is_asked_about("ann", FIRST("1"));
	is_asked_about("ann", "{\"name\":\"sample\",\"arguments\":{\"a\":1},\"requestState\":\"kept\"}");
	passes("ann", NEXT("1", KEPT), "accept");
}

static void a_further_round_follows_from_the_one_before(void **state) {
	(void)state;
	approve("ann", FIRST("1"));
	/* No answer in it: its server asks once more, and the round after that is this call's too. */
	passes("ann", "{\"name\":\"ask\",\"arguments\":{\"a\":1},\"requestState\":\"kept\"}", "input_required");
	passes("ann", NEXT("1", KEPT), "accept");
	is_asked_about("ann", NEXT("1", KEPT));
}

/* ---- Bounds ---- */

static struct call call_of(const char *params) {
	struct call call = {.governed = governed_of(rig.of.hosted), .hosted = rig.of.hosted};
	call.asker.principal = SLICE("ann");
	call.name = SLICE("ask");
	call.arguments = (struct scan_value){.text = SLICE("{}"), .type = SCAN_OBJECT};
	call.inner.params = slice_of(params);
	return call;
}

static void note(struct call_rounds *rounds, int number) {
	struct call call = call_of("{}");
	char result[100];
	snprintf(result, sizeof result, "{\"resultType\":\"input_required\",\"inputRequests\":{},\"requestState\":\"%d\"}", number);
	call_rounds_mark(&call);
	call_rounds_note(rounds, &call, slice_of(result));
}

static bool take(struct call_rounds *rounds, int number) {
	char params[60];
	snprintf(params, sizeof params, "{\"requestState\":\"%d\"}", number);
	const struct call call = call_of(params);
	return call_rounds_take(rounds, &call);
}

static void the_oldest_gives_way(void **state) {
	struct fault why = {0};
	struct call_rounds *rounds = call_rounds_open(&why);
	(void)state;
	assert_non_null(rounds);
	for (int i = 0; i <= CALL_ROUNDS; i++) note(rounds, i);
	assert_false(take(rounds, 0));
	assert_true(take(rounds, 1));
	assert_true(take(rounds, CALL_ROUNDS));
	note(rounds, 5);
	assert_true(take(rounds, 5));
	assert_false(take(rounds, 5)); /* the same twice is there once */
	call_rounds_close(rounds);
}

static void what_was_not_approved_or_wants_no_more_is_not_noted(void **state) {
	struct fault why = {0};
	struct call_rounds *rounds = call_rounds_open(&why);
	struct call call = call_of("{}");
	(void)state;
	assert_non_null(rounds);
	call_rounds_note(rounds, &call, SLICE("{\"resultType\":\"input_required\",\"inputRequests\":{},\"requestState\":\"7\"}"));
	assert_false(take(rounds, 7));
	call_rounds_mark(&call);
	call_rounds_note(rounds, &call, SLICE("{\"resultType\":\"complete\",\"requestState\":\"7\"}"));
	call_rounds_note(rounds, &call, SLICE("{\"resultType\":\"input_required\",\"inputRequests\":{}}"));
	call_rounds_note(rounds, &call, SLICE_NONE);
	assert_false(take(rounds, 7));
	call_rounds_close(rounds);
	call_rounds_close(NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);
	const struct CMUnitTest tests[] = {
		TEST(the_next_round_is_not_asked_about_again),
		TEST(one_approval_is_good_for_one_next_round),
		TEST(somebody_else_or_something_else_is_asked_about),
		TEST(a_further_round_follows_from_the_one_before),
		TEST(the_oldest_gives_way),
		TEST(what_was_not_approved_or_wants_no_more_is_not_noted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
