/* SPDX-License-Identifier: Apache-2.0 */
/* Mover positions: one row a segment, written in the transaction that moves it. */
#include "store/mover_positions.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum {
	MOVED_FIND,
	MOVED_SET,
	MOVED_DROP,
	MOVED_EACH,
	MOVED_STATEMENTS
};

static const char *const texts[MOVED_STATEMENTS] = {
	[MOVED_FIND] = "SELECT position, scanned FROM moved WHERE segment = ?1",
	[MOVED_SET] = "INSERT OR REPLACE INTO moved (segment, position, scanned) VALUES (?1, ?2, ?3)",
	[MOVED_DROP] = "DELETE FROM moved WHERE segment = ?1",
	[MOVED_EACH] = "SELECT segment FROM moved ORDER BY segment",
};

bool mover_positions_init(struct archive *archive, struct fault *why) {
	return statements_init(&archive->moved, archive->database, texts, MOVED_STATEMENTS, why);
}

bool mover_position_find(struct archive *archive, struct segment *segment, struct fault *why) {
	char text[SEGMENT_NAME];
	segment_name_write(&segment->name, text);
	AUTO_RESET sqlite3_stmt *find = statement(&archive->moved, MOVED_FIND, why);
	if (!find) return false;
	statement_bind_text(find, 1, slice_of(text));
	enum statement_step step = statement_step(find, why);
	if (step == STATEMENT_ROW) {
		segment->moved = segment->scanned = segment->goal = sqlite3_column_int64(find, 0);
		segment->apart = sqlite3_column_int64(find, 1);
	}
	return step != STATEMENT_FAILED;
}

bool mover_position_set(struct archive *archive, const struct segment_name *name, int64_t moved,
	int64_t scanned, struct fault *why) {
	char text[SEGMENT_NAME];
	segment_name_write(name, text);
	AUTO_RESET sqlite3_stmt *set = statement(&archive->moved, MOVED_SET, why);
	if (!set) return false;
	statement_bind_text(set, 1, slice_of(text));
	sqlite3_bind_int64(set, 2, moved);
	sqlite3_bind_int64(set, 3, scanned);
	return statement_run(set, why);
}

bool mover_positions_next(struct archive *archive, const struct segment_name *left, size_t count,
	uint64_t *generation, struct fault *why) {
	uint64_t newest = count ? left[count - 1].generation : 0;
	struct segment_name name;
	AUTO_RESET sqlite3_stmt *each = statement(&archive->moved, MOVED_EACH, why);
	if (!each) return false;
	for (enum statement_step step; (step = statement_step(each, why)) != STATEMENT_DONE;) {
		if (step == STATEMENT_FAILED) return false;
		const char *text = (const char *)sqlite3_column_text(each, 0);
		if (text && segment_name_read(text, &name) && name.generation > newest)
			newest = name.generation;
	}
	*generation = newest + 1;
	return true;
}

static bool is_among(const struct segment_name *left, size_t count, const char *segment) {
	struct segment_name name;
	return segment_name_read(segment, &name) && count &&
		bsearch(&name, left, count, sizeof name, segment_name_compare);
}

static bool position_drop(struct archive *archive, struct slice segment, struct fault *why) {
	AUTO_RESET sqlite3_stmt *drop = statement(&archive->moved, MOVED_DROP, why);
	if (!drop) return false;
	statement_bind_text(drop, 1, segment);
	return statement_run(drop, why);
}

static bool drop_all(struct archive *archive, struct slice names, struct fault *why) {
	struct slice segment;
	if (!database_begin(archive->database, why)) return false;
	bool done = true;
	while (done && slice_split(&names, '\n', &segment))
		done = segment.length == 0 || position_drop(archive, segment, why);
	if (done) return database_commit(archive->database, why);
	database_rollback(archive->database);
	return false;
}

bool mover_positions_forget(struct archive *archive, int spool_folder, const struct segment_name *left,
	size_t count, struct fault *why) {
	AUTO_TEXT struct text gone = {0};
	text_init(&gone, 0);
	AUTO_RESET sqlite3_stmt *each = statement(&archive->moved, MOVED_EACH, why);
	enum statement_step step = STATEMENT_FAILED;
	while (each && (step = statement_step(each, why)) == STATEMENT_ROW) {
		struct slice segment = statement_text(each, 0);
		if (is_among(left, count, segment.bytes)) continue;
		text_add(&gone, segment);
		text_add_char(&gone, '\n');
	}
	if (step == STATEMENT_FAILED) return false;
	statement_reset(&each);
	if (gone.length == 0) return true;
	if (fsync(spool_folder) != 0)
		return fault_errno(why, errno, "the spool folder cannot be synced");
	return drop_all(archive, text_slice(&gone), why);
}
