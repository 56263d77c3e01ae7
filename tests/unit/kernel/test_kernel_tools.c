/* SPDX-License-Identifier: Apache-2.0 */
/* A server's tools as the kernel keeps them: pinned, quarantined, released; and how the server is kept alive. */
#include "kernel_rig.h"

#include "kernel/health.h"
#include "kernel/tools.h"
#include "store/pin_rows.h"

#define ONE(words) "[{\"name\":\"one\",\"description\":\"" words "\",\"inputSchema\":{\"type\":\"object\"}}]"

static const struct policy free_policy = {
	.permissions = PERMISSION_AUTO_APPROVE,
	.access = ACCESS_OPT_OUT,
	.approval = APPROVAL_AUTO_APPROVE,
	.health_interval_ms = 20,
};

static struct kernel_rig rig;
static struct rig_ask made;

static void begin(const char *tools) {
	kernel_rig_open(&rig, NULL);
	fake_write(&rig, "capabilities", FAKE_CAN("\"security\",\"lifecycle\"", ""));
	fake_write(&rig, "tools", tools);
	fake_run(&rig, &free_policy);
}

static int tear_down(void **state) {
	(void)state;
	kernel_rig_close(&rig);
	return 0;
}

static const struct tool *tool_now(const char *name) {
	return tools_find(governed_of(rig.of.hosted)->tools[HOSTED_LEGACY], slice_of(name), NULL);
}

/* The server has these tools from now on, and says so. */
static void change(const char *tools) {
	fake_write(&rig, "tools", tools);
	fake_write(&rig, "say", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
	kernel_rig_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"one\",\"arguments\":{}}");
	assert_int_equal(made.code, 0);
}

static void a_change_is_quarantined_until_it_is_approved(void **state) {
	(void)state;
	begin(ONE("first"));
	rig_until(&rig.of, tool_now("one"));
	assert_false(tool_now("one")->is_quarantined);
	change(ONE("second"));
	rig_until(&rig.of, tool_now("one") && tool_now("one")->is_quarantined);
	const struct decision *decision = kernel_rig_open_decision(&rig, DECISION_QUARANTINE);
	assert_non_null(decision);
	assert_non_null(memmem(decision->arguments.bytes, decision->arguments.length, "first", 5));
	assert_non_null(memmem(decision->arguments.bytes, decision->arguments.length, "second", 6));
	kernel_rig_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"one\",\"arguments\":{}}");
	assert_int_equal(made.code, 4002);
	assert_non_null(strstr(made.data, "\"type\":\"tool_quarantined\""));
	kernel_rig_decide(&rig, DECISION_QUARANTINE, true, NULL);
	rig_until(&rig.of, !tool_now("one")->is_quarantined);
	kernel_rig_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"one\",\"arguments\":{}}");
	assert_int_equal(made.code, 0);
	rig_until(&rig.of, kernel_rig_audited(&rig, "dev.hustings.tool_quarantined  RELEASED root one\n"));
	assert_true(kernel_rig_audited(&rig, "dev.hustings.tool_quarantined  BLOCKED  one\n"));
}

static void a_no_keeps_it_out(void **state) {
	(void)state;
	begin(ONE("first"));
	rig_until(&rig.of, tool_now("one"));
	change(ONE("second"));
	rig_until(&rig.of, tool_now("one") && tool_now("one")->is_quarantined);
	kernel_rig_decide(&rig, DECISION_QUARANTINE, false, NULL);
	rig_until(&rig.of, strstr(tool_now("one")->disabled, "denied"));
	kernel_rig_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"one\",\"arguments\":{}}");
	assert_int_equal(made.code, 4002);
}

static void who_goes_back_withdraws_the_question(void **state) {
	(void)state;
	begin("[{\"name\":\"one\",\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"two\"}]");
	rig_until(&rig.of, tool_now("one"));
	change("[{\"name\":\"one\",\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"two\",\"title\":\"other\"}]");
	rig_until(&rig.of, tool_now("two") && tool_now("two")->is_quarantined);
	assert_non_null(kernel_rig_open_decision(&rig, DECISION_QUARANTINE));
	change("[{\"name\":\"one\",\"inputSchema\":{ \"type\":\"object\"}},{ \"name\":\"two\" }]"); /* white space is none of it */
	rig_until(&rig.of, tool_now("two") && !tool_now("two")->is_quarantined);
	assert_null(kernel_rig_open_decision(&rig, DECISION_QUARANTINE));
}

static void pins_outlive_a_restart(void **state) {
	(void)state;
	begin(ONE("first"));
	rig_until(&rig.of, tool_now("one"));
	kernel_rig_stop(&rig);
	fake_write(&rig, "tools", ONE("second"));
	kernel_rig_start(&rig);
	fake_run(&rig, &free_policy);
	rig_until(&rig.of, tool_now("one"));
	assert_true(tool_now("one")->is_quarantined);
}

static void reserved_and_long_names_are_no_tools(void **state) {
	(void)state;
	AUTO_TEXT struct text list = {0};
	text_init(&list, 0);
	text_add_cstr(&list, "[{\"name\":\"mgp.x\"},{\"name\":\"system\"},{\"name\":\"system.halt\"},{\"name\":\"systematic\"},{\"name\":\"");
	for (int i = 0; i <= TOOLS_NAME; i++) text_add_char(&list, 'n');
	text_add_cstr(&list, "\"},{\"name\":\"last\"}]");
	begin(list.bytes);
	rig_until(&rig.of, tool_now("last"));
	struct tools *tools = governed_of(rig.of.hosted)->tools[HOSTED_LEGACY];
	check_slice(tools_at(tools, 0)->name, "systematic");
	check_slice(tools_at(tools, 1)->name, "last");
	assert_null(tools_at(tools, 2));
}

static void a_definition_that_cannot_be_read_is_disabled(void **state) {
	(void)state;
	begin("[{\"name\":\"one\",\"security\":{\"risk_level\":\"divine\"}}]");
	rig_until(&rig.of, tool_now("one"));
	assert_non_null(tool_now("one")->disabled);
	kernel_rig_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"one\",\"arguments\":{}}");
	assert_int_equal(made.code, 4002);
	assert_non_null(strstr(made.message, "risk_level"));
	AUTO_TEXT struct text shown = {0};
	text_init(&shown, 0);
	tools_write(&shown, tool_now("one"), SLICE("fake__one"), true);
	check_text(&shown, "{\"name\":\"fake__one\",\"security\":{\"risk_level\":\"dangerous\"}}");
	text_clear(&shown);
	tools_write(&shown, tool_now("one"), SLICE_NONE, false);
	check_text(&shown, "{\"name\":\"one\"}");
}

/* ---- Health ---- */

static void health_is_what_it_says(void **state) {
	(void)state;
	begin("[]");
	rig_until(&rig.of, fake_got(&rig, "mgp/health/ping") > 0);
	fake_write(&rig, "health", "{\"status\":\"degraded\"}");
	rig_until(&rig.of, hosted_health(rig.of.hosted) == HOSTED_DEGRADED);
	assert_int_equal(hosted_state(rig.of.hosted), HOSTED_CONNECTED);
	fake_write(&rig, "health", "{\"status\":\"healthy\"}");
	rig_until(&rig.of, hosted_health(rig.of.hosted) == HOSTED_HEALTHY);
	assert_int_equal(hosted_restarts(rig.of.hosted), 0);
}

static void three_times_unhealthy_is_a_restart(void **state) {
	(void)state;
	begin("[]");
	fake_write(&rig, "health", "{\"status\":\"unhealthy\"}");
	rig_until(&rig.of, hosted_health(rig.of.hosted) == HOSTED_UNHEALTHY);
	rig_until(&rig.of, hosted_restarts(rig.of.hosted) > 0);
	fake_write(&rig, "health", "{\"status\":\"healthy\"}");
	rig_until(&rig.of, hosted_state(rig.of.hosted) == HOSTED_CONNECTED && hosted_health(rig.of.hosted) == HOSTED_HEALTHY);
}

static void a_stopped_server_hears_why(void **state) {
	(void)state;
	begin("[]");
	health_set_reason(governed_of(rig.of.hosted)->health, "configuration_change");
	assert_true(hosted_stop(rig.of.hosted, 30000, NULL));
	rig_until(&rig.of, hosted_state(rig.of.hosted) == HOSTED_DISCONNECTED);
	assert_int_equal(fake_got(&rig, "mgp/lifecycle/shutdown"), 1);
	assert_int_equal(fake_got(&rig, "\"reason\":\"configuration_change\""), 1);
}

static void who_never_says_good_bye_ends_all_the_same(void **state) {
	(void)state;
	static const char *const answers[] = {"silent", "{\"accepted\":true,\"estimated_drain_ms\":9000000000000000000}"};
	for (size_t i = 0; i < COUNT_OF(answers); i++) {
		if (i) kernel_rig_close(&rig);
		begin("[]");
		fake_write(&rig, "shutdown", answers[i]);
		assert_true(hosted_stop(rig.of.hosted, 200, NULL));
		rig_until(&rig.of, hosted_state(rig.of.hosted) == HOSTED_DISCONNECTED);
		assert_int_equal(fake_got(&rig, "mgp/lifecycle/shutdown"), 1);
	}
}

#define TEST(name) cmocka_unit_test_teardown(name, tear_down)

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);
	const struct CMUnitTest tests[] = {
		TEST(a_change_is_quarantined_until_it_is_approved),
		TEST(a_no_keeps_it_out),
		TEST(who_goes_back_withdraws_the_question),
		TEST(pins_outlive_a_restart),
		TEST(reserved_and_long_names_are_no_tools),
		TEST(a_definition_that_cannot_be_read_is_disabled),
		TEST(health_is_what_it_says),
		TEST(three_times_unhealthy_is_a_restart),
		TEST(a_stopped_server_hears_why),
		TEST(who_never_says_good_bye_ends_all_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
