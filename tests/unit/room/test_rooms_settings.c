/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "room/rooms_settings.h"

static void check_rate(const char *text, uint32_t count, uint32_t span_ms) {
	struct pace_rate rate = {77, 77};
	struct fault why;
	assert_true(pace_rate_read(slice_of(text), &rate, &why));
	assert_int_equal(rate.count, count);
	assert_int_equal(rate.span_ms, span_ms);
}

static void a_pace_is_a_count_and_a_span(void **state) {
	(void)state;
	check_rate("200/s", 200, 1000);
	check_rate("10/min", 10, 60000);
	check_rate("1000/h", 1000, 3600000);
	check_rate("5/day", 5, 86400000);
	check_rate("1/500ms", 1, 500);
	check_rate("3/m", 3, 60000);
	check_rate("off", 0, 0);
	check_rate("1000000/s", 1000000, 1000);
}

static void anything_else_is_refused_in_words(void **state) {
	(void)state;
	static const char *const wrong[] = {"", "200", "200/", "/s", "0/s", "-1/s", "1000001/s", "2/w",
		"1/0", "1/2d", "x/s", "1.5/s", "1/s/s", "Off", "1/0ms", "1000000/999ms"};
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		struct pace_rate rate = {77, 77};
		struct fault why = {0};
		if (pace_rate_read(slice_of(wrong[i]), &rate, &why)) fail_msg("taken: %s", wrong[i]);
		assert_int_equal(why.code, FAULT_BAD_INPUT);
		assert_non_null(strstr(why.text, "off"));
		assert_int_equal(rate.count, 77);
	}
}

static void the_defaults_are_those_of_the_manual(void **state) {
	(void)state;
	struct rooms_settings settings;
	rooms_settings_default(&settings);
	assert_true(settings.anyone_creates && settings.one_recipient && settings.strict_replies);
	assert_true(settings.history);
	assert_false(settings.restricted_may_answer || settings.announce_violations || settings.power_safe);
	assert_int_equal(settings.pace.count, 200);
	assert_int_equal(settings.proposal_pace.count, 10);
	assert_int_equal(settings.proposal_ttl_ms, 300000);
	assert_int_equal(settings.dialect, ENVELOPE_V01);
	assert_int_equal(settings.heartbeat_ms, 0);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pace_is_a_count_and_a_span),
		cmocka_unit_test(anything_else_is_refused_in_words),
		cmocka_unit_test(the_defaults_are_those_of_the_manual),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
