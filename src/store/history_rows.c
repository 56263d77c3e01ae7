/* SPDX-License-Identifier: Apache-2.0 */
/* History rows: reading batches, and the topics that they belong to. Writing is history_batch.c. */
#include "store/history_rows.h"

#include "store/history_sql.h"
#include "store/octets.h"

#define JOIN_COUNT 256          /* a batch with fewer, */
#define JOIN_OCTETS (16 * 1024) /* and shorter, */
#define JOIN_MS 60000           /* and so young is joined with what comes next */

#define BATCH_COLUMNS \
	"batch_id, first_sequence, last_sequence, first_moment, last_moment, opened_at, stored_at, seen, " \
	"kept, octets, hashes, spans, texts"

static const char *const texts[HISTORY_STATEMENTS] = {
	[TOPIC_FIND] = "SELECT topic_id, last_sequence, kept, octets FROM topics WHERE name = ?1",
	[TOPIC_ADD] = "INSERT INTO topics (name, last_sequence, kept, octets) VALUES (?1, 0, 0, 0)",
	[TOPIC_SET] = "UPDATE topics SET last_sequence = ?2, kept = ?3, octets = ?4 WHERE topic_id = ?1",
	[TOPIC_WALK] = "SELECT topic_id, last_sequence, kept, octets, name FROM topics"
		       " WHERE name > ?1 ORDER BY name",
	[BATCH_LAST] = "SELECT " BATCH_COLUMNS " FROM batches WHERE topic_id = ?1"
		       " ORDER BY first_sequence DESC LIMIT 1",
	[BATCH_PUT] = "INSERT OR REPLACE INTO batches (" BATCH_COLUMNS ", topic_id)"
		      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)",
	[BATCH_NEWEST] = "SELECT " BATCH_COLUMNS " FROM batches WHERE topic_id = ?1 AND kept > 0"
			 " AND first_sequence < ?2 ORDER BY first_sequence DESC",
	/* Batches do not overlap: the one that holds the bound is the last that begins before it. */
	[BATCH_OLDEST] = "SELECT " BATCH_COLUMNS " FROM batches WHERE topic_id = ?1 AND kept > 0"
			 " AND first_sequence >= coalesce((SELECT max(first_sequence) FROM batches"
			 "  WHERE topic_id = ?1 AND kept > 0 AND first_sequence <= ?2), 0)"
			 " ORDER BY first_sequence",
	[BATCH_ALL] = "SELECT " BATCH_COLUMNS " FROM batches WHERE topic_id = ?1"
		      " AND first_sequence < ?2 ORDER BY first_sequence DESC",
};

bool history_rows_init(struct archive *archive, struct fault *why) {
	return statements_init(&archive->history, archive->database, texts, HISTORY_STATEMENTS, why);
}

/* ---- Topics ---- */

static void topic_read(sqlite3_stmt *row, struct history_topic *topic) {
	*topic = (struct history_topic){
		.topic_id = sqlite3_column_int64(row, 0),
		.last_sequence = (uint64_t)sqlite3_column_int64(row, 1),
		.kept = sqlite3_column_int64(row, 2),
		.octets = sqlite3_column_int64(row, 3),
	};
}

bool history_topic_find(struct archive *archive, struct slice name, struct history_topic *topic,
	struct fault *why) {
	AUTO_RESET sqlite3_stmt *find = statement(&archive->history, TOPIC_FIND, why);
	if (!find) return false;
	statement_bind_text(find, 1, name);
	switch (statement_step(find, why)) {
	case STATEMENT_ROW: topic_read(find, topic); return true;
	case STATEMENT_DONE: *topic = (struct history_topic){0}; return true;
	default: return false;
	}
}

bool history_topic_kept(struct archive *archive, const struct history_topic *topic,
	struct fault *why) {
	AUTO_RESET sqlite3_stmt *set = statement(&archive->history, TOPIC_SET, why);
	if (!set) return false;
	sqlite3_bind_int64(set, 1, topic->topic_id);
	sqlite3_bind_int64(set, 2, (int64_t)topic->last_sequence);
	sqlite3_bind_int64(set, 3, topic->kept);
	sqlite3_bind_int64(set, 4, topic->octets);
	return statement_run(set, why);
}

bool history_topics_walk(struct archive *archive, struct slice after, history_topic_seen *seen,
	void *context, struct fault *why) {
	AUTO_RESET sqlite3_stmt *walk = statement(&archive->history, TOPIC_WALK, why);
	if (!walk) return false;
	statement_bind_text(walk, 1, after);
	struct fault inner = {0};
	for (enum statement_step step; (step = statement_step(walk, why)) != STATEMENT_DONE;) {
		struct history_topic topic;
		if (step == STATEMENT_FAILED) return false;
		topic_read(walk, &topic);
		if (seen(context, statement_text(walk, 4), &topic, &inner)) continue;
		if (inner.code == FAULT_NONE) return true;
		if (why) *why = inner;
		return false;
	}
	return true;
}

/* ---- Batches ---- */

bool history_batch_is_open(sqlite3_stmt *row, int64_t now) {
	int64_t opened_at = sqlite3_column_int64(row, 5);
	return sqlite3_column_int64(row, 7) < JOIN_COUNT && sqlite3_column_int64(row, 9) < JOIN_OCTETS &&
		now >= opened_at && now - opened_at < JOIN_MS;
}

bool history_batch_read(sqlite3_stmt *row, struct history_batch *batch, struct fault *why) {
	*batch = (struct history_batch){
		.from = row,
		.batch_id = sqlite3_column_int64(row, 0),
		.first_sequence = (uint64_t)sqlite3_column_int64(row, 1),
		.last_sequence = (uint64_t)sqlite3_column_int64(row, 2),
		.first_moment = sqlite3_column_int64(row, 3),
		.last_moment = sqlite3_column_int64(row, 4),
		.opened_at = sqlite3_column_int64(row, 5),
		.stored_at = sqlite3_column_int64(row, 6),
		.seen = (size_t)sqlite3_column_int64(row, 7),
		.kept = (size_t)sqlite3_column_int64(row, 8),
		.octets = sqlite3_column_int64(row, 9),
		.hashes = statement_blob(row, 10),
		.spans = statement_blob(row, 11),
	};
	if (batch->kept > batch->seen || batch->seen > SIZE_MAX / BATCH_HASHES ||
		batch->hashes.length != batch->seen * BATCH_HASHES ||
		batch->spans.length != batch->kept * BATCH_SPAN)
		return fault_set(why, FAULT_IO, "batch %lld of history.db is damaged",
			(long long)batch->batch_id);
	return true;
}

struct history_span history_batch_span(const struct history_batch *batch, size_t at) {
	const char *span = batch->spans.bytes + at * BATCH_SPAN;
	return (struct history_span){octets_get64(span), (int64_t)octets_get64(span + 8),
		octets_get32(span + 16)};
}

void history_batch_hashes(const struct history_batch *batch, size_t at, uint64_t *id, uint64_t *text) {
	*id = octets_get64(batch->hashes.bytes + at * BATCH_HASHES);
	*text = octets_get64(batch->hashes.bytes + at * BATCH_HASHES + 8);
}

bool history_batch_texts(const struct history_batch *batch, struct slice *found, struct fault *why) {
	struct slice whole = statement_blob(batch->from, 12);
	uint64_t length = 0;
	for (size_t i = 0; i < batch->kept; i++) length += history_batch_span(batch, i).length;
	if (length != whole.length)
		return fault_set(why, FAULT_IO, "the texts of batch %lld of history.db are damaged",
			(long long)batch->batch_id);
	*found = whole;
	return true;
}

bool history_rows_walk(struct archive *archive, int64_t topic_id, enum history_walk how, uint64_t bound,
	history_batch_seen *seen, void *context, struct fault *why) {
	static const enum history_statement which[] = {
		[HISTORY_NEWEST] = BATCH_NEWEST,
		[HISTORY_OLDEST] = BATCH_OLDEST,
		[HISTORY_ALL] = BATCH_ALL,
	};
	AUTO_RESET sqlite3_stmt *walk = statement(&archive->history, which[how], why);
	if (!walk) return false;
	sqlite3_bind_int64(walk, 1, topic_id);
	sqlite3_bind_int64(walk, 2, bound > INT64_MAX ? INT64_MAX : (int64_t)bound);
	for (bool go_on = true; go_on;) {
		struct history_batch batch;
		enum statement_step step = statement_step(walk, why);
		if (step != STATEMENT_ROW) return step == STATEMENT_DONE;
		if (!history_batch_read(walk, &batch, why) || !seen(context, &batch, &go_on, why)) return false;
	}
	return true;
}
