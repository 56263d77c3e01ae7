/* SPDX-License-Identifier: Apache-2.0 */
/* What a server needs, and what of it is granted: at once, by a person, after a restart, until it is revoked. */
#include "kernel_rig.h"

#include "kernel/permissions.h"
#include "store/permission_rows.h"

#define ASKS FAKE_CAN("\"security\"", "\"shell.execute\",\"memory.read\"")

static const char *const granted[] = {"memory.read", NULL};
static struct kernel_rig rig;

static void begin(void) {
	kernel_rig_open(&rig, NULL);
	fake_write(&rig, "capabilities", ASKS);
}

static int tear_down(void **state) {
	(void)state;
	kernel_rig_close(&rig);
	return 0;
}

static enum permission_state state_now(const char *name) {
	return permissions_state(governed_of(rig.of.hosted)->permissions, slice_of(name));
}

static void each_policy_says_its_own(void **state) {
	(void)state;
	static const struct {
		enum permission_policy policy;
		enum permission_state shell, memory;
	} rows[] = {
		{PERMISSION_AUTO_APPROVE, PERMISSION_APPROVED, PERMISSION_APPROVED},
		{PERMISSION_DENY_ALL, PERMISSION_DENIED, PERMISSION_APPROVED},
		{PERMISSION_CONFIG_ONLY, PERMISSION_DENIED, PERMISSION_APPROVED},
	};
	begin();
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		const struct policy policy = {.permissions = rows[i].policy, .permissions_granted = granted};
		fake_run(&rig, &policy);
		assert_int_equal(state_now("shell.execute"), rows[i].shell);
		assert_int_equal(state_now("memory.read"), rows[i].memory);
		assert_null(kernel_rig_open_decision(&rig, DECISION_PERMISSION));
		rig_until(&rig.of, fake_got(&rig, "mgp/permission/response") == i + 1);
		hosted_remove(rig.of.hosted);
	}
	rig_until(&rig.of, kernel_rig_audited(&rig, "PERMISSION_GRANTED  SUCCESS policy"));
	assert_true(kernel_rig_audited(&rig, "PERMISSION_DENIED"));
}

static void who_gets_nothing_is_not_kept(void **state) {
	(void)state;
	const struct policy policy = {.permissions = PERMISSION_DENY_ALL};
	begin();
	fake_start(&rig, &policy);
	rig_until(&rig.of, hosted_state(rig.of.hosted) == HOSTED_ERROR);
	assert_string_equal(hosted_reason(rig.of.hosted), "permissions_denied");
	rig_until(&rig.of, hosted_children(rig.of.hosted) == 0);
}

static void an_unknown_permission_ends_it(void **state) {
	(void)state;
	const struct policy policy = {.permissions = PERMISSION_AUTO_APPROVE};
	kernel_rig_open(&rig, NULL);
	fake_write(&rig, "capabilities", FAKE_CAN("\"security\"", "\"teleport\""));
	fake_start(&rig, &policy);
	rig_until(&rig.of, hosted_state(rig.of.hosted) == HOSTED_ERROR);
	assert_non_null(strstr(hosted_reason(rig.of.hosted), "teleport"));
}

static void too_many_are_refused(void **state) {
	(void)state;
	AUTO_TEXT struct text words = {0};
	const struct policy policy = {.permissions = PERMISSION_AUTO_APPROVE};
	kernel_rig_open(&rig, NULL);
	text_init(&words, 0);
	text_add_cstr(&words, "{\"mgp\":{\"version\":\"0.2.0\",\"extensions\":[\"security\"],\"permissions_required\":[");
	for (int i = 0; i <= 2 * MGP_PERMISSIONS; i++) text_printf(&words, "%s\"com.example.p%d\"", i ? "," : "", i);
	text_add_cstr(&words, "]}}");
	fake_write(&rig, "capabilities", words.bytes);
	fake_start(&rig, &policy);
	rig_until(&rig.of, hosted_state(rig.of.hosted) == HOSTED_ERROR);
	assert_non_null(strstr(hosted_reason(rig.of.hosted), "more than 64"));
}

static void one_decision_lists_all_and_the_server_waits(void **state) {
	(void)state;
	const struct policy policy = {.permissions = PERMISSION_INTERACTIVE};
	begin();
	fake_start(&rig, &policy);
	rig_until(&rig.of, fake_got(&rig, "mgp/permission/request") == 1);
	assert_int_equal(hosted_state(rig.of.hosted), HOSTED_CONNECTING);
	check_slice(kernel_rig_open_decision(&rig, DECISION_PERMISSION)->permissions, "shell.execute\nmemory.read");
	assert_int_equal(fake_got(&rig, "notifications/initialized"), 0);
	kernel_rig_decide(&rig, DECISION_PERMISSION, true, "memory.read");
	rig_until(&rig.of, hosted_state(rig.of.hosted) == HOSTED_CONNECTED);
	assert_int_equal(state_now("shell.execute"), PERMISSION_DENIED);
	assert_int_equal(state_now("memory.read"), PERMISSION_APPROVED);
	rig_until(&rig.of, fake_got(&rig, "\"memory.read\":\"approved\"") == 1);
	assert_int_equal(fake_got(&rig, "\"shell.execute\":\"denied\""), 1);
	rig_until(&rig.of, kernel_rig_audited(&rig, "PERMISSION_GRANTED  SUCCESS root"));
}

static void what_was_decided_is_kept(void **state) {
	(void)state;
	const struct policy policy = {.permissions = PERMISSION_INTERACTIVE};
	begin();
	fake_start(&rig, &policy);
	rig_until(&rig.of, kernel_rig_open_decision(&rig, DECISION_PERMISSION));
	kernel_rig_decide(&rig, DECISION_PERMISSION, true, "memory.read");
	rig_until(&rig.of, hosted_state(rig.of.hosted) == HOSTED_CONNECTED);
	kernel_rig_stop(&rig);
	kernel_rig_start(&rig);
	fake_run(&rig, &policy);
	assert_int_equal(state_now("memory.read"), PERMISSION_APPROVED);
	assert_int_equal(state_now("shell.execute"), PERMISSION_DENIED);
	assert_null(kernel_rig_open_decision(&rig, DECISION_PERMISSION));
}

static void an_open_question_outlives_a_restart(void **state) {
	(void)state;
	const struct policy policy = {.permissions = PERMISSION_INTERACTIVE};
	char id[DECISION_ID];
	begin();
	fake_start(&rig, &policy);
	rig_until(&rig.of, kernel_rig_open_decision(&rig, DECISION_PERMISSION));
	memcpy(id, kernel_rig_open_decision(&rig, DECISION_PERMISSION)->id, sizeof id);
	kernel_rig_stop(&rig);
	kernel_rig_start(&rig);
	fake_start(&rig, &policy);
	rig_until(&rig.of, permissions_decision(governed_of(rig.of.hosted)->permissions));
	assert_string_equal(permissions_decision(governed_of(rig.of.hosted)->permissions), id);
	kernel_rig_decide(&rig, DECISION_PERMISSION, true, NULL);
	rig_until(&rig.of, hosted_state(rig.of.hosted) == HOSTED_CONNECTED);
}

static void nobody_answers_in_time(void **state) {
	(void)state;
	const struct policy policy = {.permissions = PERMISSION_INTERACTIVE, .decision_ttl_ms = 50};
	begin();
	fake_start(&rig, &policy);
	rig_until(&rig.of, hosted_state(rig.of.hosted) == HOSTED_ERROR);
	assert_string_equal(hosted_reason(rig.of.hosted), "permissions_denied");
}

/* Whoever dies while it waits asks again, and the question is the same. */
static void a_process_may_die_while_it_waits(void **state) {
	(void)state;
	const struct policy policy = {.permissions = PERMISSION_INTERACTIVE};
	begin();
	fake_start(&rig, &policy);
	rig_until(&rig.of, fake_got(&rig, "mgp/permission/request") == 1);
	char id[DECISION_ID];
	memcpy(id, kernel_rig_open_decision(&rig, DECISION_PERMISSION)->id, sizeof id);
	rig_until(&rig.of, hosted_process(rig.of.hosted) > 1);
	assert_int_equal(kill(hosted_process(rig.of.hosted), SIGKILL), 0);
	rig_until(&rig.of, fake_got(&rig, "mgp/permission/request") == 2);
	assert_string_equal(kernel_rig_open_decision(&rig, DECISION_PERMISSION)->id, id);
	kernel_rig_decide(&rig, DECISION_PERMISSION, true, NULL);
	rig_until(&rig.of, hosted_state(rig.of.hosted) == HOSTED_CONNECTED);
	assert_int_equal(state_now("shell.execute"), PERMISSION_APPROVED);
}

/* A yes that came while no process was there counts when the next one asks. */
static void a_yes_between_two_processes_counts(void **state) {
	(void)state;
	const struct policy policy = {.permissions = PERMISSION_INTERACTIVE};
	begin();
	fake_start(&rig, &policy);
	rig_until(&rig.of, kernel_rig_open_decision(&rig, DECISION_PERMISSION));
	hosted_remove(rig.of.hosted);
	kernel_rig_decide(&rig, DECISION_PERMISSION, true, NULL);
	fake_run(&rig, &policy);
	assert_int_equal(state_now("shell.execute"), PERMISSION_APPROVED);
	assert_null(kernel_rig_open_decision(&rig, DECISION_PERMISSION));
}

static void revoking_takes_effect_under_every_policy(void **state) {
	(void)state;
	static const enum permission_policy policies[] = {PERMISSION_AUTO_APPROVE, PERMISSION_CONFIG_ONLY, PERMISSION_DENY_ALL};
	for (size_t i = 0; i < COUNT_OF(policies); i++) {
		const struct policy policy = {.permissions = policies[i], .permissions_granted = granted};
		struct fault why = {0};
		if (i) kernel_rig_close(&rig);
		begin();
		fake_run(&rig, &policy);
		struct permissions *permissions = governed_of(rig.of.hosted)->permissions;
		assert_true(permissions_allow(permissions, SLICE("memory.read")));
		assert_true(permissions_revoke(permissions, SLICE("memory.read"), SLICE("root"), &why));
		assert_false(permissions_allow(permissions, SLICE("memory.read")));
		assert_int_equal(state_now("memory.read"), PERMISSION_REVOKED);
		assert_false(permissions_revoke(permissions, SLICE("memory.read"), SLICE("root"), &why));
		assert_int_equal(why.code, FAULT_NOT_FOUND);
		rig_until(&rig.of, kernel_rig_audited(&rig, "PERMISSION_REVOKED  SUCCESS root"));
	}
}

static void an_approval_ends_at_its_time(void **state) {
	(void)state;
	const struct policy policy = {.permissions = PERMISSION_INTERACTIVE};
	const struct permission_row row = {
		.permission = SLICE("memory.read"),
		.state = SLICE("approved"),
		.decided_by = SLICE("root"),
		.decided_at = clock_wall_ms() - 1000,
		.expires_at = clock_wall_ms() - 500,
	};
	struct fault why = {0};
	kernel_rig_open(&rig, NULL);
	fake_write(&rig, "capabilities", FAKE_CAN("\"security\"", "\"memory.read\""));
	assert_true(permission_row_put(rig.state, SLICE("fake"), &row, &why));
	fake_start(&rig, &policy);
	assert_int_equal(state_now("memory.read"), PERMISSION_EXPIRED);
	rig_until(&rig.of, kernel_rig_open_decision(&rig, DECISION_PERMISSION)); /* asked about again */
	assert_int_equal(state_now("memory.read"), PERMISSION_DEFERRED);
}

static void a_running_server_loses_it_then(void **state) {
	(void)state;
	const struct policy policy = {.permissions = PERMISSION_INTERACTIVE};
	const struct permission_row row = {
		.permission = SLICE("memory.read"),
		.state = SLICE("approved"),
		.decided_by = SLICE("root"),
		.decided_at = clock_wall_ms() - 1000,
		.expires_at = clock_wall_ms() + 1500,
	};
	struct fault why = {0};
	kernel_rig_open(&rig, NULL);
	fake_write(&rig, "capabilities", FAKE_CAN("\"security\"", "\"memory.read\""));
	assert_true(permission_row_put(rig.state, SLICE("fake"), &row, &why));
	fake_start(&rig, &policy);
	assert_int_equal(state_now("memory.read"), PERMISSION_APPROVED);
	rig_until(&rig.of, kernel_rig_audited(&rig, "PERMISSION_REVOKED  SUCCESS expiry"));
	assert_int_equal(state_now("memory.read"), PERMISSION_EXPIRED);
}

static void what_a_tool_alone_needs_is_asked_about_when_it_is_wanted(void **state) {
	(void)state;
	const struct policy policy = {.permissions = PERMISSION_INTERACTIVE};
	kernel_rig_open(&rig, NULL);
	fake_write(&rig, "capabilities", FAKE_CAN("\"security\"", ""));
	fake_write(&rig, "tools", "[{\"name\":\"look\",\"inputSchema\":{\"type\":\"object\"},"
				  "\"security\":{\"risk_level\":\"safe\",\"permissions_required\":[\"memory.read\"]}}]");
	fake_start(&rig, &policy);
	rig_until(&rig.of, hosted_state(rig.of.hosted) == HOSTED_CONNECTED); /* nothing waits for it but that tool */
	struct tools *tools = governed_of(rig.of.hosted)->tools[HOSTED_LEGACY];
	rig_until(&rig.of, tools_find(tools, SLICE("look"), NULL) != NULL);
	assert_null(kernel_rig_open_decision(&rig, DECISION_PERMISSION));
	permissions_want(governed_of(rig.of.hosted)->permissions, SLICE("memory.read"));
	permissions_want(governed_of(rig.of.hosted)->permissions, SLICE("memory.read"));
	check_slice(kernel_rig_open_decision(&rig, DECISION_PERMISSION)->permissions, "memory.read");
	assert_int_equal(state_now("memory.read"), PERMISSION_DEFERRED);
	kernel_rig_decide(&rig, DECISION_PERMISSION, true, NULL);
	rig_until(&rig.of, state_now("memory.read") == PERMISSION_APPROVED);
}

#define TEST(name) cmocka_unit_test_teardown(name, tear_down)

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);
	const struct CMUnitTest tests[] = {
		TEST(each_policy_says_its_own),
		TEST(who_gets_nothing_is_not_kept),
		TEST(an_unknown_permission_ends_it),
		TEST(too_many_are_refused),
		TEST(one_decision_lists_all_and_the_server_waits),
		TEST(what_was_decided_is_kept),
		TEST(an_open_question_outlives_a_restart),
		TEST(nobody_answers_in_time),
		TEST(a_process_may_die_while_it_waits),
		TEST(a_yes_between_two_processes_counts),
		TEST(revoking_takes_effect_under_every_policy),
		TEST(an_approval_ends_at_its_time),
		TEST(a_running_server_loses_it_then),
		TEST(what_a_tool_alone_needs_is_asked_about_when_it_is_wanted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
