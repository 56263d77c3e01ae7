/* SPDX-License-Identifier: Apache-2.0 */
/* What every validator's verdict is like, and the wait for names, whose answers the test gives. */
#include "check.h"

#include "net/address_guard.h"
#include "net/resolution.h"
#include "wire/scan.h"

#include <netdb.h>
#include <stdio.h>

/* ---- Names are resolved here ---- */

struct resolution {
	resolution_done *done;
	void *context;
	bool is_open;
	char name[RESOLUTION_NAME + 1];
	uint64_t deadline_ms;
};

static struct resolution asked[32];
static unsigned asked_count, refused_from; /* 0: none is refused */

static struct resolution *fake_open(struct loop *loop, const char *name, uint64_t deadline_ms,
	resolution_done *done, void *context, struct fault *why) {
	(void)loop;
	if (refused_from && asked_count + 1 >= refused_from)
		return fault_null(why, FAULT_NO_MEMORY, "no memory left");
	struct resolution *resolution = &asked[asked_count++];
	*resolution = (struct resolution){done, context, true, "", deadline_ms};
	snprintf(resolution->name, sizeof resolution->name, "%s", name);
	return resolution;
}

static void fake_close(struct resolution *resolution) {
	if (!resolution) return;
	assert_true(resolution->is_open);
	resolution->is_open = false;
}

#define resolution_open(...) fake_open(__VA_ARGS__)
#define resolution_close(resolution) fake_close(resolution)
#include "failing_malloc.h"
#include "validate/validator.c"
#undef resolution_open
#undef resolution_close

static struct validator_report report;
static enum validator_verdict told;
static unsigned times_told;

static int set_up(void **state) {
	(void)state;
	asked_count = refused_from = times_told = 0;
	memset(asked, 0, sizeof asked);
	validator_report_init(&report, VALIDATOR_NONE);
	malloc_fails_at(0);
	return 0;
}

static int tear_down(void **state) {
	(void)state;
	validator_report_finish(&report);
	for (unsigned i = 0; i < asked_count; i++) assert_false(asked[i].is_open);
	return 0;
}

static void on_done(void *context, enum validator_verdict verdict) {
	assert_ptr_equal(context, &report);
	told = verdict;
	times_told++;
}

static enum validator_verdict check_with(enum validator validator, const char *arguments) {
	const struct tool_security security = {.validator = validator};
	validator_report_finish(&report);
	validator_report_init(&report, validator);
	return validator_check(&security, slice_of(arguments), &report);
}

static enum validator_verdict start(const char *arguments, struct validator_wait **wait) {
	const struct tool_security security = {.validator = VALIDATOR_NETWORK_RESTRICTED};
	return validator_start(NULL, &security, slice_of(arguments), 1234, &report, on_done, &report, wait);
}

/* Answers with these addresses, as written; NULL ended. */
static void answer(unsigned at, const char *const *addresses) {
	struct addrinfo found[4];
	struct sockaddr_storage kept[4];
	size_t count = 0;
	for (; addresses[count]; count++) {
		assert_true(address_guard_read(slice_of(addresses[count]), &kept[count]));
		found[count] = (struct addrinfo){.ai_addr = (struct sockaddr *)&kept[count]};
		if (count) found[count - 1].ai_next = &found[count];
	}
	asked[at].done(asked[at].context, found, NULL);
}

static const char *const public_addresses[] = {"93.184.216.34", "2606:2800:220:1::1", NULL};

static void check_written(const char *part) {
	AUTO_TEXT struct text written = {0};
	struct scan_value root, value;
	struct scan_fault fault;
	text_init(&written, 0);
	validator_report_write(&written, &report);
	assert_false(text_failed(&written));
	assert_true(scan_check(text_slice(&written), SCAN_DEPTH, &root, &fault));
	assert_true(scan_find(&root, "status", &value));
	check_slice(value.text, "\"rejected\"");
	assert_true(scan_find(&root, "violations", &value) && value.type == SCAN_ARRAY);
	assert_true(scan_find(&root, "hints", &value) && value.type == SCAN_OBJECT);
	if (!strstr(written.bytes, part)) fail_msg("%s does not hold %s", written.bytes, part);
}

/* ---- At once ---- */

static void none_lets_everything_pass(void **state) {
	(void)state;
	assert_int_equal(check_with(VALIDATOR_NONE, "{\"command\":\"rm -rf /; id\"}"), VALIDATOR_PASSES);
	assert_int_equal(report.count, 0);
}

static void no_arguments_are_fine_but_for_readonly(void **state) {
	(void)state;
	assert_int_equal(check_with(VALIDATOR_SANDBOX, ""), VALIDATOR_PASSES);
	assert_int_equal(check_with(VALIDATOR_NETWORK_RESTRICTED, ""), VALIDATOR_PASSES);
	assert_int_equal(check_with(VALIDATOR_CODE_SAFETY, ""), VALIDATOR_PASSES);
	assert_int_equal(check_with(VALIDATOR_READONLY, ""), VALIDATOR_REFUSES);
	const struct tool_security reading = {.validator = VALIDATOR_READONLY, .read_only = TOOL_YES};
	const struct tool_security both = {
		.validator = VALIDATOR_READONLY, .read_only = TOOL_YES, .destructive = TOOL_YES};
	validator_report_finish(&report);
	validator_report_init(&report, VALIDATOR_READONLY);
	assert_int_equal(validator_check(&reading, SLICE_NONE, &report), VALIDATOR_PASSES);
	assert_int_equal(validator_check(&both, SLICE_NONE, &report), VALIDATOR_REFUSES);
}

static void a_refusal_names_the_argument_and_never_its_value(void **state) {
	(void)state;
	assert_int_equal(check_with(VALIDATOR_SANDBOX,
				 "{\"options\":{\"list\":[\"ok\",{\"cmd\":\"echo hunter2; id\"}]}}"),
		VALIDATOR_REFUSES);
	assert_string_equal(report.first, "arguments.options.list.cmd holds the metacharacter ;");
	check_written("one command per call");
	assert_null(strstr(report.kept.bytes, "hunter2"));
	assert_int_equal(
		check_with(VALIDATOR_NETWORK_RESTRICTED, "{\"url\":\"http://bob:hunter2@127.0.0.1/\"}"),
		VALIDATOR_REFUSES);
	assert_null(strstr(report.kept.bytes, "hunter2"));
	check_written("public hosts");
	assert_int_equal(
		check_with(VALIDATOR_READONLY, "{\"sql\":\"DROP TABLE hunter2\"}"), VALIDATOR_REFUSES);
	assert_string_equal(report.first, "arguments.sql holds a statement that writes (DROP)");
	assert_null(strstr(report.kept.bytes, "hunter2"));
	check_written("DROP");
}

static void sentences_are_bounded_and_the_rest_is_counted(void **state) {
	(void)state;
	AUTO_TEXT struct text arguments = {0};
	text_init(&arguments, 0);
	text_add_cstr(&arguments, "{\"list\":[\";\"");
	for (int i = 1; i < 100; i++) text_add_cstr(&arguments, ",\";\"");
	text_add_cstr(&arguments, "]}");
	assert_int_equal(check_with(VALIDATOR_SANDBOX, arguments.bytes), VALIDATOR_REFUSES);
	assert_int_equal(report.count, 100);
	check_written("\"violations_found\":100");
}

static void keys_are_shown_fit_for_people(void **state) {
	(void)state;
	assert_int_equal(check_with(VALIDATOR_SANDBOX, "{\"a\\u202eb\":\"x;y\"}"), VALIDATOR_REFUSES);
	assert_int_equal(check_with(VALIDATOR_SANDBOX, "{\"a\xe2\x80\xae\":\"x;y\"}"), VALIDATOR_REFUSES);
	assert_null(strstr(report.first, "\xe2\x80\xae"));
}

static void code_is_refused_in_the_form_of_the_specification(void **state) {
	(void)state;
	struct tool_rules rules = {.is_negotiated = true};
	struct fault why;
	AUTO(tool_security) security = tool_security_read(
		SLICE("{\"name\":\"run\",\"security\":{\"validator\":\"code_safety\",\"code_safety\":{\"language\":\"python\"}}}"),
		&rules, &why);
	assert_non_null(security);
	assert_int_equal(validator_check(security, SLICE("{\"code\":\"import subprocess\"}"), &report),
		VALIDATOR_REFUSES);
	assert_true(report.count > 0);
	check_written("Blocked import: 'subprocess'");
	validator_report_finish(&report);
	validator_report_init(&report, VALIDATOR_CODE_SAFETY);
	assert_int_equal(
		validator_check(security, SLICE("{\"code\":\"print(1)\"}"), &report), VALIDATOR_PASSES);
}

/* ---- With names ---- */

static void nothing_to_resolve_is_answered_at_once(void **state) {
	(void)state;
	struct validator_wait *wait = NULL;
	assert_int_equal(start("{\"url\":\"http://8.8.8.8/\"}", &wait), VALIDATOR_PASSES);
	assert_null(wait);
	assert_int_equal(start("{\"url\":\"http://10.0.0.1/\"}", &wait), VALIDATOR_REFUSES);
	assert_null(wait);
	assert_int_equal(start("{\"urls\":[\"http://example.com/\",\"http://10.0.0.1/\"]}", &wait),
		VALIDATOR_REFUSES);
	assert_null(wait);
	assert_int_equal(asked_count, 0);
	assert_int_equal(times_told, 0);
}

static void each_name_is_asked_for_once(void **state) {
	(void)state;
	struct validator_wait *wait = NULL;
	assert_int_equal(check_with(VALIDATOR_NETWORK_RESTRICTED, "{\"url\":\"http://example.com/\"}"),
		VALIDATOR_WAITS);
	assert_int_equal(
		start("{\"urls\":[\"http://a.example/\",\"https://A.EXAMPLE.:8443/x\",\"http://b.example\"]}",
			&wait),
		VALIDATOR_WAITS);
	assert_non_null(wait);
	assert_int_equal(asked_count, 2);
	assert_string_equal(asked[0].name, "a.example");
	assert_string_equal(asked[1].name, "b.example");
	assert_int_equal(asked[0].deadline_ms, 1234);
	answer(1, public_addresses);
	assert_int_equal(times_told, 0);
	answer(0, public_addresses);
	assert_int_equal(times_told, 1);
	assert_int_equal(told, VALIDATOR_PASSES);
	assert_int_equal(report.count, 0);
}

static void one_address_that_is_not_public_refuses(void **state) {
	(void)state;
	static const char *const bad[] = {"127.0.0.1", "10.1.2.3", "169.254.169.254", "168.63.129.16",
		"::1", "fd00::1", "::ffff:192.168.0.1", "64:ff9b::7f00:1"};
	for (size_t i = 0; i < COUNT_OF(bad); i++) {
		const char *const addresses[] = {"93.184.216.34", bad[i], NULL};
		struct validator_wait *wait = NULL;
		set_up(NULL);
		assert_int_equal(start("{\"url\":\"http://evil.example/\"}", &wait), VALIDATOR_WAITS);
		answer(0, addresses);
		if (times_told != 1 || told != VALIDATOR_REFUSES) fail_msg("%s is let through", bad[i]);
		assert_non_null(strstr(report.first, "evil.example"));
		assert_non_null(strstr(report.first, "not public"));
		tear_down(NULL);
	}
}

static void a_refusal_does_not_wait_for_the_others(void **state) {
	(void)state;
	static const char *const bad[] = {"127.0.0.1", NULL};
	struct validator_wait *wait = NULL;
	assert_int_equal(
		start("{\"urls\":[\"http://a.example/\",\"http://b.example/\"]}", &wait), VALIDATOR_WAITS);
	answer(1, bad);
	assert_int_equal(times_told, 1);
	assert_int_equal(told, VALIDATOR_REFUSES);
	assert_false(asked[0].is_open);
}

static void no_answer_refuses(void **state) {
	(void)state;
	static const enum fault_code codes[] = {FAULT_NOT_FOUND, FAULT_TIMEOUT};
	for (size_t i = 0; i < COUNT_OF(codes); i++) {
		const struct fault why = {.code = codes[i]};
		struct validator_wait *wait = NULL;
		set_up(NULL);
		assert_int_equal(start("{\"url\":\"http://a.example/\"}", &wait), VALIDATOR_WAITS);
		asked[0].done(asked[0].context, NULL, &why);
		assert_int_equal(times_told, 1);
		assert_int_equal(told, VALIDATOR_REFUSES);
		assert_non_null(strstr(report.first, "resolved"));
		tear_down(NULL);
	}
}

static void a_cancelled_wait_tells_nobody(void **state) {
	(void)state;
	struct validator_wait *wait = NULL;
	assert_int_equal(
		start("{\"url\":\"http://a.example/\",\"host\":\"b.example\"}", &wait), VALIDATOR_WAITS);
	assert_int_equal(asked_count, 2);
	validator_cancel(wait);
	validator_cancel(NULL);
	assert_false(asked[0].is_open || asked[1].is_open);
	assert_int_equal(times_told, 0);
}

static void memory_that_runs_out_refuses(void **state) {
	(void)state;
	struct validator_wait *wait = NULL;
	malloc_fails_at(1);
	assert_int_equal(start("{\"url\":\"http://a.example/\"}", &wait), VALIDATOR_REFUSES);
	malloc_fails_at(0);
	assert_null(wait);
	assert_int_equal(asked_count, 0);
	validator_report_finish(&report);
	validator_report_init(&report, VALIDATOR_NONE);
	refused_from = 2; /* the second name cannot be asked for */
	assert_int_equal(
		start("{\"url\":\"http://a.example/\",\"host\":\"b.example\"}", &wait), VALIDATOR_REFUSES);
	assert_null(wait);
	assert_int_equal(asked_count, 1);
	assert_int_equal(times_told, 0);
}

static void names_are_bounded(void **state) {
	(void)state;
	for (int more = 0; more < 2; more++) {
		AUTO_TEXT struct text arguments = {0};
		text_init(&arguments, 0);
		text_add_cstr(&arguments, "{\"urls\":[\"\"");
		for (int i = 0; i < VALIDATOR_NAMES + more; i++)
			text_printf(&arguments, ",\"http://h%d.example/\"", i);
		text_add_cstr(&arguments, "]}");
		assert_int_equal(check_with(VALIDATOR_NETWORK_RESTRICTED, arguments.bytes),
			more ? VALIDATOR_REFUSES : VALIDATOR_WAITS);
	}
	assert_non_null(strstr(report.first, "16"));
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(none_lets_everything_pass, set_up, tear_down),
		cmocka_unit_test_setup_teardown(no_arguments_are_fine_but_for_readonly, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_refusal_names_the_argument_and_never_its_value, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			sentences_are_bounded_and_the_rest_is_counted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(keys_are_shown_fit_for_people, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			code_is_refused_in_the_form_of_the_specification, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nothing_to_resolve_is_answered_at_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(each_name_is_asked_for_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(one_address_that_is_not_public_refuses, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_refusal_does_not_wait_for_the_others, set_up, tear_down),
		cmocka_unit_test_setup_teardown(no_answer_refuses, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_cancelled_wait_tells_nobody, set_up, tear_down),
		cmocka_unit_test_setup_teardown(memory_that_runs_out_refuses, set_up, tear_down),
		cmocka_unit_test_setup_teardown(names_are_bounded, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
