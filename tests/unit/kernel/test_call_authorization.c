/* SPDX-License-Identifier: Apache-2.0 */
/* The gate `authorization` (ADR-001): which calls wait, for whom, and what their askers hear. */
#include "kernel_rig.h"

#include "kernel/call.h"

#define REQUIRED "\"authorization\":{\"required\":true,\"mode\":\"user_approval\",\"timeout\":60,\"message\":\"affects production\"}"
#define TOOLS \
	"[{\"name\":\"drop\",\"annotations\":{\"readOnlyHint\":true}," REQUIRED ",\"inputSchema\":{\"type\":\"object\"}}," \
	"{\"name\":\"wipe\",\"annotations\":{\"destructiveHint\":true}," REQUIRED ",\"inputSchema\":{\"type\":\"object\"}}," \
	"{\"name\":\"lent\",\"annotations\":{\"destructiveHint\":true},\"authorization\":{\"mode\":\"delegated\"," \
	"\"delegate\":\"its-friend\"},\"inputSchema\":{\"type\":\"object\"}}," \
	"{\"name\":\"odd\",\"annotations\":{\"readOnlyHint\":true},\"authorization\":7,\"inputSchema\":{\"type\":\"object\"}}," \
	"{\"name\":\"read\",\"annotations\":{\"readOnlyHint\":true},\"inputSchema\":{\"type\":\"object\"}}]"
#define DROP "{\"name\":\"drop\",\"arguments\":{\"a\":1}}"

static const struct policy free_policy = {
	.permissions = PERMISSION_AUTO_APPROVE,
	.access = ACCESS_OPT_OUT,
	.approval = APPROVAL_AUTO_APPROVE,
};
static const struct policy asking_policy = {
	.permissions = PERMISSION_AUTO_APPROVE,
	.access = ACCESS_OPT_OUT,
	.approval = APPROVAL_INTERACTIVE,
};

static struct kernel_rig rig;
static struct rig_ask made;

static void begin(const struct policy *policy) {
	kernel_rig_open(&rig, NULL);
	fake_write(&rig, "capabilities", FAKE_CAN("\"security\"", ""));
	fake_write(&rig, "tools", TOOLS);
	fake_run(&rig, policy);
}

static int tear_down(void **state) {
	(void)state;
	kernel_rig_close(&rig);
	return 0;
}

static struct call_asker in_room(const char *principal) {
	return (struct call_asker){
		.principal = slice_of(principal),
		.topic = SLICE("room:a"),
		.session = SLICE("room room:a"),
		.is_in_room = true,
	};
}

/* Starts a call and hands out its question. */
static const struct decision *asked(struct call_asker asker, const char *params) {
	kernel_rig_start_call(&rig, &made, asker, params);
	rig_until(&rig.of, kernel_rig_open_decision(&rig, DECISION_AUTHORIZATION) || made.answered);
	if (made.answered) fail_msg("%s was answered: %s%s", params, made.message, made.result);
	return kernel_rig_open_decision(&rig, DECISION_AUTHORIZATION);
}

static void passes(struct call_asker asker, const char *params) {
	kernel_rig_call(&rig, &made, asker, params);
	if (made.code || !made.result[0]) fail_msg("%s: %lld %s", params, (long long)made.code, made.message);
}

static void a_tool_that_says_so_waits_for_its_room(void **state) {
	(void)state;
	begin(&asking_policy);
	const struct decision *decision = asked(in_room("ann"), DROP);
	check_slice(decision->requester, "ann");
	check_slice(decision->tool, "drop");
	check_slice(decision->topic, "room:a");
	check_slice(decision->message, "affects production");
	check_slice(decision->deciders, "");
	assert_true(decision->expires_at - decision->created_at == 60000);
	assert_true(decision_is_open_to(decision, SLICE("room:a")));
	assert_false(decision_is_open_to(decision, SLICE("room:b")));
	kernel_rig_decide(&rig, DECISION_AUTHORIZATION, true, NULL);
	rig_until(&rig.of, made.answered);
	check_has(&made, "\\\"a\\\":1");
	passes(in_room("ann"), "{\"name\":\"read\",\"arguments\":{}}");
	rig_until(&rig.of, kernel_rig_audited(&rig, "dev.hustings.approval_answered  SUCCESS root drop\n"));
}

static void what_it_says_unreadably_asks(void **state) {
	(void)state;
	begin(&free_policy);
	(void)asked(in_room("ann"), "{\"name\":\"odd\",\"arguments\":{}}");
	call_cancel(&made.ask, "enough");
	assert_null(kernel_rig_open_decision(&rig, DECISION_AUTHORIZATION));
	assert_int_equal(fake_got(&rig, "tools/call"), 0);
}

/* One question for one call, whoever wants it; a tool's own words make no dangerous call easier. */
static void a_dangerous_call_is_asked_about_once_and_of_administrators(void **state) {
	(void)state;
	begin(&asking_policy);
	const struct decision *decision = asked(in_room("ann"), "{\"name\":\"wipe\",\"arguments\":{}}");
	assert_false(decision_is_open_to(decision, SLICE("room:a")));
	check_slice(decision->deciders, "");
	assert_null(kernel_rig_open_decision(&rig, DECISION_CALL));
	kernel_rig_decide(&rig, DECISION_AUTHORIZATION, true, NULL);
	rig_until(&rig.of, made.answered);
	assert_int_equal(made.code, 0);
	assert_null(kernel_rig_open_decision(&rig, DECISION_CALL));
	decision = asked(in_room("ann"), "{\"name\":\"lent\",\"arguments\":{}}");
	check_slice(decision->deciders, "");
	call_cancel(&made.ask, "enough");
}

static void a_delegate_of_the_tools_choice_decides_what_is_harmless(void **state) {
	(void)state;
	begin(&free_policy);
	const struct decision *decision = asked(in_room("ann"), "{\"name\":\"lent\",\"arguments\":{}}");
	check_slice(decision->deciders, "its-friend");
	call_cancel(&made.ask, "enough");
}

static void rules_allow_deny_and_ask(void **state) {
	(void)state;
	static const struct authorization_rule rules[] = {
		{.tool = "read", .caller = "mallory", .action = AUTHORIZATION_DENY},
		{.tool = "d*", .caller = "ann", .action = AUTHORIZATION_ALLOW},
		{.caller = "bob", .action = AUTHORIZATION_ASK},
	};
	static const char *const deciders[] = {"cleo", "dora", NULL};
	struct policy policy = free_policy;
	policy.authorization = (struct authorization_settings){
		.mode = AUTHORIZATION_SELECTIVE,
		.rules = rules,
		.rule_count = COUNT_OF(rules),
		.timeout_ms = 1234,
	};
	policy.authorization_deciders = deciders;
	begin(&policy);
	passes(in_room("ann"), DROP);
	kernel_rig_call(&rig, &made, in_room("mallory"), "{\"name\":\"read\",\"arguments\":{}}");
	assert_int_equal(made.code, -32002);
	assert_non_null(strstr(made.data, "\"type\":\"authorization_denied\""));
	rig_until(&rig.of, kernel_rig_audited(&rig, "TOOL_BLOCKED authorization BLOCKED mallory read\n"));
	const struct decision *decision = asked(in_room("bob"), "{\"name\":\"read\",\"arguments\":{}}");
	check_slice(decision->deciders, "cleo\ndora");
	assert_true(decision->expires_at - decision->created_at == 1234);
	assert_false(decision_is_open_to(decision, SLICE("room:a")));
	rig_until(&rig.of, made.answered);
	assert_non_null(strstr(made.data, "\"type\":\"authorization_timeout\""));
}

static void its_settings_overrule_the_tool(void **state) {
	(void)state;
	struct policy policy = free_policy;
	policy.authorization.mode = AUTHORIZATION_ALWAYS_ALLOW;
	begin(&policy);
	passes(in_room("ann"), DROP);
	hosted_remove(TAKE(rig.of.hosted));
	policy.authorization = (struct authorization_settings){.mode = AUTHORIZATION_DELEGATED, .delegate = "boss"};
	fake_run(&rig, &policy);
	check_slice(asked(in_room("ann"), "{\"name\":\"read\",\"arguments\":{}}")->deciders, "boss");
	call_cancel(&made.ask, "enough");
}

static void each_asker_hears_a_no_in_its_own_words(void **state) {
	(void)state;
	struct call_asker knowing = mgp_asker("ann");
	knowing.has_authorization = true;
	const struct call_asker plain = {.principal = SLICE("ann")};
	const struct {
		struct call_asker asker;
		int64_t code;
		const char *words;
	} rows[] = {
		{in_room("ann"), -32002, "authorization_denied"},
		{knowing, -32002, "authorization_denied"},
		{mgp_asker("ann"), 1000, "authorization_denied"},
		{plain, 0, "authorization_denied"},
	};
	begin(&free_policy);
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		(void)asked(rows[i].asker, DROP);
		kernel_rig_decide(&rig, DECISION_AUTHORIZATION, false, NULL);
		rig_until(&rig.of, made.answered);
		assert_int_equal(made.code, rows[i].code);
		assert_true(strstr(made.data, rows[i].words) || strstr(made.result, rows[i].words));
	}
	assert_int_equal(fake_got(&rig, "tools/call"), 0);
}

/* ---- Told at once ---- */

static unsigned early;
static char early_words[2000];

static bool authorizing(struct hosted_ask *ask, const struct hosted_answer *error, struct slice id, bool is_twice) {
	(void)ask;
	early++;
	assert_int_equal(error->code, -32001);
	assert_false(is_twice);
	assert_int_equal(id.length, DECISION_ID - 1);
	snprintf(early_words, sizeof early_words, "%.*s", SLICE_ARGS(error->data));
	return true;
}

static void who_knows_the_words_is_told_at_once(void **state) {
	(void)state;
	static struct hosted_ask_events events;
	events = rig_ask_events;
	events.authorizing = authorizing;
	begin(&free_policy);
	for (int i = 0; i < 2; i++) {
		char lent[] = DROP;
		struct call_asker asker = in_room("ann");
		struct fault why = {0};
		early = 0;
		asker.has_authorization = i == 1;
		rig_begin(&made, "ann");
		made.ask.events = &events;
		made.ask.method = SLICE("tools/call");
		made.ask.params = slice_of(lent);
		assert_true(call_start(rig.of.hosted, &asker, &made.ask, &why));
		assert_int_equal(early, 0); /* never from inside */
		rig_until(&rig.of, kernel_rig_open_decision(&rig, DECISION_AUTHORIZATION) && (early || made.progressed));
		assert_int_equal(early, i);
		kernel_rig_decide(&rig, DECISION_AUTHORIZATION, true, NULL);
		rig_until(&rig.of, made.answered);
		check_has(&made, "\\\"a\\\":1");
		assert_int_equal(early, i);
	}
	assert_non_null(strstr(early_words, "\"authorizationRequest\":{\"id\":\"d-"));
	assert_non_null(strstr(early_words, "\"arguments\":{\"a\":1},\"requester\":\"ann\",\"reason\":\"affects production\""));
}

/* ---- What stands ---- */

static void an_approval_with_an_end_holds_for_the_same_call_alone(void **state) {
	(void)state;
	struct fault why = {0};
	char id[DECISION_ID];
	begin(&free_policy);
	struct inbox_answer answer = {
		.who = SLICE("bob"),
		.topic = SLICE("room:a"),
		.approves = true,
		.valid_until = clock_wall_ms() + 3600000,
	};
	memcpy(id, asked(in_room("ann"), DROP)->id, DECISION_ID);
	assert_non_null(inbox_answer(rig.inbox, slice_of(id), &answer, &why));
	rig_until(&rig.of, made.answered);
	passes(in_room("ann"), DROP);
	(void)asked(in_room("ann"), "{\"name\":\"drop\",\"arguments\":{\"a\":2}}");
	call_cancel(&made.ask, "enough");
	(void)asked(in_room("eve"), DROP);
	call_cancel(&made.ask, "enough");
	answer.valid_until = 0; /* a no has no end */
	assert_non_null(inbox_revoke(rig.inbox, slice_of(id), &answer, &why));
	(void)asked(in_room("ann"), DROP);
	call_cancel(&made.ask, "enough");
	assert_int_equal(fake_got(&rig, "tools/call"), 2);
}

#define TEST(name) cmocka_unit_test_teardown(name, tear_down)

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);
	const struct CMUnitTest tests[] = {
		TEST(a_tool_that_says_so_waits_for_its_room),
		TEST(what_it_says_unreadably_asks),
		TEST(a_dangerous_call_is_asked_about_once_and_of_administrators),
		TEST(a_delegate_of_the_tools_choice_decides_what_is_harmless),
		TEST(rules_allow_deny_and_ask),
		TEST(its_settings_overrule_the_tool),
		TEST(each_asker_hears_a_no_in_its_own_words),
		TEST(who_knows_the_words_is_told_at_once),
		TEST(an_approval_with_an_end_holds_for_the_same_call_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
