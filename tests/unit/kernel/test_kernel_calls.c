/* SPDX-License-Identifier: Apache-2.0 */
/* A call on its way: what each gate refuses and with which code, what holds it, and how it ends. */
#include "kernel_rig.h"

#include "kernel/call.h"

#define TOOLS \
	"[{\"name\":\"read\",\"annotations\":{\"readOnlyHint\":true},\"inputSchema\":{\"type\":\"object\"," \
	"\"properties\":{\"n\":{\"type\":\"integer\"}}}}," \
	"{\"name\":\"other\",\"annotations\":{\"readOnlyHint\":true},\"inputSchema\":{\"type\":\"object\"}}," \
	"{\"name\":\"wipe\",\"annotations\":{\"destructiveHint\":true},\"inputSchema\":{\"type\":\"object\"}}," \
	"{\"name\":\"run\",\"annotations\":{\"readOnlyHint\":true},\"security\":{\"risk_level\":\"dangerous\"," \
	"\"permissions_required\":[\"shell.execute\"],\"validator\":\"sandbox\"},\"inputSchema\":{\"type\":\"object\"}}]"
/* The second and third gate's tools, with another description. */
#define OTHER_TOOLS \
	"[{\"name\":\"wipe\",\"description\":\"another\",\"annotations\":{\"destructiveHint\":true}," \
	"\"inputSchema\":{\"type\":\"object\"}}]"

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
	fake_write(&rig, "capabilities", FAKE_CAN("\"security\",\"lifecycle\"", "\"shell.execute\""));
	fake_write(&rig, "tools", TOOLS);
	fake_run(&rig, policy);
}

static int tear_down(void **state) {
	(void)state;
	kernel_rig_close(&rig);
	return 0;
}

static void refused(const char *params, int64_t code, const char *words) {
	kernel_rig_call(&rig, &made, mgp_asker("ann"), params);
	if (made.code != code) fail_msg("%s: %lld, not %lld: %s%s", params, (long long)made.code, (long long)code, made.message, made.result);
	if (!strstr(made.message, words) && !strstr(made.data, words)) fail_msg("%s: %s", made.message, made.data);
}

static void a_call_passes_with_a_trace_id(void **state) {
	(void)state;
	begin(&free_policy);
	kernel_rig_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"read\",\"arguments\":{\"n\":1},\"trace_id\":\"0af76519-16cd-43dd-8448-eb211c80319c\"}");
	check_has(&made, "\\\"n\\\":1");
	check_has(&made, "\\\"trace_id\\\":\\\"0af76519-16cd-43dd-8448-eb211c80319c\\\"");
	rig_until(&rig.of, kernel_rig_audited(&rig, "TOOL_EXECUTED  SUCCESS ann read\n"));
}

static void each_gate_refuses_with_its_code(void **state) {
	(void)state;
	struct policy policy = free_policy;
	policy.permissions = PERMISSION_CONFIG_ONLY;
	kernel_rig_open(&rig, NULL);
	fake_write(&rig, "capabilities", FAKE_CAN("\"security\"", ""));
	fake_write(&rig, "tools", TOOLS);
	fake_run(&rig, &policy);
	refused("{\"arguments\":{}}", 4000, "params.name");
	refused("{\"name\":7}", 4000, "params.name");
	refused("{\"name\":\"nothing\"}", 4001, "no such tool");
	refused("{\"name\":\"run\",\"arguments\":{}}", 4002, "shell.execute");
	refused("{\"name\":\"read\",\"arguments\":{\"n\":\"one\"}}", 4000, "\"path\"");
	refused("{\"name\":\"read\",\"arguments\":[]}", 4000, "an object is due");
	refused("{\"name\":\"read\",\"arguments\":{\"n\":1,\"n\":2}}", 4000, "twice");
	kernel_rig_grant(&rig, "ann", "read", false);
	refused("{\"name\":\"read\",\"arguments\":{}}", 1001, "no such tool");
	assert_int_equal(fake_got(&rig, "tools/call"), 0);
	rig_until(&rig.of, kernel_rig_audited(&rig, "TOOL_BLOCKED access BLOCKED ann read\n"));
	assert_true(kernel_rig_audited(&rig, "VALIDATION_FAILED arguments BLOCKED ann"));
	assert_true(kernel_rig_audited(&rig, "TOOL_BLOCKED permission BLOCKED ann run\n"));
	assert_true(kernel_rig_audited(&rig, "TOOL_BLOCKED tool BLOCKED ann nothing\n") || kernel_rig_audited(&rig, "TOOL_BLOCKED tool"));
}

static void a_validator_refuses(void **state) {
	(void)state;
	begin(&free_policy);
	refused("{\"name\":\"run\",\"arguments\":{\"command\":\"ls; rm -rf /\"}}", 1010, "sandbox");
	assert_int_equal(fake_got(&rig, "tools/call"), 0);
	rig_until(&rig.of, kernel_rig_audited(&rig, "TOOL_BLOCKED validator BLOCKED ann run\n"));
	assert_true(kernel_rig_audited(&rig, "VALIDATION_FAILED validator BLOCKED ann run\n"));
}

static void a_plain_client_reads_no_word_of_mgp(void **state) {
	(void)state;
	struct call_asker plain = {.principal = SLICE("ann")};
	begin(&free_policy);
	kernel_rig_call(&rig, &made, plain, "{\"name\":\"run\",\"arguments\":{\"command\":\"ls; rm -rf /\"}}");
	assert_int_equal(made.code, 0);
	check_has(&made, "\"isError\":true");
	check_has(&made, "\"error\":\"blocked\"");
	kernel_rig_call(&rig, &made, plain, "{\"name\":\"nothing\"}");
	assert_int_equal(made.code, -32602);
	assert_string_equal(made.data, "");
	fake_write(&rig, "read.call", "\"error\":{\"code\":5000,\"message\":\"far\",\"data\":{\"_mgp\":{\"retryable\":false}}}");
	kernel_rig_call(&rig, &made, plain, "{\"name\":\"read\"}");
	check_has(&made, "\"error\":\"upstream_error\"");
	assert_null(strstr(made.result, "_mgp"));
}

static void without_a_list_nothing_is_let_through(void **state) {
	(void)state;
	kernel_rig_open(&rig, NULL);
	fake_write(&rig, "tools", "error");
	fake_run(&rig, &free_policy);
	refused("{\"name\":\"wipe\",\"arguments\":{}}", 2000, "tools/list: error -32000");
	assert_int_equal(fake_got(&rig, "tools/call"), 0);
	fake_write(&rig, "tools", TOOLS);
	for (uint64_t end = clock_monotonic_ms() + 30000; made.code && clock_monotonic_ms() < end;) /* it is not asked at once again */
		kernel_rig_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"wipe\",\"arguments\":{}}");
	assert_int_equal(made.code, 0);
	assert_int_equal(fake_got(&rig, "tools/call"), 1);
}

static void bounds_have_codes(void **state) {
	(void)state;
	struct policy policy = free_policy;
	policy.has_call_rate = true;
	policy.call_rate = (struct policy_rate){2, 3600000};
	begin(&policy);
	for (int i = 0; i < 2; i++) {
		kernel_rig_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"read\"}");
		assert_int_equal(made.code, 0);
	}
	refused("{\"name\":\"read\"}", 3000, "\"window_secs\":3600");
	kernel_rig_call(&rig, &made, mgp_asker("bob"), "{\"name\":\"read\"}");
	assert_int_equal(made.code, 0);
}

static void calls_under_way_are_counted_until_they_end(void **state) {
	(void)state;
	struct policy policy = free_policy;
	struct rig_ask held;
	policy.max_in_flight = 1;
	begin(&policy);
	fake_write(&rig, "other.call", "silent");
	kernel_rig_start_call(&rig, &held, mgp_asker("ann"), "{\"name\":\"other\"}");
	rig_until(&rig.of, fake_got(&rig, "\"other\"") == 1);
	refused("{\"name\":\"read\"}", 3001, "\"current\":1");
	call_cancel(&held.ask, "enough");
	kernel_rig_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"read\"}");
	assert_int_equal(made.code, 0);
	assert_int_equal(held.answered, 0);
	rig_until(&rig.of, kernel_rig_audited(&rig, "TOOL_EXECUTED  CANCELLED ann other\n"));
}

/* ---- Held for a person ---- */

static void a_dangerous_call_waits_for_a_yes(void **state) {
	(void)state;
	begin(&asking_policy);
	kernel_rig_start_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"wipe\",\"arguments\":{\"a\":1}}");
	rig_until(&rig.of, kernel_rig_open_decision(&rig, DECISION_CALL));
	check_slice(kernel_rig_open_decision(&rig, DECISION_CALL)->tool, "wipe");
	check_slice(kernel_rig_open_decision(&rig, DECISION_CALL)->arguments, "{\"a\":1}");
	assert_int_equal(fake_got(&rig, "tools/call"), 0);
	kernel_rig_decide(&rig, DECISION_CALL, true, NULL);
	rig_until(&rig.of, made.answered);
	check_has(&made, "\\\"a\\\":1");
	assert_int_equal(fake_got(&rig, "tools/call"), 1);
}

static void a_no_is_1000(void **state) {
	(void)state;
	struct call_asker knowing = mgp_asker("ann");
	begin(&asking_policy);
	for (int i = 0; i < 2; i++) {
		knowing.has_authorization = i == 1;
		kernel_rig_start_call(&rig, &made, knowing, "{\"name\":\"wipe\",\"arguments\":{}}");
		rig_until(&rig.of, kernel_rig_open_decision(&rig, DECISION_CALL));
		kernel_rig_decide(&rig, DECISION_CALL, false, NULL);
		rig_until(&rig.of, made.answered);
		assert_int_equal(made.code, i ? -32002 : 1000);
		assert_non_null(strstr(made.data, "\"type\":\"approval_denied\""));
	}
	assert_int_equal(fake_got(&rig, "tools/call"), 0);
}

static void what_nobody_answers_expires(void **state) {
	(void)state;
	struct policy policy = asking_policy;
	policy.decision_ttl_ms = 50;
	begin(&policy);
	refused("{\"name\":\"wipe\",\"arguments\":{}}", 1000, "approval_expired");
	assert_int_equal(fake_got(&rig, "tools/call"), 0);
}

static void a_cancelled_call_takes_its_question_back(void **state) {
	(void)state;
	begin(&asking_policy);
	kernel_rig_start_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"wipe\",\"arguments\":{}}");
	rig_until(&rig.of, kernel_rig_open_decision(&rig, DECISION_CALL));
	call_cancel(&made.ask, "enough");
	rig_until(&rig.of, !kernel_rig_open_decision(&rig, DECISION_CALL));
	assert_int_equal(made.answered, 0);
	assert_int_equal(fake_got(&rig, "tools/call"), 0);
}

static void a_held_call_ends_with_its_server(void **state) {
	(void)state;
	begin(&asking_policy);
	kernel_rig_start_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"wipe\",\"arguments\":{}}");
	rig_until(&rig.of, kernel_rig_open_decision(&rig, DECISION_CALL));
	hosted_remove(TAKE(rig.of.hosted));
	assert_int_equal(made.answered, 1);
	assert_int_equal(made.code, 2000);
	assert_null(kernel_rig_open_decision(&rig, DECISION_CALL));
}

/* What was approved of is what is called: a definition that changes meanwhile is not it. */
static void a_definition_that_changes_while_it_waits_is_not_called(void **state) {
	(void)state;
	struct rig_ask bob;
	begin(&asking_policy);
	kernel_rig_start_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"wipe\",\"arguments\":{}}");
	rig_until(&rig.of, kernel_rig_open_decision(&rig, DECISION_CALL));
	fake_write(&rig, "tools", OTHER_TOOLS);
	fake_write(&rig, "say", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
	kernel_rig_call(&rig, &bob, mgp_asker("bob"), "{\"name\":\"read\"}");
	struct tools *tools = governed_of(rig.of.hosted)->tools[HOSTED_LEGACY];
	rig_until(&rig.of, tools_at(tools, 0) && kernel_rig_open_decision(&rig, DECISION_QUARANTINE));
	kernel_rig_decide(&rig, DECISION_CALL, true, NULL);
	rig_until(&rig.of, made.answered);
	assert_int_equal(made.code, 4002);
	assert_int_equal(fake_got(&rig, "\"wipe\""), 0);
}

static void a_grant_that_is_revoked_while_it_waits_counts(void **state) {
	(void)state;
	begin(&asking_policy);
	kernel_rig_start_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"wipe\",\"arguments\":{}}");
	rig_until(&rig.of, kernel_rig_open_decision(&rig, DECISION_CALL));
	kernel_rig_grant(&rig, "ann", NULL, false);
	kernel_rig_decide(&rig, DECISION_CALL, true, NULL);
	rig_until(&rig.of, made.answered);
	assert_int_equal(made.code, 1001);
	assert_int_equal(fake_got(&rig, "tools/call"), 0);
}

/* ---- Once more ---- */

#define AGAIN(retries, more) \
	"\"error\":{\"code\":5000,\"message\":\"far\",\"data\":{\"_mgp\":{\"retryable\":true,\"retry_after_ms\":1," \
	"\"retry_strategy\":\"immediate\",\"max_retries\":" retries more "}}}"

static void what_only_reads_is_asked_again(void **state) {
	(void)state;
	begin(&free_policy);
	fake_write(&rig, "read.call", AGAIN("2", ""));
	refused("{\"name\":\"read\"}", 5000, "far");
	assert_int_equal(fake_got(&rig, "tools/call"), 3);
	fake_write(&rig, "read.call", AGAIN("1000", ""));
	refused("{\"name\":\"read\"}", 5000, "far");
	assert_int_equal(fake_got(&rig, "tools/call"), 3 + 6);
	fake_write(&rig, "wipe.call", AGAIN("2", ""));
	refused("{\"name\":\"wipe\"}", 5000, "far");
	assert_int_equal(fake_got(&rig, "\"wipe\""), 1);
}

static void another_tool_is_asked_when_tries_are_used_up(void **state) {
	(void)state;
	begin(&free_policy);
	fake_write(&rig, "read.call", AGAIN("1", ",\"fallback_tool\":\"other\""));
	kernel_rig_call(&rig, &made, mgp_asker("ann"), "{\"name\":\"read\",\"arguments\":{\"n\":3}}");
	assert_int_equal(made.code, 0);
	check_has(&made, "\\\"name\\\":\\\"other\\\"");
	check_has(&made, "\\\"n\\\":3");
	fake_write(&rig, "read.call", AGAIN("0", ",\"fallback_tool\":\"run\""));
	kernel_rig_grant(&rig, "ann", "run", false);
	refused("{\"name\":\"read\"}", 1001, "no such tool");
	assert_int_equal(fake_got(&rig, "\"run\""), 0);
}

static void what_is_no_tool_passes_its_own_gates(void **state) {
	(void)state;
	struct fault why = {0};
	struct call_asker ann = mgp_asker("ann");
	begin(&free_policy);
	rig_begin(&made, "ann");
	ann.principal = made.ask.principal;
	made.ask.method = SLICE("prompts/get");
	made.ask.params = SLICE("{\"name\":\"x\"}");
	assert_true(call_start(rig.of.hosted, &ann, &made.ask, &why));
	rig_until(&rig.of, made.answered);
	assert_int_equal(made.code, -32601); /* the server's own */
	kernel_rig_grant(&rig, "ann", NULL, false);
	rig_begin(&made, "ann");
	made.ask.method = SLICE("prompts/get");
	assert_true(call_start(rig.of.hosted, &ann, &made.ask, &why));
	rig_until(&rig.of, made.answered);
	assert_int_equal(made.code, 1001);
	assert_int_equal(fake_got(&rig, "prompts/get"), 1);
}

static void a_stopped_server_says_so(void **state) {
	(void)state;
	begin(&free_policy);
	assert_true(hosted_stop(rig.of.hosted, 0, NULL));
	rig_until(&rig.of, hosted_state(rig.of.hosted) == HOSTED_DISCONNECTED);
	refused("{\"name\":\"read\"}", 2000, "disconnected");
}

#define TEST(name) cmocka_unit_test_teardown(name, tear_down)

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);
	const struct CMUnitTest tests[] = {
		TEST(a_call_passes_with_a_trace_id),
		TEST(each_gate_refuses_with_its_code),
		TEST(a_validator_refuses),
		TEST(a_plain_client_reads_no_word_of_mgp),
		TEST(without_a_list_nothing_is_let_through),
		TEST(bounds_have_codes),
		TEST(calls_under_way_are_counted_until_they_end),
		TEST(a_dangerous_call_waits_for_a_yes),
		TEST(a_no_is_1000),
		TEST(what_nobody_answers_expires),
		TEST(a_cancelled_call_takes_its_question_back),
		TEST(a_held_call_ends_with_its_server),
		TEST(a_definition_that_changes_while_it_waits_is_not_called),
		TEST(a_grant_that_is_revoked_while_it_waits_counts),
		TEST(what_only_reads_is_asked_again),
		TEST(another_tool_is_asked_when_tries_are_used_up),
		TEST(what_is_no_tool_passes_its_own_gates),
		TEST(a_stopped_server_says_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
