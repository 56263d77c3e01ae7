/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Archive rig: history.db without a store and its thread, filled directly and asked directly.
 */
#ifndef HUSTINGS_TESTS_ARCHIVE_RIG_H
#define HUSTINGS_TESTS_ARCHIVE_RIG_H

#include "store_rig.h"

#include "store/archive.h"
#include "store/history_answer.h"
#include "store/history_rows.h"

struct shelf {
	struct folder folder;
	struct archive *archive;
};

static inline int shelf_set_up(void **state) {
	static struct shelf shelf;
	folder_make(&shelf.folder);
	shelf.archive = archive_open(shelf.folder.path, false, NULL);
	*state = &shelf;
	return shelf.archive ? 0 : -1;
}

static inline int shelf_tear_down(void **state) {
	struct shelf *shelf = *state;
	archive_close(shelf->archive);
	folder_remove(&shelf->folder);
	return 0;
}

#define SHELF_TEST(name) cmocka_unit_test_setup_teardown(name, shelf_set_up, shelf_tear_down)

/* One envelope whose text has at least `octets`, its moment is its sequence in seconds. */
static inline void put_one(struct shelf *shelf, const char *topic, uint64_t sequence, size_t octets,
	int64_t now) {
	AUTO_TEXT struct text text = {0};
	char id[64];
	struct fault why = {0};
	text_init(&text, 0);
	envelope_text(&text, topic, sequence);
	while (text.length < octets) text_add_char(&text, ' ');
	snprintf(id, sizeof id, "%s-%llu", topic, (unsigned long long)sequence);
	struct spool_record record = {
		.kind = SPOOL_ENVELOPE,
		.sequence = sequence,
		.moment = (int64_t)sequence * 1000,
		.id_hash = archive_hash(shelf->archive, slice_of(id)),
		.text_hash = sequence * 3,
		.topic = slice_of(topic),
		.text = text_slice(&text),
	};
	const struct spool_record *line = &record;
	if (!history_rows_put(shelf->archive, slice_of(topic), &line, 1, now, &why)) fail_msg("%s", why.text);
}

/* In one transaction, one put each. */
static inline void put(struct shelf *shelf, const char *topic, uint64_t first, uint64_t last,
	int64_t now) {
	assert_true(database_begin(shelf->archive->database, NULL));
	for (uint64_t i = first; i <= last; i++) put_one(shelf, topic, i, 0, now);
	assert_true(database_commit(shelf->archive->database, NULL));
}

static inline int count_of(struct shelf *shelf, const char *sql) {
	sqlite3_stmt *row;
	assert_int_equal(sqlite3_prepare_v2(shelf->archive->database, sql, -1, &row, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(row), SQLITE_ROW);
	int found = sqlite3_column_int(row, 0);
	sqlite3_finalize(row);
	return found;
}

static inline void ask_archive(struct shelf *shelf, struct history *history) {
	history_answer(shelf->archive, history, NULL);
	if (history->failed) fail_msg("%s", history->why.text);
}

/* The sequences of an answer, from `first` on by steps of one, up or down. */
static inline void check_run(const struct history *history, uint64_t first, int step, size_t count) {
	assert_int_equal(history->count, count);
	for (size_t i = 0; i < count; i++) {
		AUTO_TEXT struct text text = {0};
		uint64_t sequence = first + (uint64_t)((int64_t)i * step);
		text_init(&text, 0);
		assert_int_equal(history->records[i].sequence, sequence);
		assert_int_equal(history->records[i].moment, sequence * 1000);
		envelope_text(&text, "room", sequence);
		struct slice found = history->records[i].text;
		assert_true(found.length >= text.length);
		assert_memory_equal(found.bytes, text.bytes, text.length);
	}
}

#endif
