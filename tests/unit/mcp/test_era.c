/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "mcp/era.h"

static void every_version_reads_back_what_it_writes(void **state) {
	(void)state;
	for (unsigned i = 0; i < ERA_VERSIONS; i++) {
		enum era_version version = ERA_VERSIONS;
		assert_true(era_version_read(slice_of(era_version_text((enum era_version)i)), &version));
		assert_int_equal(version, i);
	}
}

static void other_dates_are_no_versions(void **state) {
	enum era_version version = ERA_2024_11_05;
	(void)state;
	assert_false(era_version_read(SLICE("2025-06-19"), &version));
	assert_false(era_version_read(SLICE("2025-06-18 "), &version));
	assert_false(era_version_read(SLICE(""), &version));
	assert_int_equal(version, ERA_2024_11_05);
}

static void a_server_settles_on_what_was_asked_or_on_its_newest(void **state) {
	(void)state;
	assert_int_equal(era_settle(SLICE("2024-11-05"), ERA_2025_11_25), ERA_2024_11_05);
	assert_int_equal(era_settle(SLICE("2025-11-25"), ERA_2025_11_25), ERA_2025_11_25);
	assert_int_equal(era_settle(SLICE("2025-11-25"), ERA_ROOMS), ERA_2025_06_18);
	assert_int_equal(era_settle(SLICE("2099-01-01"), ERA_2025_11_25), ERA_2025_11_25);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_version_reads_back_what_it_writes),
		cmocka_unit_test(other_dates_are_no_versions),
		cmocka_unit_test(a_server_settles_on_what_was_asked_or_on_its_newest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
