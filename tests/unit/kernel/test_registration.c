/* SPDX-License-Identifier: Apache-2.0 */
/* Servers that callers bring along: who may say what, whom it waits for, and what a restart leaves of it. */
#include "kernel_rig.h"

#include "kernel/mgp_method.h"
#include "kernel/mgp_registration.h"

static struct kernel_rig rig;
static char allowed[500];
static const char *const allow[] = {allowed, NULL};
static struct {
	unsigned answered;
	int64_t code;
	char result[600], message[300];
} got;

static void open_registry(void) {
	struct fault why = {0};
	if (!(rig.registry = registry_open(rig.of.servers, rig.state, NULL, &why))) fail_msg("%s", why.text);
	kernel_use_registry(rig.kernel, rig.registry);
}

static int set_up(void **state) {
	(void)state;
	kernel_rig_open(&rig, NULL);
	kernel_rig_stop(&rig);
	snprintf(allowed, sizeof allowed, "/bin/cat\x1f-u");
	rig.register_allow = allow;
	kernel_rig_start(&rig);
	open_registry();
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	kernel_rig_close(&rig);
	return 0;
}

static void answered(struct mgp_ask *ask, const struct hosted_answer *answer) {
	(void)ask;
	got.answered++;
	got.code = answer->code;
	snprintf(got.result, sizeof got.result, "%.*s", SLICE_ARGS(answer->result));
	snprintf(got.message, sizeof got.message, "%.*s", SLICE_ARGS(answer->message));
}

static void ask(const char *method, const char *who, bool is_admin, const char *params) {
	struct arena arena;
	arena_init(&arena, NULL, 0, 0);
	struct mgp_ask ask = {
		.means = kernel_means(rig.kernel),
		.asker = {.principal = slice_of(who), .is_admin = is_admin, .mgp = SPEAKS_MGP},
		.params = {.text = slice_of(params), .type = SCAN_OBJECT},
		.arena = &arena,
		.answered = answered,
	};
	memset(&got, 0, sizeof got);
	mgp_method_ask(&ask, slice_of(method));
	assert_int_equal(got.answered, 1);
	arena_finish(&arena);
}

static void registered(const char *who, const char *params) { ask("mgp/discovery/register", who, false, params); }

static void what_is_not_allowed_waits_for_a_person(void **state) {
	(void)state;
	registered("bot", "{\"id\":\"mine\",\"command\":\"/bin/cat\",\"justification\":\"I need it\"}");
	assert_non_null(strstr(got.result, "\"status\":\"pending\""));
	assert_null(hosted_find(rig.of.servers, SLICE("mine")));
	const struct decision *decision = kernel_rig_open_decision(&rig, DECISION_REGISTRATION);
	assert_non_null(memmem(decision->arguments.bytes, decision->arguments.length, "\"trust_level\":\"sandboxed\"", 25));
	kernel_rig_decide(&rig, DECISION_REGISTRATION, true, NULL);
	rig_until(&rig.of, hosted_find(rig.of.servers, SLICE("mine")));
	const struct hosted *hosted = hosted_find(rig.of.servers, SLICE("mine"));
	assert_string_equal(hosted_settings(hosted)->created_by, "bot");
	assert_int_equal(governed_of(hosted)->policy.trust, MGP_SANDBOXED);
	assert_true(access_ask(kernel_means(rig.kernel)->access, SLICE("bot"), SLICE("mine"), SLICE("x"), ACCESS_OPT_IN).is_allowed);
}

static void a_no_adds_nothing(void **state) {
	(void)state;
	registered("bot", "{\"id\":\"mine\",\"command\":\"/bin/cat\"}");
	kernel_rig_decide(&rig, DECISION_REGISTRATION, false, NULL);
	rig_until(&rig.of, kernel_rig_audited(&rig, "dev.hustings.server_registered  BLOCKED bot"));
	assert_null(hosted_find(rig.of.servers, SLICE("mine")));
}

static void the_very_command_needs_no_question(void **state) {
	(void)state;
	static const char *const others[] = {"{\"id\":\"mine\",\"command\":\"/bin/cat\"}",
		"{\"id\":\"mine\",\"command\":\"/bin/cat\",\"args\":[\"-u\",\"x\"]}", "{\"id\":\"mine\",\"command\":\"/bin/cat\",\"args\":[\"-un\"]}",
		"{\"id\":\"mine\",\"command\":\"/bin/cat\",\"args\":[\"-u\"],\"cwd\":\"/\"}"};
	for (size_t i = 0; i < COUNT_OF(others); i++) {
		registered("bot", others[i]);
		if (!strstr(got.result, "pending")) fail_msg("%s: %s%s", others[i], got.result, got.message);
		kernel_rig_decide(&rig, DECISION_REGISTRATION, false, NULL);
	}
	registered("bot", "{\"id\":\"mine\",\"command\":\"/bin/cat\",\"args\":[\"-u\"]}");
	assert_non_null(strstr(got.result, "\"status\":\"registered\""));
	assert_non_null(strstr(got.result, "\"trust_level\":\"sandboxed\""));
	registered("eve", "{\"id\":\"mine\",\"command\":\"/bin/cat\",\"args\":[\"-u\"]}");
	assert_int_equal(got.code, -32602);
}

static void an_agent_says_nothing_of_how_it_is_governed(void **state) {
	(void)state;
	static const char *const rows[][2] = {{"\"env\":{\"A\":\"b\"}", "env"}, {"\"rooms\":[\"x\"]", "rooms"}, {"\"share\":\"all\"", "share"},
		{"\"mgp\":{\"policy\":\"auto_approve\"}", "mgp.policy"}, {"\"mgp\":{\"approval\":\"auto_approve\"}", "mgp.approval"},
		{"\"mgp\":{\"permissions_granted\":[\"camera\"]}", "permissions_granted"}, {"\"mgp\":{\"default_policy\":\"opt-out\"}", "default_policy"},
		{"\"mgp\":{\"validators\":{\"*\":\"none\"}}", "validators"}, {"\"mgp\":{\"call_rate\":\"off\"}", "call_rate"},
		{"\"mgp\":{\"quota\":\"off\"}", "quota"}, {"\"mgp\":{\"max_in_flight\":100000}", "max_in_flight"},
		{"\"mgp\":{\"p\\u006flicy\":\"auto_approve\"}", "mgp.policy"}};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		char params[300];
		snprintf(params, sizeof params, "{\"id\":\"mine\",\"command\":\"/bin/cat\",\"args\":[\"-u\"],%s}", rows[i][0]);
		registered("bot", params);
		assert_int_equal(got.code, -32602);
		if (!strstr(got.message, rows[i][1])) fail_msg("%s: %s", rows[i][0], got.message);
	}
	registered("bot", "{\"id\":\"mine\",\"command\":\"/bin/cat\",\"args\":[\"-u\"],\"created_by\":\"root\",\"mgp\":{\"trust_level\":\"trusted\"}}");
	assert_non_null(strstr(got.result, "\"trust_level\":\"sandboxed\""));
	assert_string_equal(hosted_settings(hosted_find(rig.of.servers, SLICE("mine")))->created_by, "bot");
}

static void a_pending_one_outlives_a_restart(void **state) {
	(void)state;
	struct fault why = {0};
	registered("bot", "{\"id\":\"mine\",\"command\":\"/bin/cat\"}");
	kernel_rig_stop(&rig);
	kernel_rig_start(&rig);
	open_registry();
	assert_non_null(kernel_rig_open_decision(&rig, DECISION_REGISTRATION));
	assert_true(mgp_registration_restore(kernel_means(rig.kernel), &why));
	assert_int_equal(inbox_open_count(rig.inbox), 1);
	kernel_rig_decide(&rig, DECISION_REGISTRATION, true, NULL);
	rig_until(&rig.of, hosted_find(rig.of.servers, SLICE("mine")));
	kernel_rig_stop(&rig);
	kernel_rig_start(&rig);
	open_registry();
	assert_string_equal(hosted_settings(hosted_find(rig.of.servers, SLICE("mine")))->created_by, "bot");
}

static void only_its_own_may_be_taken_away(void **state) {
	(void)state;
	registered("bot", "{\"id\":\"mine\",\"command\":\"/bin/cat\",\"args\":[\"-u\"]}");
	ask("mgp/discovery/deregister", "eve", false, "{\"id\":\"mine\"}");
	assert_int_equal(got.code, 1001);
	ask("mgp/discovery/deregister", "eve", false, "{\"id\":\"nothing\"}");
	assert_int_equal(got.code, 1001);
	ask("mgp/discovery/deregister", "bot", false, "{\"id\":\"mine\",\"reason\":\"over\"}");
	assert_int_equal(got.code, 0);
	assert_null(hosted_find(rig.of.servers, SLICE("mine")));
	assert_false(access_ask(kernel_means(rig.kernel)->access, SLICE("bot"), SLICE("mine"), SLICE_NONE, ACCESS_OPT_IN).is_allowed);
	ask("mgp/nothing", "bot", false, "{}");
	assert_int_equal(got.code, -32601);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);
	const struct CMUnitTest tests[] = {
		TEST(what_is_not_allowed_waits_for_a_person),
		TEST(a_no_adds_nothing),
		TEST(the_very_command_needs_no_question),
		TEST(an_agent_says_nothing_of_how_it_is_governed),
		TEST(a_pending_one_outlives_a_restart),
		TEST(only_its_own_may_be_taken_away),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
