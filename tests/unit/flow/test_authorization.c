/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "flow/authorization.h"

#include <stdio.h>

static struct arena arena;
static struct fault why;

static int set_up(void **state) {
	(void)state;
	arena_init(&arena, NULL, 0, 0);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	arena_finish(&arena);
	return 0;
}

static struct scan_value scanned(const char *json) {
	struct scan_value value;
	struct scan_fault fault;
	if (!scan_check(slice_of(json), SCAN_DEPTH, &value, &fault)) fail_msg("%s: %s", json, fault.what);
	return value;
}

static struct authorization_metadata metadata_of(const char *definition) {
	struct authorization_metadata metadata;
	const struct scan_value value = scanned(definition);
	assert_true(authorization_metadata_read(&value, &arena, &metadata));
	return metadata;
}

static void the_tools_own_words_are_read(void **state) {
	(void)state;
	struct authorization_metadata metadata = metadata_of("{\"name\":\"x\"}");
	assert_false(metadata.is_said || metadata.is_required);
	metadata = metadata_of("{\"authorization\":{\"required\":true,\"mode\":\"user_approval\",\"timeout\":300,"
			       "\"message\":\"This operation affects production systems\"}}");
	assert_true(metadata.is_said && metadata.is_required);
	assert_int_equal(metadata.mode, AUTHORIZATION_ALWAYS_PROMPT);
	assert_int_equal(metadata.timeout_ms, 300000);
	check_slice(metadata.message, "This operation affects production systems");
	metadata = metadata_of("{\"authorization\":{\"mode\":\"automatic\"}}");
	assert_false(metadata.is_required);
	metadata = metadata_of("{\"authorization\":{\"required\":false,\"mode\":\"user_approval\"}}");
	assert_false(metadata.is_required);
}

static void unreadable_words_ask(void **state) {
	(void)state;
	static const char *const odd[] = {"7", "[]", "null", "{\"mode\":\"sometimes\"}", "{\"required\":\"no\"}",
		"{\"required\":false,\"timeout\":-1}", "{\"required\":false,\"timeout\":1e9}", "{\"required\":false,\"message\":7}"};
	for (size_t i = 0; i < COUNT_OF(odd); i++) {
		char json[128];
		snprintf(json, sizeof json, "{\"authorization\":%s}", odd[i]);
		struct authorization_metadata metadata = metadata_of(json);
		if (!metadata.is_required || metadata.mode != AUTHORIZATION_ALWAYS_PROMPT) fail_msg("%s asks nobody", odd[i]);
	}
}

static enum authorization_action judged(const struct authorization_settings *settings, const struct authorization_metadata *metadata,
	const char *tool, const char *caller) {
	const struct scan_value none = {.type = SCAN_NONE};
	return authorization_judge(settings, metadata, slice_of(tool), slice_of(caller), &none).action;
}

static void modes_are_those_of_the_text(void **state) {
	(void)state;
	static const struct authorization_rule rules[] = {
		{.tool = "drop_*", .action = AUTHORIZATION_DENY},
		{.caller = "bot-*", .action = AUTHORIZATION_ASK},
		{.tool = "read", .caller = "ann", .action = AUTHORIZATION_ALLOW},
	};
	struct authorization_metadata none = metadata_of("{}");
	struct authorization_metadata asks = metadata_of("{\"authorization\":{\"required\":true,\"delegate\":\"boss\",\"mode\":\"delegated\"}}");
	struct authorization_settings settings = {0};
	assert_int_equal(judged(&settings, &none, "read", "ann"), AUTHORIZATION_ALLOW);
	assert_int_equal(judged(&settings, &asks, "read", "ann"), AUTHORIZATION_ASK);
	check_slice(authorization_judge(&settings, &asks, SLICE("read"), SLICE("ann"), NULL).delegate, "boss");
	settings.mode = AUTHORIZATION_ALWAYS_ALLOW;
	assert_int_equal(judged(&settings, &asks, "read", "ann"), AUTHORIZATION_ALLOW);
	settings.mode = AUTHORIZATION_ALWAYS_PROMPT;
	assert_int_equal(judged(&settings, &none, "read", "ann"), AUTHORIZATION_ASK);
	settings = (struct authorization_settings){.mode = AUTHORIZATION_SELECTIVE, .rules = rules, .rule_count = COUNT_OF(rules)};
	assert_int_equal(judged(&settings, &none, "drop_table", "ann"), AUTHORIZATION_DENY);
	assert_int_equal(judged(&settings, &none, "read", "bot-7"), AUTHORIZATION_ASK);
	assert_int_equal(judged(&settings, &asks, "read", "ann"), AUTHORIZATION_ALLOW);
	assert_int_equal(judged(&settings, &asks, "write", "ann"), AUTHORIZATION_ASK); /* no rule: as the tool says */
	settings = (struct authorization_settings){.mode = AUTHORIZATION_DELEGATED, .delegate = "chief", .timeout_ms = 5000};
	struct authorization_verdict verdict = authorization_judge(&settings, &asks, SLICE("read"), SLICE("ann"), NULL);
	assert_int_equal(verdict.action, AUTHORIZATION_ASK);
	check_slice(verdict.delegate, "chief");
	assert_int_equal(verdict.timeout_ms, 5000);
}

/* ---- Rules on arguments ---- */

static enum authorization_action by_rule(const struct authorization_rule *rule, const char *arguments) {
	static const struct authorization_metadata none;
	const struct authorization_settings settings = {.mode = AUTHORIZATION_SELECTIVE, .rules = rule, .rule_count = 1};
	const struct scan_value value = scanned(arguments);
	return authorization_judge(&settings, &none, SLICE("dangerous_operation"), SLICE("agent-a"), &value).action;
}

static void a_rule_reads_an_argument(void **state) {
	(void)state;
	static const struct {
		const char *argument, *value, *arguments;
		bool fits;
	} cases[] = {
		{"target", "production", "{\"target\":\"production\"}", true}, /* the text's own example */
		{"target", "production", "{\"target\":\"staging\"}", false},
		{"target", "production", "{\"target\":\"pr\\u006fduction\"}", true},
		{"target", "production", "{\"t\\u0061rget\":\"production\"}", true},
		{"target", "production", "{\"other\":\"production\"}", false},
		{"target", "production", "{}", false},
		{"target", "prod*", "{\"target\":\"production\"}", true},
		{"target", "prod*", "{\"target\":\"product\"}", true},
		{"target", "prod*", "{\"target\":\"pro\"}", false},
		{"target", "*", "{\"target\":\"\"}", true},
		{"target", NULL, "{\"target\":null}", true},
		{"target", NULL, "{\"target\":{}}", true},
		{"target", NULL, "{\"targets\":1}", false},
		{"target", "production", "{\"target\":[\"staging\",\"production\"]}", true},
		{"target", "production", "{\"target\":[[\"production\"]]}", true},
		{"target", "production", "{\"target\":[\"staging\"]}", false},
		{"target", "production", "{\"target\":{\"production\":1}}", false},
		{"where.target", "production", "{\"where\":{\"target\":\"production\"}}", true},
		{"where.target", "production", "{\"where.target\":\"production\"}", true},
		{"where.target", "production", "{\"where\":[{\"target\":\"a\"},{\"target\":\"production\"}]}", true},
		{"where.target", "production", "{\"target\":\"production\"}", false},
		{"where.target", NULL, "{\"where\":{}}", false},
		{"amount", "100", "{\"amount\":100}", true},
		{"amount", "100", "{\"amount\":1e2}", true},
		{"amount", "100", "{\"amount\":100.5}", false},
		{"amount", "9007199254740993", "{\"amount\":9007199254740992}", false},
		{"amount", "1*", "{\"amount\":100}", true},
		{"amount", "10*", "{\"amount\":1.0e2}", true}, /* as it is, not as it is written */
		{"amount", "10*", "{\"amount\":1E+400}", true},
		{"amount", "10*", "{\"amount\":0.1e4}", true},
		{"amount", "1e2", "{\"amount\":100.00}", true},
		{"amount", "1e*", "{\"amount\":1e2}", false},
		{"amount", "1.0*", "{\"amount\":1.0e9}", false},
		{"amount", "1.0*", "{\"amount\":1.05}", true},
		{"amount", "1.50*", "{\"amount\":1.50}", true}, /* zeros behind it are its own too */
		{"amount", "5.*", "{\"amount\":5}", true},
		{"amount", "10.00*", "{\"amount\":1e1}", true},
		{"amount", "50*", "{\"amount\":5}", false},
		{"amount", "-0.5*", "{\"amount\":[3,-50e-2]}", true},
		{"amount", "0.000*", "{\"amount\":1e-9}", true},
		{"amount", "0", "{\"amount\":-0.0e7}", true},
		{"amount", "-*", "{\"amount\":-0}", false},
		{"amount", "-*", "{\"amount\":-1e-999999999999999999999}", true},
		{"amount", "*", "{\"amount\":1e999999999999999999999}", true},
		{"force", "true", "{\"force\":true}", true},
		{"force", "true", "{\"force\":false}", false},
		{"force", "true", "{\"force\":\"true\"}", true},
		{"force", "null", "{\"force\":null}", true},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct authorization_rule rule = {.argument = cases[i].argument, .value = cases[i].value, .action = AUTHORIZATION_DENY};
		enum authorization_action wanted = cases[i].fits ? AUTHORIZATION_DENY : AUTHORIZATION_ALLOW;
		if (by_rule(&rule, cases[i].arguments) != wanted)
			fail_msg("%s = %s and %s", cases[i].argument, cases[i].value ? cases[i].value : "(any)", cases[i].arguments);
	}
}

static void arguments_that_are_not_known_yet_allow_nothing(void **state) {
	(void)state;
	struct authorization_rule rules[] = {{.argument = "a", .action = AUTHORIZATION_ALLOW}, {.tool = "x", .argument = "b", .action = AUTHORIZATION_ASK},
		{.caller = "ann", .action = AUTHORIZATION_ALLOW}, {.action = AUTHORIZATION_DENY}};
	const struct authorization_settings settings = {.mode = AUTHORIZATION_SELECTIVE, .rules = rules, .rule_count = COUNT_OF(rules)};
	static const struct authorization_metadata none;
	assert_int_equal(authorization_judge(&settings, &none, SLICE("x"), SLICE("ann"), NULL).action, AUTHORIZATION_ASK);
	assert_int_equal(authorization_judge(&settings, &none, SLICE("y"), SLICE("ann"), NULL).action, AUTHORIZATION_ALLOW);
	assert_int_equal(authorization_judge(&settings, &none, SLICE("y"), SLICE("bob"), NULL).action, AUTHORIZATION_DENY);
}

static void what_asks_is_judged_by_what_is_known_and_asked_about_what_may_come(void **state) {
	(void)state;
	static const struct authorization_metadata none, prompting = {.is_said = true, .is_required = true, .mode = AUTHORIZATION_ALWAYS_PROMPT};
	static const struct authorization_rule denies = {.argument = "a", .value = "1", .action = AUTHORIZATION_DENY};
	static const struct authorization_rule allows = {.argument = "a", .value = "1", .action = AUTHORIZATION_ALLOW};
	static const struct authorization_rule asks = {.argument = "b", .action = AUTHORIZATION_ASK};
	static const struct authorization_rule others = {.tool = "other", .argument = "b", .action = AUTHORIZATION_ASK};
	static const struct authorization_rule all = {.action = AUTHORIZATION_ALLOW}, no = {.action = AUTHORIZATION_DENY};
	const struct {
		struct authorization_rule rules[3];
		size_t count;
		const struct authorization_metadata *metadata;
		const char *known;
		enum authorization_action wanted;
	} cases[] = {
		{{denies, all}, 2, &none, "{}", AUTHORIZATION_ALLOW},
		{{denies, all}, 2, &none, "{\"a\":\"1\"}", AUTHORIZATION_DENY},
		{{denies, all}, 2, &prompting, "{}", AUTHORIZATION_ALLOW},
		{{denies}, 1, &none, "{}", AUTHORIZATION_ALLOW},
		{{denies}, 1, &prompting, "{}", AUTHORIZATION_ASK},
		{{denies, asks, all}, 3, &none, "{}", AUTHORIZATION_ASK},
		{{denies, others, all}, 3, &none, "{}", AUTHORIZATION_ALLOW},
		{{all, asks}, 2, &none, "{}", AUTHORIZATION_ALLOW}, /* it never counts */
		{{allows, no}, 2, &none, "{}", AUTHORIZATION_DENY},
		{{allows, no}, 2, &none, "{\"a\":\"1\"}", AUTHORIZATION_ALLOW},
		{{allows, asks, no}, 3, &none, "{\"a\":\"1\"}", AUTHORIZATION_ASK},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct authorization_settings settings = {.mode = AUTHORIZATION_SELECTIVE, .rules = cases[i].rules, .rule_count = cases[i].count};
		const struct scan_value known = scanned(cases[i].known);
		enum authorization_action action =
			authorization_judge_asking(&settings, cases[i].metadata, SLICE("x"), SLICE("ann"), &known).action;
		if (action != cases[i].wanted) fail_msg("%zu: %s", i, authorization_action_word(action));
	}
}

static void settings_go_together(void **state) {
	(void)state;
	const struct authorization_rule bare = {.value = "x"};
	struct authorization_settings settings = {.mode = AUTHORIZATION_SELECTIVE, .rules = &bare, .rule_count = 1};
	assert_false(authorization_settings_check(&settings, &why));
	assert_non_null(strstr(why.text, "a value needs the argument"));
	settings.mode = AUTHORIZATION_ALWAYS_ALLOW;
	assert_false(authorization_settings_check(&settings, &why));
	assert_non_null(strstr(why.text, "selective"));
}

static void messages_are_those_of_the_text(void **state) {
	(void)state;
	AUTO_TEXT struct text words = {0};
	const struct authorization_request request = {
		.id = SLICE("auth-123"),
		.tool = SLICE("dangerous_operation"),
		.arguments = SLICE("{\"target\":\"production\"}"),
		.requester = SLICE("agent-a"),
		.reason = SLICE("Tool requires user approval for production operations"),
		.expires_at = SLICE("2024-01-01T12:05:00Z"),
	};
	authorization_write_request(&words, &request);
	check_text(&words, "{\"id\":\"auth-123\",\"tool\":\"dangerous_operation\",\"arguments\":{\"target\":\"production\"},"
			   "\"requester\":\"agent-a\",\"reason\":\"Tool requires user approval for production operations\","
			   "\"expiresAt\":\"2024-01-01T12:05:00Z\"}");
	struct authorization_request again;
	const struct scan_value value = scanned(words.bytes);
	assert_true(authorization_request_read(&value, &arena, &again, &why));
	check_slice(again.requester, "agent-a");
	struct authorization_response response;
	const struct scan_value params = scanned("{\"authorizationId\":\"auth-123\",\"decision\":\"approve\","
						 "\"reason\":\"Approved for maintenance window\",\"validUntil\":\"2024-01-01T13:00:00Z\"}");
	assert_true(authorization_response_read(&params, &arena, &response, &why));
	assert_true(response.approves && response.valid_until == 1704114000000);
	text_clear(&words);
	authorization_write_response(&words, &response);
	check_text(&words, "{\"authorizationId\":\"auth-123\",\"decision\":\"approve\",\"reason\":\"Approved for maintenance window\","
			   "\"validUntil\":\"2024-01-01T13:00:00.000Z\"}");
}

static void other_words_are_no_decision(void **state) {
	(void)state;
	static const char *const odd[] = {"{}", "{\"authorizationId\":\"a\"}", "{\"authorizationId\":\"a\",\"decision\":\"yes\"}",
		"{\"authorizationId\":\"a\",\"decision\":true}", "{\"authorizationId\":7,\"decision\":\"approve\"}",
		"{\"authorizationId\":\"a\",\"decision\":\"approve\",\"validUntil\":\"soon\"}", "[]", "null"};
	for (size_t i = 0; i < COUNT_OF(odd); i++) {
		struct authorization_response response;
		const struct scan_value value = scanned(odd[i]);
		if (authorization_response_read(&value, &arena, &response, &why)) fail_msg("%s is a decision", odd[i]);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(the_tools_own_words_are_read),
		TEST(unreadable_words_ask),
		TEST(modes_are_those_of_the_text),
		TEST(a_rule_reads_an_argument),
		TEST(arguments_that_are_not_known_yet_allow_nothing),
		TEST(what_asks_is_judged_by_what_is_known_and_asked_about_what_may_come),
		TEST(settings_go_together),
		TEST(messages_are_those_of_the_text),
		TEST(other_words_are_no_decision),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
