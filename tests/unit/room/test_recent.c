/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "failing_malloc.h"
#include "room/recent.c"

static void add(struct recent *recent, uint64_t id_hash) {
	assert_true(recent_reserve(recent));
	recent_add(recent, id_hash, ~id_hash);
}

static void what_was_seen_is_found_and_nothing_else(void **state) {
	(void)state;
	struct recent recent;
	recent_init(&recent);
	assert_null(recent_find(&recent, 1));
	for (uint64_t i = 0; i < 1000; i++) add(&recent, i * 64);
	for (uint64_t i = 0; i < 1000; i++) {
		const struct recent_id *seen = recent_find(&recent, i * 64);
		assert_non_null(seen);
		assert_int_equal(seen->text_hash, ~(i * 64));
		assert_null(recent_find(&recent, i * 64 + 1));
	}
	recent_finish(&recent);
	assert_null(recent_find(&recent, 0));
}

static void the_last_65536_are_kept_and_the_oldest_goes(void **state) {
	(void)state;
	struct recent recent;
	recent_init(&recent);
	uint64_t step = 0x9e3779b97f4a7c15u;
	for (uint64_t i = 1; i <= 3 * RECENT_IDS; i++) {
		add(&recent, i * step);
		if (i % 4093) continue;
		assert_non_null(recent_find(&recent, i * step));
		uint64_t oldest = i > RECENT_IDS ? i - RECENT_IDS + 1 : 1;
		assert_non_null(recent_find(&recent, oldest * step));
		if (oldest > 1) assert_null(recent_find(&recent, (oldest - 1) * step));
	}
	assert_int_equal(recent.count, RECENT_IDS);
	assert_int_equal(recent.capacity, RECENT_IDS);
	recent_finish(&recent);
}

/* All want the same place in the table: a search must pass the gaps that removals leave. */
static void crowded_places_lose_nothing_when_the_oldest_goes(void **state) {
	(void)state;
	struct recent recent;
	recent_init(&recent);
	uint64_t mask = RECENT_IDS * 2 - 1;
	for (uint64_t i = 0; i < RECENT_IDS; i++) add(&recent, (i % 7 == 0 ? mask - 3 : i) | (i + 1) << 32);
	for (uint64_t i = 0; i < 2000; i++) {
		add(&recent, (mask - 1) | (RECENT_IDS + i + 1) << 32);
		uint64_t kept = i + 1 + 64;
		assert_non_null(recent_find(&recent, (kept % 7 == 0 ? mask - 3 : kept) | (kept + 1) << 32));
		assert_null(recent_find(&recent, (i % 7 == 0 ? mask - 3 : i) | (i + 1) << 32));
	}
	recent_finish(&recent);
}

static void without_memory_nothing_is_lost(void **state) {
	(void)state;
	struct recent recent;
	recent_init(&recent);
	for (uint64_t i = 1; i <= 16; i++) add(&recent, i);
	for (int call = 1; call <= 2; call++) {
		malloc_fails_at(call);
		assert_false(recent_reserve(&recent));
		malloc_fails_at(0);
	}
	for (uint64_t i = 1; i <= 16; i++) assert_non_null(recent_find(&recent, i));
	add(&recent, 17);
	assert_non_null(recent_find(&recent, 17));
	recent_finish(&recent);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_seen_is_found_and_nothing_else),
		cmocka_unit_test(the_last_65536_are_kept_and_the_oldest_goes),
		cmocka_unit_test(crowded_places_lose_nothing_when_the_oldest_goes),
		cmocka_unit_test(without_memory_nothing_is_lost),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
