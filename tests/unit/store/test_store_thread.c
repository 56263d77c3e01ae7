/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the store's thread does of its own accord, and when. The clock stands still: a worker is made
 * as it would be at that moment.
 */
#include "store_rig.h"

#include "store/store_thread.c"

static int set_up(void **state) {
	static struct folder folder;
	folder_make(&folder);
	*state = &folder;
	return 0;
}

static int tear_down(void **state) {
	folder_remove(*state);
	return 0;
}

/* Nothing is due. */
static struct worker worker_of(const struct folder *folder) {
	struct store *store = store_start(folder, 1);
	store_thread_end(store);
	return (struct worker){
		.store = store,
		.scan_at = UINT64_MAX,
		.move_at = UINT64_MAX,
		.sweep_at = UINT64_MAX,
		.rest_at = UINT64_MAX,
	};
}

static void say_something(struct worker *worker) {
	struct audit_record record = {.event = SLICE("joined"), .result = SLICE("ok")};
	say(worker->store, 0, "room", 1);
	assert_true(audit_add(store_spool(worker->store, 0), &record, NULL));
	commit(worker->store, 0);
}

static void move(struct worker *worker) {
	begin_move(worker);
	while (worker->is_moving) step(worker);
}

static int rows_of(struct worker *worker, const char *sql) {
	sqlite3_stmt *row;
	assert_int_equal(sqlite3_prepare_v2(worker->store->archive->database, sql, -1, &row, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(row), SQLITE_ROW);
	int found = sqlite3_column_int(row, 0);
	sqlite3_finalize(row);
	return found;
}

static void after_ten_seconds_the_trail_is_there_and_after_a_minute_the_envelopes(void **state) {
	struct worker worker = worker_of(*state);
	struct fault why = {0};
	say_something(&worker);
	uint64_t now = clock_monotonic_ms();
	assert_false(scan_is_due(&worker, now));
	assert_false(move_is_due(&worker, now));
	worker.scan_at = now;
	assert_true(scan_is_due(&worker, now));
	assert_false(move_is_due(&worker, now));
	assert_true(scan(&worker, &why));
	assert_int_equal(rows_of(&worker, "SELECT count(*) FROM audit"), 1);
	assert_int_equal(rows_of(&worker, "SELECT count(*) FROM batches"), 0);
	assert_true(worker.scan_at >= now + 10000);
	assert_false(scan_is_due(&worker, now));

	worker.move_at = now;
	assert_true(move_is_due(&worker, now));
	move(&worker);
	assert_int_equal(rows_of(&worker, "SELECT count(*) FROM batches"), 1);
	assert_true(worker.move_at >= now + 60000);
	worker.scan_at = worker.move_at = now;
	assert_false(scan_is_due(&worker, now)); /* nothing waits */
	assert_false(move_is_due(&worker, now));
	store_close(worker.store);
}

static void what_is_enough_is_moved_at_once(void **state) {
	struct worker worker = worker_of(*state);
	say_something(&worker);
	uint64_t now = clock_monotonic_ms();
	assert_int_equal(worker.store->move_octets, 32 * 1024 * 1024);
	worker.store->move_octets = store_backlog(worker.store) + 1;
	assert_false(move_is_due(&worker, now));
	worker.store->move_octets--;
	assert_true(move_is_due(&worker, now));
	store_close(worker.store);
}

static void fill(struct worker *worker, uint64_t from) {
	static char filler[512 * 1024];
	char name[16];
	memset(filler, 'x', sizeof filler);
	for (uint64_t i = from; i < from + 8; i++) {
		struct slice piece = slice_make(filler, sizeof filler);
		snprintf(name, sizeof name, "room %d", (int)i);
		struct spool_record record = {.kind = SPOOL_ENVELOPE, .sequence = 1, .topic = slice_of(name)};
		assert_true(spool_add(store_spool(worker->store, 0), &record, &piece, 1, NULL));
	}
	commit(worker->store, 0);
}

static void a_move_pauses_between_its_steps_unless_much_waits(void **state) {
	struct worker worker = worker_of(*state);
	worker.store->move_octets = 2 * 1024 * 1024;
	fill(&worker, 0);
	fill(&worker, 8);
	uint64_t now = clock_monotonic_ms();
	assert_true(move_is_due(&worker, now));
	begin_move(&worker);
	assert_true(step_is_due(&worker, worker.step_at));
	assert_false(move_is_due(&worker, now)); /* it is under way */
	unsigned steps = 0, pressed = 0;
	for (; worker.is_moving; steps++) {
		now = clock_monotonic_ms();
		worker.step_at = UINT64_MAX;
		step(&worker);
		if (store_backlog(worker.store) < 2 * worker.store->move_octets)
			assert_true(worker.step_at >= now + STEP_MS);
		else
			pressed++;
	}
	assert_true(steps >= 6);
	assert_true(pressed == steps - 1); /* segments are settled at the end */
	assert_int_equal(rows_of(&worker, "SELECT count(*) FROM batches"), 16);
	assert_int_equal(store_backlog(worker.store), 0);
	worker.store->move_octets = 8 * 1024 * 1024;
	fill(&worker, 16);
	begin_move(&worker);
	step(&worker);
	assert_true(worker.is_moving);
	assert_false(step_is_due(&worker, worker.step_at - 1));
	assert_true(step_is_due(&worker, worker.step_at));
	store_close(worker.store);
}

static void what_failed_is_tried_again_after_a_second_and_not_before(void **state) {
	struct worker worker = worker_of(*state);
	struct fault why = {0};
	say_something(&worker);
	uint64_t now = clock_monotonic_ms();
	worker.scan_at = worker.move_at = now;
	assert_true(database_run(worker.store->archive->database, "ALTER TABLE audit RENAME TO gone", &why));
	assert_false(scan(&worker, &why));
	assert_true(worker.not_before >= now + 1000);
	assert_false(move_is_due(&worker, now));
	assert_false(scan_is_due(&worker, now));
	assert_true(move_is_due(&worker, worker.not_before));
	move(&worker);
	assert_true(worker.move_at < now + 60000);
	assert_int_equal(rows_of(&worker, "SELECT count(*) FROM batches"), 0);
	assert_true(database_run(worker.store->archive->database, "ALTER TABLE gone RENAME TO audit", &why));
	move(&worker);
	assert_int_equal(worker.not_before, 0);
	assert_int_equal(rows_of(&worker, "SELECT count(*) FROM batches"), 1);
	assert_int_equal(rows_of(&worker, "SELECT count(*) FROM audit"), 1);
	store_close(worker.store);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(after_ten_seconds_the_trail_is_there_and_after_a_minute_the_envelopes),
		TEST(what_is_enough_is_moved_at_once),
		TEST(a_move_pauses_between_its_steps_unless_much_waits),
		TEST(what_failed_is_tried_again_after_a_second_and_not_before),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
