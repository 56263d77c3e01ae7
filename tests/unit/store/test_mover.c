/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mover: what waits in the spools until there is enough of it, what is moved before, and what a kill
 * at any step leaves.
 */
#include "store_copy.h"

#include "base/clock.h"
#include "store/archive.h"
#include "store/migrations.h"
#include "store/mover.h"
#include "store/mover_parts.h"
#include "store/store_parts.h"

#define ROOMS 40
#define EACH 30
#define PATIENCE_MS 30000

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

/* A store whose mover is this thread's. */
static struct store *mover_of(const struct folder *folder) {
	struct store *store = store_start(folder, 1);
	store_thread_end(store);
	return store;
}

static void name_room(char name[24], unsigned room) {
	snprintf(name, 24, "room-%u", room);
}

/* Envelopes from first to last in all rooms, in turns. */
static void say_everywhere(struct store *store, uint64_t first, uint64_t last) {
	char name[24];
	for (uint64_t i = first; i <= last; i++)
		for (unsigned room = 0; room < ROOMS; room++) {
			name_room(name, room);
			say(store, 0, name, i);
		}
	commit(store, 0);
}

static void note_audit(struct store *store) {
	struct audit_record record = {.event = SLICE("joined"), .result = SLICE("ok")};
	assert_true(audit_add(store_spool(store, 0), &record, NULL));
	commit(store, 0);
}

static int64_t number_of(struct store *store, const char *sql) {
	sqlite3_stmt *row;
	assert_int_equal(sqlite3_prepare_v2(store->archive->database, sql, -1, &row, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(row), SQLITE_ROW);
	int64_t found = sqlite3_column_int64(row, 0);
	sqlite3_finalize(row);
	return found;
}

static void check_room(struct archive *archive, const char *name, uint64_t last) {
	struct history history = {.kind = HISTORY_SINCE, .topic = slice_of(name)};
	history_answer(archive, &history, NULL);
	if (history.failed) fail_msg("%s", history.why.text);
	assert_int_equal(history.count, last);
	for (size_t i = 0; i < history.count; i++) {
		AUTO_TEXT struct text text = {0};
		text_init(&text, 0);
		envelope_text(&text, name, i + 1);
		assert_int_equal(history.records[i].sequence, i + 1);
		check_slice(history.records[i].text, text.bytes);
	}
	history_finish(&history);
}

static void check_everywhere(struct archive *archive, uint64_t last) {
	char name[24];
	for (unsigned room = 0; room < ROOMS; room++) {
		name_room(name, room);
		check_room(archive, name, last);
	}
}

/* What the next start makes of the folder as it is now: everything once. */
static void check_after_a_kill(const struct folder *folder, uint64_t last, uint64_t audited) {
	struct folder copy;
	struct audit_verdict verdict;
	struct fault why = {0};
	folder_make(&copy);
	copy_folder(folder->path, copy.path);
	struct store *again = mover_of(&copy);
	check_everywhere(again->archive, last);
	assert_int_equal(number_of(again, "SELECT sum(kept) FROM topics"), last * ROOMS);
	store_close(again);
	assert_true(audit_verify(copy.path, &verdict, &why));
	assert_int_equal(verdict.rows, audited);
	assert_int_equal(verdict.broken, 0);
	folder_remove(&copy);
}

static void a_room_among_many_becomes_one_row(void **state) {
	struct store *store = mover_of(*state);
	struct fault why = {0};
	for (uint64_t i = 1; i <= EACH; i++) say_everywhere(store, i, i);
	assert_true(mover_scan(store->mover, &why));
	assert_int_equal(number_of(store, "SELECT count(*) FROM batches"), 0);
	assert_true(store_backlog(store) > 0);
	assert_true(mover_run(store->mover, &why));
	assert_int_equal(number_of(store, "SELECT count(*) FROM batches"), ROOMS);
	assert_int_equal(number_of(store, "SELECT min(seen) FROM batches"), EACH);
	assert_int_equal(store_backlog(store), 0);
	check_everywhere(store->archive, EACH);
	store_close(store);
}

static void a_question_moves_its_topic_alone(void **state) {
	struct store *store = mover_of(*state);
	struct fault why = {0};
	say_everywhere(store, 1, EACH);
	assert_true(mover_scan(store->mover, &why));
	assert_true(mover_topic(store->mover, SLICE("room-7"), &why));
	assert_int_equal(number_of(store, "SELECT count(*) FROM topics"), 1);
	check_room(store->archive, "room-7", EACH);
	assert_true(mover_topic(store->mover, SLICE("nobody ever spoke here"), &why));
	assert_int_equal(number_of(store, "SELECT count(*) FROM topics"), 1);
	say_everywhere(store, EACH + 1, EACH + 5);
	assert_true(mover_scan(store->mover, &why));
	assert_true(mover_topic(store->mover, SLICE("room-7"), &why));
	check_room(store->archive, "room-7", EACH + 5);
	check_after_a_kill(*state, EACH + 5, 0);
	assert_true(mover_run(store->mover, &why));
	check_everywhere(store->archive, EACH + 5);
	store_close(store);
}

static void topics_moved_one_by_one_leave_nothing_behind(void **state) {
	char paths[4][160], name[24];
	struct store *store = mover_of(*state);
	struct fault why = {0};
	say_everywhere(store, 1, 3);
	assert_true(mover_scan(store->mover, &why));
	for (unsigned room = ROOMS; room-- > 0;) {
		assert_true(store_backlog(store) > 0);
		name_room(name, room);
		assert_true(mover_topic(store->mover, slice_of(name), &why));
	}
	assert_int_equal(store_backlog(store), 0);
	assert_int_equal(segments_of(*state, paths, 4), 1);
	check_everywhere(store->archive, 3);
	store_close(store);
}

static void what_is_no_envelope_is_there_after_a_scan_and_only_once(void **state) {
	struct store *store = mover_of(*state);
	struct fault why = {0};
	note_audit(store);
	say_everywhere(store, 1, 2);
	note_audit(store);
	assert_true(mover_scan(store->mover, &why));
	assert_int_equal(number_of(store, "SELECT count(*) FROM audit"), 2);
	assert_int_equal(number_of(store, "SELECT count(*) FROM batches"), 0);
	check_after_a_kill(*state, 2, 2);
	note_audit(store);
	check_after_a_kill(*state, 2, 3); /* two are in, one is not */
	assert_true(mover_run(store->mover, &why));
	assert_int_equal(number_of(store, "SELECT count(*) FROM audit"), 3);
	check_after_a_kill(*state, 2, 3);
	store_close(store);
}

/* Two mebibytes, so that a move has steps. */
static void say_much(struct store *store, unsigned rooms, uint64_t sequence) {
	char name[24];
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	for (unsigned room = 0; room < rooms; room++) {
		struct spool_record record = {.kind = SPOOL_ENVELOPE, .sequence = sequence};
		name_room(name, room);
		record.topic = slice_of(name);
		envelope_text(&text, name, sequence);
		while (text.length < 2 * 1024 * 1024 / rooms) text_add_char(&text, ' ');
		struct slice piece = text_slice(&text);
		assert_true(spool_add(store_spool(store, 0), &record, &piece, 1, NULL));
	}
	commit(store, 0);
}

static void check_sequences(struct store *store, uint64_t last) {
	assert_int_equal(number_of(store, "SELECT min(last_sequence) FROM topics"), last);
	assert_int_equal(number_of(store, "SELECT max(last_sequence) FROM topics"), last);
	assert_int_equal(number_of(store, "SELECT min(kept) FROM topics"), last);
	assert_int_equal(number_of(store, "SELECT max(kept) FROM topics"), last);
	assert_int_equal(number_of(store, "SELECT count(*) FROM topics"), ROOMS);
}

static void check_sequences_after_a_kill(const struct folder *folder, uint64_t last) {
	struct folder copy;
	folder_make(&copy);
	copy_folder(folder->path, copy.path);
	struct store *again = mover_of(&copy);
	check_sequences(again, last);
	store_close(again);
	folder_remove(&copy);
}

static void a_kill_between_the_steps_of_a_move_loses_and_doubles_nothing(void **state) {
	struct folder *folder = *state;
	struct store *store = mover_of(folder);
	struct fault why = {0};
	unsigned steps = 0;
	for (uint64_t i = 1; i <= 3; i++) say_much(store, ROOMS, i);
	assert_true(mover_scan(store->mover, &why));
	for (bool more = true; more; steps++) {
		if (!mover_step(store->mover, &more, &why)) fail_msg("%s", why.text);
		check_sequences_after_a_kill(folder, 3);
	}
	assert_in_range(steps, 4, 20);
	assert_int_equal(number_of(store, "SELECT count(*) FROM batches"), ROOMS); /* none is in two */
	assert_int_equal(store_backlog(store), 0);
	store_close(store);
}

static void questions_between_the_steps_of_a_move_are_answered(void **state) {
	struct store *store = mover_of(*state);
	struct fault why = {0};
	uint64_t last = 1;
	say_much(store, ROOMS, last);
	assert_true(mover_scan(store->mover, &why));
	for (bool more = true; more;) {
		char name[24];
		assert_true(mover_step(store->mover, &more, &why));
		if (last == 3) continue;
		say_much(store, ROOMS, ++last);
		assert_true(mover_scan(store->mover, &why));
		for (unsigned room = 0; room < ROOMS; room += 7) {
			struct history history = {.kind = HISTORY_ROOM, .topic = slice_of(name), .limit = 10};
			name_room(name, room);
			history.topic = slice_of(name);
			assert_true(mover_topic(store->mover, history.topic, &why));
			history_answer(store->archive, &history, NULL);
			assert_int_equal(history.last_sequence, last);
			assert_int_equal(history.recent_count, last);
			history_finish(&history);
		}
	}
	assert_int_equal(last, 3);
	assert_true(store->mover->index.waiting > 0); /* what was noted meanwhile is still in the spool */
	assert_true(store_backlog(store) > 0);
	check_sequences_after_a_kill(*state, 3);
	assert_true(mover_run(store->mover, &why));
	check_sequences(store, 3);
	assert_int_equal(store_backlog(store), 0);
	store_close(store);
}

/* Whoever waits, the segments whose envelopes are all moved go. */
static void a_segment_goes_when_nothing_of_it_waits(void **state) {
	char paths[8][160];
	struct store *store = mover_of(*state);
	struct fault why = {0};
	uint64_t sequence = 0;
	say(store, 0, "first", 1);
	commit(store, 0);
	while (store_spool(store, 0)->next_number < 3) say_much(store, 1, ++sequence);
	assert_true(mover_scan(store->mover, &why));
	assert_true(mover_topic(store->mover, SLICE("room-0"), &why));
	assert_int_equal(segments_of(*state, paths, 8), 3); /* one envelope waits in the first */
	assert_true(mover_topic(store->mover, SLICE("first"), &why));
	assert_int_equal(segments_of(*state, paths, 8), 1);
	assert_int_equal(store_backlog(store), 0);
	store_close(store);
}

static void topics_of_the_same_hash_are_told_apart(void **state) {
	struct store *store = mover_of(*state);
	struct fault why = {0};
	const size_t size = 1 << 20;
	uint32_t *seen = calloc(size, sizeof *seen); /* number by the lower half of the hash */
	char one[24], other[24];
	unsigned number = 0;
	assert_non_null(seen);
	for (bool found = false; !found;) {
		assert_true(++number < 10 * 1000 * 1000);
		name_room(one, number);
		uint32_t hash = mover_topic_hash(store->mover, slice_of(one));
		uint32_t *place = &seen[hash % size];
		if (*place) {
			name_room(other, *place);
			found = mover_topic_hash(store->mover, slice_of(other)) == hash;
		}
		*place = number;
	}
	for (uint64_t i = 1; i <= 10; i++) {
		say(store, 0, one, i);
		say(store, 0, other, i);
	}
	commit(store, 0);
	assert_true(mover_scan(store->mover, &why));
	assert_true(mover_topic(store->mover, slice_of(one), &why));
	check_room(store->archive, one, 10);
	check_room(store->archive, other, 10);
	assert_int_equal(store_backlog(store), 0);
	store_close(store);
	free(seen);
}

static void a_full_index_is_moved(void **state) {
	struct store *store = mover_of(*state);
	struct fault why = {0};
	struct slice piece = SLICE("{}");
	const uint64_t count = MOVER_INDEX_LIMIT + 50000;
	for (uint64_t i = 1; i <= count; i++) {
		struct spool_record record = {.kind = SPOOL_ENVELOPE, .sequence = i, .topic = SLICE("room")};
		assert_true(spool_add(store_spool(store, 0), &record, &piece, 1, &why));
		if (i % 1000 == 0) commit(store, 0);
	}
	commit(store, 0);
	assert_true(mover_scan(store->mover, &why));
	int64_t kept = number_of(store, "SELECT kept FROM topics");
	assert_true(kept >= MOVER_INDEX_LIMIT && (uint64_t)kept < count);
	assert_true(store->mover->index.count < MOVER_INDEX_LIMIT);
	assert_true(mover_run(store->mover, &why));
	assert_int_equal(number_of(store, "SELECT kept FROM topics"), count);
	store_close(store);
}

/* It is read again from its position, and what is no envelope was taken out of it farther on. */
static void a_move_does_not_forget_how_far_a_segment_was_scanned_before(void **state) {
	const int64_t before = 64 * 1024;
	struct store *store = mover_of(*state);
	struct fault why = {0};
	say(store, 0, "room", 1);
	commit(store, 0);
	mover_segment_after(store->mover, NULL)->apart = before;
	assert_true(mover_run(store->mover, &why));
	assert_int_equal(number_of(store, "SELECT scanned FROM moved"), before);
	store_close(store);
}

static void more_earlier_segments_than_are_opened_at_a_time_are_read(void **state) {
	for (uint32_t i = 0; i < MOVER_EARLIER + 10; i++)
		leave(*state, &(struct segment_name){1, 0, i}, i * 2 + 1, i * 2 + 2);
	char paths[4][160];
	struct store *store = mover_of(*state);
	check_room(store->archive, "room", 2 * (MOVER_EARLIER + 10));
	assert_int_equal(segments_of(*state, paths, 4), 0);
	store_close(store);
}

static void a_full_disk_with_more_than_memory_should_hold_is_said(void **state) {
	struct store *store = mover_of(*state);
	struct fault why = {0};
	for (uint64_t i = 1; i <= 31; i++) say_much(store, 1, i);
	assert_true(mover_try(store->mover, &why));
	assert_int_equal(number_of(store, "SELECT kept FROM topics"), 31);
	mover_try_end(store->mover);
	assert_int_equal(number_of(store, "SELECT count(*) FROM topics"), 0);
	say_much(store, 1, 32);
	assert_false(mover_try(store->mover, &why));
	assert_int_equal(why.code, FAULT_FULL);
	assert_non_null(strstr(why.text, "64 MiB"));
	assert_true(mover_run(store->mover, &why));
	assert_int_equal(number_of(store, "SELECT kept FROM topics"), 32);
	store_close(store);
}

/* A folder of the time when a row had a position alone. */
static void positions_of_an_older_schema_still_count(void **state) {
	struct folder *folder = *state;
	struct fault why = {0};
	char path[128], paths[1][160], sql[200];
	struct stat found;
	leave(folder, &(struct segment_name){1, 0, 0}, 1, 3);
	assert_int_equal(segments_of(folder, paths, 1), 1);
	assert_int_equal(stat(paths[0], &found), 0);
	leave(folder, &(struct segment_name){1, 0, 1}, 4, 6);
	snprintf(path, sizeof path, "%s/history.db", folder->path);
	struct database_options options = {
		.path = path,
		.migrations = history_migrations,
		.migration_count = 1,
		.is_archive = true,
	};
	sqlite3 *database = database_open(&options, &why);
	assert_non_null(database);
	snprintf(sql, sizeof sql, "INSERT INTO moved VALUES ('%s', %lld)", strrchr(paths[0], '/') + 1,
		(long long)found.st_size);
	assert_true(database_run(database, sql, &why));
	database_close(database);
	struct store *store = mover_of(folder);
	assert_int_equal(number_of(store, "SELECT kept FROM topics"), 3);
	assert_int_equal(number_of(store, "SELECT last_sequence FROM topics"), 6);
	store_close(store);
}

static void a_fourth_of_the_limit_is_moved_unasked(void **state) {
	struct folder *folder = *state;
	struct store_options options = {.directory = folder->path, .spools = 1, .spool_limit = 400000};
	struct fault why = {0};
	struct store *store = store_open(&options, &why);
	assert_non_null(store);
	uint64_t last = 0, until = clock_monotonic_ms() + PATIENCE_MS;
	for (int round = 0; round < 20; round++) { /* over twice the limit */
		say_everywhere(store, last + 1, last + 5);
		last += 5;
		while (store_backlog(store) >= 100000) {
			assert_true(clock_monotonic_ms() < until);
			usleep(1000);
		}
	}
	store_thread_end(store);
	assert_true(mover_run(store->mover, &why));
	check_everywhere(store->archive, last);
	store_close(store);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
	const struct CMUnitTest tests[] = {
		TEST(a_room_among_many_becomes_one_row),
		TEST(a_question_moves_its_topic_alone),
		TEST(topics_moved_one_by_one_leave_nothing_behind),
		TEST(what_is_no_envelope_is_there_after_a_scan_and_only_once),
		TEST(a_kill_between_the_steps_of_a_move_loses_and_doubles_nothing),
		TEST(questions_between_the_steps_of_a_move_are_answered),
		TEST(a_segment_goes_when_nothing_of_it_waits),
		TEST(topics_of_the_same_hash_are_told_apart),
		TEST(a_full_index_is_moved),
		TEST(a_move_does_not_forget_how_far_a_segment_was_scanned_before),
		TEST(more_earlier_segments_than_are_opened_at_a_time_are_read),
		TEST(a_full_disk_with_more_than_memory_should_hold_is_said),
		TEST(positions_of_an_older_schema_still_count),
		TEST(a_fourth_of_the_limit_is_moved_unasked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
