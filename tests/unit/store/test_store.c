/* SPDX-License-Identifier: Apache-2.0 */
#include "store_rig.h"

static void what_was_committed_is_answered(void **state) {
	(void)state;
	struct folder folder;
	folder_make(&folder);
	struct store *store = store_start(&folder, 2);
	for (uint64_t i = 1; i <= 10; i++) say(store, 1, "room", i);
	commit(store, 1);
	struct history history = { .kind = HISTORY_TAIL, .topic = SLICE("room"), .limit = 100 };
	ask(store, &history);
	assert_int_equal(history.count, 10);
	assert_int_equal(history.last_sequence, 10);
	for (size_t i = 0; i < 10; i++) assert_int_equal(history.records[i].sequence, i + 1);
	history_finish(&history);
	store_close(store);
	store = store_start(&folder, 1);
	struct history again = { .kind = HISTORY_PAGE, .topic = SLICE("room"), .limit = 3,
		.before = SLICE("room-8") };
	ask(store, &again);
	assert_true(again.found);
	assert_true(again.more);
	assert_int_equal(again.count, 3);
	assert_int_equal(again.records[0].sequence, 7);
	history_finish(&again);
	store_close(store);
	folder_remove(&folder);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_committed_is_answered),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
