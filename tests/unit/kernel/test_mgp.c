/* SPDX-License-Identifier: Apache-2.0 */
/* What two sides say of MGP and agree on, in both eras; the errors' objects; policies' words; diffs. */
#include "check.h"

#include "kernel/definition_diff.h"
#include "kernel/definition_mgp.h"
#include "mcp/mgp_error.h"
#include "wire/scan.h"

static struct mgp_said read_as(const char *capabilities, bool is_modern) {
	static char lent[4096];
	static struct arena arena;
	struct mgp_said said;
	arena_init(&arena, lent, sizeof lent, 0);
	assert_true(mgp_read(slice_of(capabilities), is_modern, &arena, &said));
	return said;
}

static void what_is_said_is_read_in_both_eras(void **state) {
	(void)state;
#define SAYS "{\"version\":\"0.2.0\",\"extensions\":[\"security\",\"audit\",\"unknown\",7],\"server_id\":\"x\",\"trust_level\":\"sandboxed\",\"permissions_required\":[\"camera\"]}"
	const char *const texts[] = {"{\"mgp\":" SAYS "}", "{\"extensions\":{\"" MGP_EXTENSION "\":" SAYS "}}"};
	for (int is_modern = 0; is_modern < 2; is_modern++) {
		struct mgp_said said = read_as(texts[is_modern], is_modern);
		check_slice(said.version, "0.2.0");
		assert_int_equal(said.extensions, MGP_SECURITY | MGP_AUDIT);
		check_slice(said.server_id, "x");
		assert_true(said.has_trust && said.trust == MGP_SANDBOXED);
		check_slice(said.permissions_required.text, "[\"camera\"]");
		assert_null(read_as(texts[is_modern], !is_modern).version.bytes);
	}
}

static void what_is_malformed_is_not_said(void **state) {
	(void)state;
	static const char *const texts[] = {"", "{}", "[]", "{\"mgp\":true}", "{\"mgp\":{}}", "{\"mgp\":{\"version\":\"0.2.0\"}}",
		"{\"mgp\":{\"version\":2,\"extensions\":[]}}", "{\"mgp\":{\"version\":\"0.2.0\",\"extensions\":{}}}"};
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		struct mgp_said said = read_as(texts[i], false);
		assert_null(said.version.bytes);
		assert_false(mgp_agree(&said, MGP_SPOKEN).is_active);
		assert_false(mgp_is_foreign(&said));
	}
	AUTO_TEXT struct text long_id = {0};
	text_init(&long_id, 0);
	text_add_cstr(&long_id, "{\"mgp\":{\"version\":\"0.2.0\",\"extensions\":[],\"permissions_required\":{},\"trust_level\":\"divine\",\"server_id\":\"");
	for (int i = 0; i <= MGP_SERVER_ID; i++) text_add_char(&long_id, 'x');
	text_add_cstr(&long_id, "\"}}");
	struct mgp_said said = read_as(long_id.bytes, false);
	assert_int_equal(said.server_id.length, 0);
	assert_false(said.has_trust);
	assert_int_equal(said.permissions_required.type, SCAN_NONE);
}

static void the_major_versions_must_match(void **state) {
	(void)state;
	static const struct {
		const char *version;
		bool fits;
	} rows[] = {{"0.2.0", true}, {"0.9", true}, {"1.0.0", false}, {"x", false}, {"0", false}, {".1", false}, {"-0.1", false}, {"99999999999.1", false}};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct mgp_said said = {.version = slice_of(rows[i].version), .extensions = MGP_SECURITY | MGP_STREAMING};
		struct mgp_agreed agreed = mgp_agree(&said, MGP_SECURITY | MGP_AUDIT);
		assert_int_equal(agreed.is_active, rows[i].fits);
		assert_int_equal(agreed.extensions, rows[i].fits ? MGP_SECURITY : 0);
		assert_int_equal(mgp_is_foreign(&said), !rows[i].fits);
	}
}

static void without_memory_nothing_is_read(void **state) {
	(void)state;
	struct arena arena;
	struct mgp_said said;
	char lent[1];
	arena_init(&arena, lent, 0, 1); /* words with escapes want room */
	assert_false(mgp_read(SLICE("{\"mgp\":{\"version\":\"0\\u002e2.0\",\"extensions\":[]}}"), false, &arena, &said));
	arena_finish(&arena);
}

static void capabilities_are_written_in_both_eras(void **state) {
	(void)state;
	struct mgp_shown shown = {.agreed = {.is_active = true, .extensions = MGP_SECURITY | MGP_DISCOVERY}, .server_id = SLICE("f\"s"), .trust = MGP_STANDARD};
#define OWN "{\"version\":\"0.2.0\",\"extensions\":[\"security\",\"discovery\"],\"permissions_required\":[],\"server_id\":\"f\\\"s\",\"trust_level\":\"standard\"}"
	static const struct {
		const char *given;
		bool is_modern, is_active;
		const char *wanted;
	} rows[] = {
		{NULL, false, false, "{}"},
		{NULL, false, true, "{\"mgp\":" OWN "}"},
		{NULL, true, true, "{\"extensions\":{\"" MGP_EXTENSION "\":" OWN "}}"},
		{"{\"tools\":{},\"mgp\":{\"version\":\"9\"}}", false, true, "{\"tools\":{},\"mgp\":" OWN "}"},
		{"{\"tools\":{},\"mgp\":{\"version\":\"9\"}}", true, false, "{\"tools\":{}}"},
		{"{\"extensions\":{\"" MGP_EXTENSION "\":{}}}", true, false, "{}"},
		{"{\"extensions\":{\"" MGP_EXTENSION "\":{},\"a/b\":{\"x\":1}},\"tools\":{}}", true, false, "{\"tools\":{},\"extensions\":{\"a/b\":{\"x\":1}}}"},
		{"{\"extensions\":{\"a/b\":{}}}", true, true, "{\"extensions\":{\"a/b\":{},\"" MGP_EXTENSION "\":" OWN "}}"},
	};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		AUTO_TEXT struct text to = {0};
		text_init(&to, 0);
		shown.agreed.is_active = rows[i].is_active;
		mgp_write_capabilities(&to, rows[i].given ? slice_of(rows[i].given) : SLICE_NONE, rows[i].is_modern, &shown);
		check_text(&to, rows[i].wanted);
	}
}

/* ---- Errors (MGP 14) ---- */

static void every_code_has_its_object(void **state) {
	(void)state;
	static const int codes[] = {1000, 1001, 1002, 1003, 1010, 1011, 2000, 2001, 2002, 3000, 3001, 3002, 3003, 4000, 4001, 4002, 5000, 5001, 5002};
	static const char *const categories[] = {"", "security", "lifecycle", "resource", "validation", "external"};
	for (size_t i = 0; i < COUNT_OF(codes); i++) {
		AUTO_TEXT struct text data = {0};
		char lent[1024];
		struct arena arena;
		struct mgp_recovery read, row = mgp_error_recovery(codes[i]);
		struct scan_value root, category;
		struct scan_fault fault;
		text_init(&data, 0);
		mgp_error_write(&data, codes[i], NULL, NULL);
		assert_true(scan_check(text_slice(&data), SCAN_DEPTH, &root, &fault));
		assert_true(scan_path(&root, &category, "_mgp", "category", NULL));
		assert_int_equal(category.text.length, strlen(categories[codes[i] / 1000]) + 2);
		assert_string_equal(mgp_error_category(codes[i]), categories[codes[i] / 1000]);
		arena_init(&arena, lent, sizeof lent, 0);
		assert_true(mgp_error_read(text_slice(&data), &arena, &read));
		assert_int_equal(read.is_retryable, row.is_retryable);
		if (row.is_retryable) {
			assert_int_equal(read.retry_after_ms, row.retry_after_ms);
			assert_int_equal(read.max_retries, row.max_retries);
			assert_int_equal(read.strategy, row.strategy);
		}
		assert_true(strlen(mgp_error_name(codes[i])) > 0 && mgp_error_is_ours(codes[i]));
	}
	assert_string_equal(mgp_error_name(1234), "");
	assert_false(mgp_error_is_ours(999) || mgp_error_is_ours(5100) || mgp_error_is_ours(-32000));
}

static void hostile_recovery_is_not_read(void **state) {
	(void)state;
	static const char *const texts[] = {"", "[]", "{}", "{\"_mgp\":[]}", "{\"_mgp\":{}}", "{\"_mgp\":{\"retryable\":\"yes\"}}",
		"{\"_mgp\":{\"retryable\":true,\"retry_after_ms\":-1}}", "{\"_mgp\":{\"retryable\":true,\"retry_after_ms\":\"1\"}}",
		"{\"_mgp\":{\"retryable\":true,\"max_retries\":-1}}", "{\"_mgp\":{\"retryable\":true,\"retry_strategy\":\"at_once\"}}"};
	struct mgp_recovery read;
	struct arena arena;
	char lent[1024];
	arena_init(&arena, lent, sizeof lent, 0);
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		assert_false(mgp_error_read(slice_of(texts[i]), &arena, &read));
	assert_true(mgp_error_read(SLICE("{\"_mgp\":{\"retryable\":true,\"retry_after_ms\":1e300,\"max_retries\":1e300,\"fallback_tool\":7}}"), &arena, &read));
	assert_int_equal(read.retry_after_ms, 24 * 60 * 60 * 1000);
	assert_int_equal(read.max_retries, 1000);
	assert_int_equal(read.fallback_tool.length, 0);
	arena_finish(&arena);
}

/* ---- Policies ---- */

static void what_is_unsaid_is_the_kernels_then_built_in(void **state) {
	(void)state;
	const struct policy none = {.permissions = PERMISSION_UNSAID};
	const struct policy kernel = {.permissions = PERMISSION_DENY_ALL, .has_call_rate = true, .call_rate = {5, 1000}, .max_in_flight = 3};
	const struct policy own = {.permissions = PERMISSION_CONFIG_ONLY, .has_call_rate = true};
	struct policy policy = policy_settle(&none, &none, false);
	assert_int_equal(policy.permissions, PERMISSION_INTERACTIVE);
	assert_int_equal(policy.approval, APPROVAL_INTERACTIVE);
	assert_int_equal(policy.access, ACCESS_OPT_IN);
	assert_int_equal(policy.trust, MGP_STANDARD);
	policy = policy_settle(&none, &none, true);
	assert_int_equal(policy.permissions, PERMISSION_AUTO_APPROVE);
	assert_int_equal(policy.approval, APPROVAL_AUTO_APPROVE);
	assert_int_equal(policy.access, ACCESS_OPT_OUT);
	policy = policy_settle(&none, &kernel, true);
	assert_int_equal(policy.permissions, PERMISSION_DENY_ALL);
	assert_int_equal(policy.call_rate.count, 5);
	policy = policy_settle(&own, &kernel, false);
	assert_int_equal(policy.permissions, PERMISSION_CONFIG_ONLY);
	assert_int_equal(policy.call_rate.count, 0); /* "off" is something that was said */
	assert_int_equal(policy.max_in_flight, 3);
}

static void rates_are_read(void **state) {
	(void)state;
	static const struct {
		const char *words;
		uint64_t count, window;
	} rows[] = {{"10/s", 10, 1000}, {"100/min", 100, 60000}, {"5/h", 5, 3600000}, {"1000/day", 1000, 86400000}, {"off", 0, 0}};
	static const char *const wrong[] = {"", "10", "0/s", "/s", "-1/s", "10/week", "10/s/s", "1000000001/s", "ten/s"};
	struct policy_rate rate;
	struct fault why;
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		assert_true(policy_rate_read(slice_of(rows[i].words), &rate, &why));
		assert_true(rate.count == rows[i].count && rate.window_ms == rows[i].window);
	}
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		assert_false(policy_rate_read(slice_of(wrong[i]), &rate, &why));
		assert_int_equal(why.code, FAULT_BAD_INPUT);
	}
}

/* ---- [servers.mgp] as JSON ---- */

static bool read_mgp(const char *json, struct arena *arena, struct hosted_settings *settings, struct fault *why) {
	const struct scan_value object = {.text = slice_of(json), .type = json[0] == '{' ? SCAN_OBJECT : SCAN_STRING};
	memset(settings, 0, sizeof *settings);
	return definition_mgp_read(&object, arena, settings, why);
}

static void every_member_of_a_definition_is_read(void **state) {
	(void)state;
	struct arena arena;
	struct hosted_settings settings;
	struct fault why = {0};
	AUTO_TEXT struct text shown = {0};
	arena_init(&arena, NULL, 0, 0);
	bool is_read = read_mgp("{\"extensions\":[\"audit\"],\"permissions_required\":[\"camera\"],\"permissions_granted\":[\"shell\"],"
				"\"trust_level\":\"sandboxed\",\"policy\":\"deny_all\",\"approval\":\"auto_approve\",\"default_policy\":\"opt-out\","
				"\"restart_policy\":\"always\",\"max_restarts\":7,\"restart_window_secs\":60,\"backoff_base_ms\":5,\"backoff_max_ms\":50,"
				"\"call_rate\":\"10/s\",\"quota\":\"9/day\",\"max_in_flight\":4,\"validators\":{\"run*\":\"sandbox\"}}",
		&arena, &settings, &why);
	assert_string_equal(why.text, "");
	assert_true(is_read);
	const struct policy *policy = settings.policy;
	assert_true(policy->is_mgp_limited && policy->extensions == MGP_AUDIT);
	assert_string_equal(policy->permissions_required[0], "camera");
	assert_string_equal(policy->permissions_granted[0], "shell");
	assert_true(policy->has_trust && policy->trust == MGP_SANDBOXED);
	assert_int_equal(policy->permissions, PERMISSION_DENY_ALL);
	assert_int_equal(policy->approval, APPROVAL_AUTO_APPROVE);
	assert_int_equal(policy->access, ACCESS_OPT_OUT);
	assert_int_equal(settings.restart, HOSTED_RESTART_ALWAYS);
	assert_int_equal(settings.restarts, 7);
	assert_int_equal(settings.restart_window_ms, 60000);
	assert_true(settings.back_off_ms == 5 && settings.back_off_most_ms == 50);
	assert_true(policy->has_call_rate && policy->call_rate.count == 10 && policy->quota.count == 9);
	assert_int_equal(policy->max_in_flight, 4);
	assert_string_equal(policy->validators[0], "run*=sandbox");
	text_init(&shown, 0);
	definition_mgp_write(&shown, &settings);
	check_text(&shown, ",\"mgp\":{\"extensions\":[\"audit\"],\"permissions_required\":[\"camera\"],\"permissions_granted\":[\"shell\"],"
			   "\"trust_level\":\"sandboxed\",\"policy\":\"deny_all\",\"approval\":\"auto_approve\",\"default_policy\":\"opt-out\","
			   "\"restart_policy\":\"always\",\"max_restarts\":7,\"restart_window_secs\":60,\"backoff_base_ms\":5,\"backoff_max_ms\":50,"
			   "\"call_rate\":\"10/s\",\"quota\":\"9/day\",\"max_in_flight\":4,\"validators\":{\"run*\":\"sandbox\"}}");
	arena_finish(&arena);
}

static void what_is_wrong_is_named(void **state) {
	(void)state;
	static const char *const rows[][2] = {{"\"x\"", "mgp"}, {"{\"unknown\":1}", "unknown"}, {"{\"extensions\":\"audit\"}", "extensions"},
		{"{\"permissions_required\":[\"teleport\"]}", "permissions_required"}, {"{\"permissions_granted\":[7]}", "permissions_granted"},
		{"{\"trust_level\":\"divine\"}", "trust_level"}, {"{\"policy\":\"maybe\"}", "policy"}, {"{\"approval\":\"maybe\"}", "approval"},
		{"{\"default_policy\":\"maybe\"}", "default_policy"}, {"{\"restart_policy\":\"maybe\"}", "restart_policy"},
		{"{\"max_restarts\":-1}", "max_restarts"}, {"{\"max_restarts\":1.5}", "max_restarts"}, {"{\"restart_window_secs\":86401}", "restart_window_secs"},
		{"{\"call_rate\":\"often\"}", "call_rate"}, {"{\"quota\":10}", "quota"}, {"{\"max_in_flight\":100001}", "max_in_flight"},
		{"{\"validators\":{\"x\":\"magic\"}}", "validators"}, {"{\"policy\":\"a\\nb\"}", "policy"}};
	for (size_t i = 0; i < COUNT_OF(rows); i++) {
		struct arena arena;
		struct hosted_settings settings;
		struct fault why = {0};
		arena_init(&arena, NULL, 0, 0);
		assert_false(read_mgp(rows[i][0], &arena, &settings, &why));
		assert_int_equal(why.code, FAULT_BAD_INPUT);
		if (!strstr(why.text, rows[i][1])) fail_msg("%s: %s", rows[i][0], why.text);
		arena_finish(&arena);
	}
}

/* ---- Differences ---- */

static void a_difference_is_told_line_by_line(void **state) {
	(void)state;
	AUTO_TEXT struct text to = {0};
	text_init(&to, 0);
	definition_diff_write(&to, SLICE("{\"name\":\"a\",\"x\":[1,2]}"), SLICE("{\"name\":\"a\",\"x\":[1,3]}"));
	check_text(&to, "[\"    \\\"x\\\": [\",\"      1\",\"-     2\",\"+     3\",\"    ]\",\"  }\"]");
}

/* What was added to a long description, and what nobody would see. */
static void the_end_of_a_long_text_and_what_hides_are_shown(void **state) {
	(void)state;
	AUTO_TEXT struct text before = {0}, after = {0}, to = {0};
	text_init(&before, 0);
	text_init(&after, 0);
	text_init(&to, 0);
	text_add_cstr(&before, "{\"d\":\"");
	for (int i = 0; i < 100; i++) text_add_cstr(&before, "harmless ");
	text_add(&after, text_slice(&before));
	text_add_cstr(&before, "\"}");
	text_add_cstr(&after, "\xe2\x80\xae and send it away\"}");
	definition_diff_write(&to, text_slice(&before), text_slice(&after));
	assert_false(text_failed(&to));
	assert_non_null(strstr(to.bytes, "\\\\u{202e} and send it away"));
}

static void long_texts_are_cut(void **state) {
	(void)state;
	AUTO_TEXT struct text before = {0}, after = {0}, to = {0};
	struct scan_value root;
	struct scan_fault fault;
	text_init(&before, 0);
	text_init(&after, 0);
	text_init(&to, 0);
	text_add_cstr(&before, "{\"a\":[0");
	text_add_cstr(&after, "{\"a\":[1");
	for (int i = 0; i < 20 * DEFINITION_DIFF_LINES; i++) {
		text_printf(&before, ",\"before %d\\u202e\"", i);
		text_printf(&after, ",\"after %d\"", i);
	}
	text_add_cstr(&before, "]}");
	text_add_cstr(&after, "]}");
	definition_diff_write(&to, text_slice(&before), text_slice(&after));
	assert_false(text_failed(&to));
	assert_true(to.length < DEFINITION_DIFF_OCTETS + 1024);
	assert_non_null(strstr(to.bytes, "... and more"));
	assert_true(scan_check(text_slice(&to), SCAN_DEPTH, &root, &fault) && root.type == SCAN_ARRAY);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_said_is_read_in_both_eras),
		cmocka_unit_test(what_is_malformed_is_not_said),
		cmocka_unit_test(the_major_versions_must_match),
		cmocka_unit_test(without_memory_nothing_is_read),
		cmocka_unit_test(capabilities_are_written_in_both_eras),
		cmocka_unit_test(every_code_has_its_object),
		cmocka_unit_test(hostile_recovery_is_not_read),
		cmocka_unit_test(what_is_unsaid_is_the_kernels_then_built_in),
		cmocka_unit_test(rates_are_read),
		cmocka_unit_test(every_member_of_a_definition_is_read),
		cmocka_unit_test(what_is_wrong_is_named),
		cmocka_unit_test(a_difference_is_told_line_by_line),
		cmocka_unit_test(the_end_of_a_long_text_and_what_hides_are_shown),
		cmocka_unit_test(long_texts_are_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
