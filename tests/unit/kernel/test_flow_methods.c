/* SPDX-License-Identifier: Apache-2.0 */
/* Guided sessions as a client leads them: each method, each refusal, the tool's call, tokens, a restart. */
#include "kernel_rig.h"

#include "kernel/flows.h"
#include "kernel/mgp_method.h"

#define TOOLS \
	"[{\"name\":\"book\",\"annotations\":{\"readOnlyHint\":true},\"inputSchema\":{\"type\":\"object\",\"properties\":{" \
	"\"to\":{\"type\":\"string\"},\"seats\":{\"type\":\"integer\",\"minimum\":1}},\"required\":[\"to\",\"seats\"]}}," \
	"{\"name\":\"free\",\"annotations\":{\"readOnlyHint\":true},\"inputSchema\":{\"type\":\"object\"}}," \
	"{\"name\":\"slow\",\"annotations\":{\"readOnlyHint\":true},\"inputSchema\":{\"type\":\"object\"}}]"

static const struct policy free_policy = {
	.permissions = PERMISSION_AUTO_APPROVE,
	.access = ACCESS_OPT_OUT,
	.approval = APPROVAL_AUTO_APPROVE,
};
static const struct flow_settings standard = {
	.is_enabled = true,
	.timeout_ms = 300000,
	.duration_ms = 3600000,
	.prompts = 5,
	.most_of_one = 3,
};

static struct kernel_rig rig;
static struct {
	unsigned answered;
	int64_t code;
	char result[9000], message[300], data[300];
} got;
static char session[6000];
static struct flow_listener listener;
static char pushed[4000];

static void told(struct flow_listener *of, const struct flow_push *push) {
	(void)of;
	check_slice(push->principal, "ann");
	check_slice(push->server, "fake");
	snprintf(pushed, sizeof pushed, "%s%s %.*s", push->id ? "" : "! ", push->method, SLICE_ARGS(push->params));
}

static void listen_to(void) {
	listener.told = told;
	pushed[0] = '\0';
	flows_listen(kernel_means(rig.kernel)->flows, &listener);
}

static int set_up(void **state) {
	(void)state;
	kernel_rig_open(&rig, NULL);
	rig.flow = standard;
	kernel_change_flow(rig.kernel, &standard);
	fake_write(&rig, "tools", TOOLS);
	fake_run(&rig, &free_policy);
	listen_to();
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
	snprintf(got.data, sizeof got.data, "%.*s", SLICE_ARGS(answer->data));
}

/* What it was lent is gone when it returns. */
static void ask(const char *who, const char *method, const char *format, ...) PRINTF_LIKE(3, 4);
static void ask(const char *who, const char *method, const char *format, ...) {
	char lent[8000];
	struct arena arena;
	va_list values;
	va_start(values, format);
	vsnprintf(lent, sizeof lent, format, values);
	va_end(values);
	arena_init(&arena, NULL, 0, 0);
	struct mgp_ask one = {
		.means = kernel_means(rig.kernel),
		.asker = {.principal = slice_of(who)},
		.hosted = rig.of.hosted,
		.params = {.text = slice_of(lent), .type = SCAN_OBJECT},
		.arena = &arena,
		.answered = answered,
	};
	memset(&got, 0, sizeof got);
	mgp_method_ask(&one, slice_of(method));
	memset(lent, '?', sizeof lent);
	arena_finish(&arena);
	rig_until(&rig.of, got.answered);
	assert_int_equal(got.answered, 1);
}

static void has(const char *text, const char *words) {
	if (!strstr(text, words)) fail_msg("no %s in: %s", words, text);
}

static void refused(int64_t code, const char *type) {
	if (got.code != code) fail_msg("%lld, not %lld: %s%s", (long long)got.code, (long long)code, got.message, got.result);
	has(got.data, type);
}

/* The next id of the session, as the result has it. */
static void keep_session(void) {
	const char *at = strstr(got.result, "\"sessionId\":\"");
	if (!at) fail_msg("no session: %s%s", got.message, got.result);
	snprintf(session, sizeof session, "%.*s", (int)strcspn(at + 13, "\""), at + 13);
}

static void start(const char *who, const char *tool, const char *params) {
	ask(who, "interaction.start", "{\"toolName\":\"%s\",\"initialParams\":%s}", tool, params);
	keep_session();
}

static void respond(const char *who, const char *value) {
	ask(who, "interaction.respond", "{\"sessionId\":\"%s\",\"response\":{\"value\":%s}}", session, value);
}

static void on_session(const char *method) { ask("ann", method, "{\"sessionId\":\"%s\"}", session); }

static void comes_to(const char *state) {
	for (uint64_t end = clock_monotonic_ms() + RIG_PATIENCE_MS;;) {
		on_session("interaction.getState");
		if (strstr(got.result, state)) return;
		if (clock_monotonic_ms() > end) fail_msg("never %s: %s%s", state, got.message, got.result);
		loop_step(rig.of.loop, 20);
	}
}

static void a_session_asks_for_what_is_missing_and_calls(void **state) {
	(void)state;
	start("ann", "book", "{\"to\":\"Rome\"}");
	has(got.result, "\"state\":\"idle\"");
	has(got.result, "\"name\":\"seats\"");
	respond("ann", "0");
	has(got.result, "\"accepted\":false");
	has(pushed, "interaction.prompt {");
	comes_to("\"waiting_user\"");
	assert_int_equal(fake_got(&rig, "tools/call"), 0);
	respond("ann", "2");
	has(got.result, "\"accepted\":true");
	comes_to("\"completed\"");
	assert_int_equal(fake_got(&rig, "\"arguments\":{\"to\":\"Rome\",\"seats\":2}"), 1);
	has(pushed, "interaction.complete {");
	has(pushed, "\"success\":true");
	on_session("interaction.complete");
	has(got.result, "\"finalResult\":{\"success\":true,\"data\":{");
	rig_until(&rig.of, kernel_rig_audited(&rig, "TOOL_EXECUTED  SUCCESS ann book\n"));
	on_session("interaction.cancel");
	refused(-32003, "invalid_state_transition");
	respond("ann", "2");
	refused(-32003, "invalid_state_transition");
}

static void nothing_missing_is_called_at_once(void **state) {
	(void)state;
	start("ann", "free", "{}");
	assert_null(strstr(got.result, "initialPrompt"));
	comes_to("\"completed\"");
}

static void what_is_refused_says_why(void **state) {
	(void)state;
	ask("ann", "interaction.start", "{\"toolName\":\"none\"}");
	refused(-32602, "unknown_tool");
	kernel_rig_grant(&rig, "eve", NULL, false);
	ask("eve", "interaction.start", "{\"toolName\":\"book\"}");
	refused(-32602, "unknown_tool");
	ask("ann", "interaction.start", "{}");
	refused(-32602, "invalid_params");
	ask("ann", "interaction.prompt", "{}");
	assert_int_equal(got.code, -32601);
	ask("ann", "interaction.getState", "{\"sessionId\":\"session_abc123\"}");
	refused(-32001, "session_not_found");
	start("ann", "book", "{}");
	ask("bob", "interaction.getState", "{\"sessionId\":\"%s\"}", session);
	refused(-32001, "session_not_found");
	ask("ann", "interaction.respond", "{\"sessionId\":\"%s\",\"response\":7}", session);
	refused(-32004, "validation_failed");
	on_session("interaction.complete");
	refused(-32003, "invalid_state_transition");
	on_session("interaction.cancel");
	has(got.result, "\"cancelled\":true");
	on_session("interaction.cancel");
	refused(-32006, "already_cancelled");
}

static void sessions_and_prompts_are_limited(void **state) {
	(void)state;
	start("ann", "book", "{}");
	for (unsigned i = 0; i < 4; i++) respond("ann", "7");
	respond("ann", "7");
	refused(-32000, "too_many_prompts");
	comes_to("\"error\"");
	for (unsigned i = 0; i < 3; i++) start("ann", "book", "{}");
	ask("ann", "interaction.start", "{\"toolName\":\"book\"}");
	refused(-32000, "too_many_sessions");
	start("bob", "book", "{}");
}

/* Two buckets: a session that is asked too fast says when to ask again, and no other one suffers. */
static void the_pace_of_a_session_is_its_own(void **state) {
	char first[sizeof session];
	(void)state;
	struct flow_settings slow = standard;
	slow.pace = (struct pace_rate){.count = 3, .span_ms = 3600000};
	kernel_change_flow(rig.kernel, &slow);
	start("ann", "book", "{}");
	memcpy(first, session, sizeof first);
	respond("ann", "\"Rome\"");
	has(got.result, "\"accepted\":true");
	comes_to("\"waiting_user\"");
	for (unsigned i = 0; i < 3 && !got.code; i++) on_session("interaction.getState");
	refused(-32000, "\"type\":\"rate_limited\",\"retry_after_ms\":");
	has(got.message, "flow.pace");
	for (const char *const *method = (const char *const[]){"interaction.cancel", "interaction.complete", NULL}; *method; method++) {
		on_session(*method);
		refused(-32000, "rate_limited");
	}
	respond("ann", "2");
	refused(-32000, "rate_limited");

	start("ann", "book", "{}");
	on_session("interaction.getState");
	assert_int_equal(got.code, 0);

	kernel_change_flow(rig.kernel, &standard); /* no pace: what was refused has changed nothing */
	memcpy(session, first, sizeof session);
	comes_to("\"waiting_user\"");
	respond("ann", "2");
	has(got.result, "\"accepted\":true");
	comes_to("\"completed\"");
}

static void what_is_off_is_not_interactive(void **state) {
	(void)state;
	struct flow_settings off = standard;
	ask("ann", "capabilities", "{}");
	has(got.result, "\"interactive\":true");
	off.is_enabled = false;
	kernel_change_flow(rig.kernel, &off);
	ask("ann", "interaction.start", "{\"toolName\":\"book\"}");
	refused(-32007, "not_interactive");
	ask("ann", "capabilities", "{}");
	has(got.result, "\"interactive\":false");
}

static void a_cancel_gives_the_call_up(void **state) {
	(void)state;
	fake_write(&rig, "slow.call", "silent");
	start("ann", "slow", "{}");
	rig_until(&rig.of, fake_got(&rig, "tools/call") == 1);
	comes_to("\"processing\"");
	on_session("interaction.cancel");
	has(got.result, "\"cancelled\":true");
	rig_until(&rig.of, fake_got(&rig, "notifications/cancelled") == 1);
	comes_to("\"cancelled\"");
}

static void a_tool_that_runs_too_long_is_given_up(void **state) {
	(void)state;
	fake_write(&rig, "slow.call", "silent");
	ask("ann", "interaction.start", "{\"toolName\":\"slow\",\"timeout\":1000}");
	keep_session();
	rig_until(&rig.of, fake_got(&rig, "notifications/cancelled") == 1);
	on_session("interaction.getState");
	refused(-32005, "timeout");
}

static void a_restart_goes_on_and_runs_nothing_twice(void **state) {
	(void)state;
	char waiting[sizeof session];
	start("ann", "book", "{\"to\":\"Rome\"}");
	snprintf(waiting, sizeof waiting, "%s", session);
	fake_write(&rig, "slow.call", "silent");
	start("ann", "slow", "{}");
	rig_until(&rig.of, fake_got(&rig, "tools/call") == 1);
	kernel_rig_stop(&rig);
	kernel_rig_start(&rig);
	fake_run(&rig, &free_policy);
	listen_to();
	comes_to("\"error\"");
	has(got.result, "restarted while the tool ran");
	assert_int_equal(fake_got(&rig, "\"name\":\"slow\""), 1);
	snprintf(session, sizeof session, "%s", waiting);
	respond("ann", "2");
	has(got.result, "\"accepted\":true");
	comes_to("\"completed\"");
}

static void a_token_is_good_for_one_step(void **state) {
	(void)state;
	char first[sizeof session], second[sizeof session];
	struct flow_settings stateless = standard;
	stateless.is_stateless = true;
	kernel_change_flow(rig.kernel, &stateless);
	ask("ann", "capabilities", "{}");
	has(got.result, "\"statefulSessions\":false");
	start("ann", "book", "{}");
	assert_true(strlen(session) > FLOW_ID);
	snprintf(first, sizeof first, "%s", session);
	respond("ann", "\"Rome\"");
	keep_session();
	snprintf(second, sizeof second, "%s", session);
	snprintf(session, sizeof session, "%s", first);
	respond("ann", "\"Oslo\"");
	refused(-32003, "stale_token");
	snprintf(session, sizeof session, "%s", second);
	respond("bob", "2");
	refused(-32001, "session_not_found");
	respond("ann", "2");
	has(got.result, "\"accepted\":true");
	keep_session();
	comes_to("\"completed\"");
	on_session("interaction.complete");
	has(got.result, "\"success\":true");
	kernel_rig_stop(&rig);
	kernel_rig_start(&rig);
	fake_run(&rig, &free_policy);
	listen_to();
	snprintf(session, sizeof session, "%s", second); /* a spent last token, after a restart as well */
	respond("ann", "2");
	refused(-32003, "stale_token");
	assert_int_equal(fake_got(&rig, "tools/call"), 1);
}

static void a_cancelled_token_stays_cancelled(void **state) {
	(void)state;
	struct flow_settings stateless = standard;
	stateless.is_stateless = true;
	kernel_change_flow(rig.kernel, &stateless);
	start("ann", "book", "{}");
	on_session("interaction.cancel");
	has(got.result, "\"cancelled\":true");
	on_session("interaction.cancel");
	refused(-32006, "already_cancelled");
	respond("ann", "\"Rome\"");
	refused(-32003, "invalid_state_transition");
}

int main(int argc, char **argv) {
	if (launcher_is_inner(argc, argv)) return launcher_inner(argc, argv);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_session_asks_for_what_is_missing_and_calls, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nothing_missing_is_called_at_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_refused_says_why, set_up, tear_down),
		cmocka_unit_test_setup_teardown(sessions_and_prompts_are_limited, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_pace_of_a_session_is_its_own, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_off_is_not_interactive, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_cancel_gives_the_call_up, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_tool_that_runs_too_long_is_given_up, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_restart_goes_on_and_runs_nothing_twice, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_token_is_good_for_one_step, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_cancelled_token_stays_cancelled, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
