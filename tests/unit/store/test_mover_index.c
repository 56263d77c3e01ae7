/* SPDX-License-Identifier: Apache-2.0 */
#include "../failing_malloc.h"
#include "check.h"

#include "store/mover_index.c"

static struct segment *const segment = (struct segment *)(uintptr_t)8; /* never looked into */

static void add(struct mover_index *index, size_t count, uint32_t topic) {
	struct fault why = {0};
	for (size_t i = 0; i < count; i++) {
		assert_true(mover_index_reserve(index, 1, &why));
		mover_index_add(index, segment, (int64_t)index->count * 100, 100, topic);
	}
}

static void without_memory_nothing_is_lost(void **state) {
	(void)state;
	struct mover_index index = {0};
	struct fault why = {0};
	add(&index, 100, 7);
	malloc_fails_at(1);
	assert_true(mover_index_reserve(&index, 156, &why));
	assert_false(mover_index_reserve(&index, 157, &why));
	assert_int_equal(why.code, FAULT_NO_MEMORY);
	malloc_fails_at(0);
	assert_true(mover_index_reserve(&index, 157, &why));
	assert_int_equal(index.count, 100);
	assert_int_equal(index.entries[99].offset, 9900);
	mover_index_finish(&index);
}

static void topics_stand_together_and_each_in_its_order(void **state) {
	(void)state;
	struct mover_index index = {0};
	for (int round = 0; round < 50; round++)
		for (uint32_t topic = 0; topic < 5; topic++) add(&index, 1, 4000000000U - topic);
	mover_index_sort(&index);
	assert_int_equal(index.sorted, 250);
	for (size_t i = 1; i < 250; i++) {
		const struct mover_entry *before = &index.entries[i - 1], *entry = &index.entries[i];
		assert_true(before->topic <= entry->topic);
		if (before->topic == entry->topic) assert_true(before->offset < entry->offset);
	}
	mover_index_finish(&index);
}

/* What was noted during a move keeps its order behind it, however long this goes on. */
static void what_comes_during_a_move_is_the_next(void **state) {
	(void)state;
	struct mover_index index = {0};
	add(&index, 10, 2);
	for (int round = 0; round < 100; round++) {
		mover_index_sort(&index);
		size_t sorted = index.sorted;
		assert_int_equal(index.at, 0);
		add(&index, 5, 1);
		add(&index, 5, 2);
		mover_index_sort(&index); /* not before the front is empty */
		assert_int_equal(index.sorted, sorted);
		for (size_t i = 0; i < sorted; i++) mover_index_take(&index, i);
		mover_index_done(&index, 0, sorted, true);
		index.at = sorted;
		assert_int_equal(index.waiting, 10);
	}
	mover_index_sort(&index);
	assert_int_equal(index.count, 10);
	assert_int_equal(index.capacity, 256);
	mover_index_finish(&index);
}

static void a_transaction_that_failed_gives_its_entries_back(void **state) {
	(void)state;
	struct mover_index index = {0};
	add(&index, 4, 1);
	mover_index_take(&index, 1);
	mover_index_take(&index, 2);
	assert_int_equal(index.waiting, 2);
	mover_index_done(&index, 0, 4, false);
	assert_int_equal(index.waiting, 4);
	assert_int_equal(index.entries[1].state, ENTRY_WAITS);
	for (size_t i = 0; i < 4; i++) mover_index_take(&index, i);
	mover_index_done(&index, 0, 4, true);
	assert_int_equal(index.waiting, 0);
	assert_int_equal(index.count, 0);
	mover_index_finish(&index);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_memory_nothing_is_lost),
		cmocka_unit_test(topics_stand_together_and_each_in_its_order),
		cmocka_unit_test(what_comes_during_a_move_is_the_next),
		cmocka_unit_test(a_transaction_that_failed_gives_its_entries_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
