/* SPDX-License-Identifier: Apache-2.0 */
#include "base/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define ID "550e8400-e29b-41d4-a716-446655440000"
#define HEX "4bf92f3577b34da6a3ce929d0e0e4736"
#define HEX_ID "4bf92f35-77b3-4da6-a3ce-929d0e0e4736"

static void a_uuid_stays_what_it_is(void **state) {
	(void)state;
	char id[TRACE_SIZE];
	assert_true(trace_id_read(SLICE(ID), id));
	assert_string_equal(id, ID);
	assert_true(trace_id_read(SLICE("550E8400-E29B-41D4-A716-44665544ABCD"), id));
	assert_string_equal(id, "550e8400-e29b-41d4-a716-44665544abcd");
}

static void hex_digits_get_dashes(void **state) {
	(void)state;
	char id[TRACE_SIZE];
	assert_true(trace_id_read(SLICE(HEX), id));
	assert_string_equal(id, HEX_ID);
}

static void anything_else_is_no_trace_id(void **state) {
	(void)state;
	static const char *const texts[] = {
		"",
		"call-7",
		"550e8400-e29b-41d4-a716-44665544000",
		"550e8400-e29b-41d4-a716-4466554400000",
		"550e8400-e29b-41d4-a716-44665544000g",
		"550e8400+e29b-41d4-a716-446655440000",
		"550e8400e-29b-41d4-a716-446655440000",
		"4bf92f3577b34da6a3ce929d0e0e473",
		"4bf92f3577b34da6a3ce929d0e0e473-",
		"4bf92f3577b34da6a3ce929d0e0e47360",
		"{550e8400-e29b-41d4-a716-4466554400}",
	};
	char id[TRACE_SIZE] = "untouched";
	for (size_t i = 0; i < COUNT_OF(texts); i++) assert_false(trace_id_read(slice_of(texts[i]), id));
	assert_false(trace_id_read(SLICE_NONE, id));
	assert_string_equal(id, "untouched");
}

static void minted_ones_are_read_and_differ(void **state) {
	(void)state;
	char one[TRACE_SIZE], other[TRACE_SIZE], read[TRACE_SIZE];
	trace_id_mint(one);
	trace_id_mint(other);
	assert_string_not_equal(one, other);
	assert_true(trace_id_read(slice_of(one), read));
	assert_string_equal(read, one);
}

static void a_traceparent_is_read(void **state) {
	(void)state;
	char id[TRACE_SIZE];
	assert_true(trace_parent_read(SLICE("00-" HEX "-00f067aa0ba902b7-01"), id));
	assert_string_equal(id, HEX_ID);
	assert_true(trace_parent_read(SLICE("cc-" HEX "-00f067aa0ba902b7-01-what-comes-later"), id));
	assert_true(trace_parent_read(SLICE("cc-" HEX "-00f067aa0ba902b7-01"), id));
}

static void what_is_no_traceparent_is_refused(void **state) {
	(void)state;
	static const char *const texts[] = {
		"",
		"00-" HEX,
		"00-" HEX "-00f067aa0ba902b7-0",
		"00-" HEX "-00f067aa0ba902b7-01-more",
		"00-" HEX "-00f067aa0ba902b7-01x",
		"cc-" HEX "-00f067aa0ba902b7-01x",
		"ff-" HEX "-00f067aa0ba902b7-01",
		"FF-" HEX "-00f067aa0ba902b7-01",
		"0g-" HEX "-00f067aa0ba902b7-01",
		"00_" HEX "-00f067aa0ba902b7-01",
		"00-" HEX "_00f067aa0ba902b7-01",
		"00-" HEX "-00f067aa0ba902b7_01",
		"00-" HEX "-00f067aa0ba902bz-01",
		"00-" HEX "-00f067aa0ba902b7-0z",
		"00-00000000000000000000000000000000-00f067aa0ba902b7-01",
		"00-" HEX "-0000000000000000-01",
		"00-4bf92f3577b34da6a3ce929d0e0e473z-00f067aa0ba902b7-01",
	};
	char id[TRACE_SIZE] = "untouched";
	for (size_t i = 0; i < COUNT_OF(texts); i++) assert_false(trace_parent_read(slice_of(texts[i]), id));
	assert_string_equal(id, "untouched");
}

static void what_is_written_is_read_again(void **state) {
	(void)state;
	char parent[TRACE_PARENT_SIZE], id[TRACE_SIZE];
	for (int i = 0; i < 1000; i++) {
		trace_parent_write(ID, parent);
		assert_int_equal(strlen(parent), TRACE_PARENT_SIZE - 1);
		assert_true(trace_parent_read(slice_of(parent), id));
		assert_string_equal(id, ID);
	}
	trace_parent_write("00000000-0000-0000-0000-000000000000", parent);
	assert_string_equal(parent, "");
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_uuid_stays_what_it_is),
		cmocka_unit_test(hex_digits_get_dashes),
		cmocka_unit_test(anything_else_is_no_trace_id),
		cmocka_unit_test(minted_ones_are_read_and_differ),
		cmocka_unit_test(a_traceparent_is_read),
		cmocka_unit_test(what_is_no_traceparent_is_refused),
		cmocka_unit_test(what_is_written_is_read_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
