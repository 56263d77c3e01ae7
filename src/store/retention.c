/* SPDX-License-Identifier: Apache-2.0 */
/* Retention: the oldest go first, batch by batch. */
#include "store/retention.h"

#include "base/clock.h"
#include "base/glob.h"
#include "store/audit_claims.h"
#include "store/history_rows.h"
#include "store/history_sql.h"
#include "store/store_parts.h"

enum {
	RETENTION_TRIM,
	RETENTION_SEEN,
	RETENTION_FORGET,
	RETENTION_STATEMENTS
};

static const char *const texts[RETENTION_STATEMENTS] = {
	[RETENTION_TRIM] = "UPDATE batches SET kept = ?2, octets = ?3, spans = ?4, texts = ?5"
			   " WHERE batch_id = ?1",
	[RETENTION_SEEN] = "SELECT first_sequence, seen FROM batches WHERE topic_id = ?1"
			   " ORDER BY first_sequence DESC",
	[RETENTION_FORGET] = "DELETE FROM batches WHERE topic_id = ?1 AND kept = 0 AND first_sequence < ?2",
};

bool retention_init(struct archive *archive, struct fault *why) {
	return statements_init(&archive->retention, archive->database, texts, RETENTION_STATEMENTS, why);
}

struct store_retention retention_find(const struct store_rule *rules, size_t count, struct slice topic) {
	for (size_t i = 0; i < count; i++)
		if (glob_fits(slice_make(rules[i].topic, strnlen(rules[i].topic, sizeof rules[i].topic)), topic)) return rules[i].retention;
	return (struct store_retention){0};
}

/* ---- One topic ---- */

struct trimming {
	const struct store_retention *retention;
	struct history_topic topic; /* as it becomes */
	int64_t now;
	bool found; /* a batch that has to lose something: */
	int64_t batch_id;
	size_t kept; /* what it keeps */
	struct text spans;
	struct text texts;
};

static bool is_over(const struct trimming *trimming) {
	const struct store_retention *bound = trimming->retention;
	if (bound->count && trimming->topic.kept > bound->count) return true;
	return bound->bytes && trimming->topic.octets > bound->bytes;
}

/* The oldest batch: how many of its envelopes go, and copies of what stays. */
static bool look(void *context, const struct history_batch *batch, bool *go_on, struct fault *why) {
	struct trimming *trimming = context;
	const struct store_retention *bound = trimming->retention;
	bool is_old = bound->age_ms && batch->stored_at < trimming->now - bound->age_ms;
	struct slice found;
	size_t gone = 0, octets = 0;
	*go_on = false;
	if (!is_old && !is_over(trimming)) return true;
	if (!history_batch_texts(batch, &found, why)) return false;
	while (gone < batch->kept && (is_old || is_over(trimming))) {
		uint32_t length = history_batch_span(batch, gone++).length;
		octets += length;
		trimming->topic.kept--;
		trimming->topic.octets -= length;
	}
	trimming->found = gone > 0;
	trimming->batch_id = batch->batch_id;
	trimming->kept = batch->kept - gone;
	text_clear(&trimming->spans);
	text_clear(&trimming->texts);
	size_t gone_spans = gone * BATCH_SPAN;
	text_add(&trimming->spans, slice_make(batch->spans.bytes + gone_spans, batch->spans.length - gone_spans));
	text_add(&trimming->texts, slice_make(found.bytes + octets, found.length - octets));
	if (text_failed(&trimming->spans) || text_failed(&trimming->texts))
		return fault_set(why, FAULT_NO_MEMORY, "no memory to trim a batch of history");
	return true;
}

static bool trim(struct archive *archive, const struct trimming *trimming, struct fault *why) {
	AUTO_RESET sqlite3_stmt *set = statement(&archive->retention, RETENTION_TRIM, why);
	if (!set) return false;
	sqlite3_bind_int64(set, 1, trimming->batch_id);
	sqlite3_bind_int64(set, 2, (int64_t)trimming->kept);
	sqlite3_bind_int64(set, 3, (int64_t)trimming->texts.length);
	statement_bind_blob(set, 4, text_slice(&trimming->spans));
	statement_bind_blob(set, 5, text_slice(&trimming->texts));
	return statement_run(set, why);
}

/* Hashes of what is gone, behind as many newer ones as a room remembers. */
static bool forget_hashes(struct archive *archive, int64_t topic_id, struct fault *why) {
	uint64_t bound = 0;
	int64_t seen = 0;
	AUTO_RESET sqlite3_stmt *walk = statement(&archive->retention, RETENTION_SEEN, why);
	if (!walk) return false;
	sqlite3_bind_int64(walk, 1, topic_id);
	while (seen < RETENTION_HASHES) {
		enum statement_step step = statement_step(walk, why);
		if (step != STATEMENT_ROW) return step == STATEMENT_DONE;
		bound = (uint64_t)sqlite3_column_int64(walk, 0);
		seen += sqlite3_column_int64(walk, 1);
	}
	AUTO_RESET sqlite3_stmt *forget = statement(&archive->retention, RETENTION_FORGET, why);
	if (!forget) return false;
	sqlite3_bind_int64(forget, 1, topic_id);
	sqlite3_bind_int64(forget, 2, (int64_t)bound);
	return statement_run(forget, why);
}

static bool trim_all(struct archive *archive, struct trimming *trimming, struct fault *why) {
	bool changed = false;
	do {
		trimming->found = false;
		if (!history_rows_walk(archive, trimming->topic.topic_id, HISTORY_OLDEST, 0, look, trimming, why))
			return false;
		if (!trimming->found) break;
		if (!trim(archive, trimming, why)) return false;
		changed = true;
	} while (trimming->kept == 0);
	if (!changed) return true;
	return history_topic_kept(archive, &trimming->topic, why) &&
		forget_hashes(archive, trimming->topic.topic_id, why);
}

bool retention_apply(struct archive *archive, struct slice topic,
	const struct store_retention *retention, int64_t now, struct fault *why) {
	struct trimming trimming = {.retention = retention, .now = now};
	if (!retention->age_ms && !retention->count && !retention->bytes) return true;
	if (!history_topic_find(archive, topic, &trimming.topic, why)) return false;
	if (trimming.topic.kept == 0) return true;
	if (!retention->age_ms && !is_over(&trimming)) return true;
	text_init(&trimming.spans, 0);
	text_init(&trimming.texts, 0);
	bool done = trim_all(archive, &trimming, why);
	text_finish(&trimming.spans);
	text_finish(&trimming.texts);
	return done;
}

/* ---- The audit trail ---- */

/* The first row that a question finds; `otherwise` when it finds none. */
static bool first_row(struct archive *archive, enum audit_statement which, int64_t value,
	uint64_t otherwise, uint64_t *row, struct fault *why) {
	AUTO_RESET sqlite3_stmt *find = statement(&archive->audit, which, why);
	if (!find) return false;
	sqlite3_bind_int64(find, 1, value);
	enum statement_step step = statement_step(find, why);
	if (step == STATEMENT_FAILED) return false;
	*row = step == STATEMENT_ROW ? (uint64_t)sqlite3_column_int64(find, 0) : otherwise;
	return true;
}

bool retention_apply_audit(struct archive *archive, const struct store_retention *retention,
	int64_t now, struct fault *why) {
	struct audit_link anchor, last;
	uint64_t upto = 0, row;
	if (!audit_anchor_read(archive, &anchor, why) || !audit_last_read(archive, &last, why)) return false;
	if (retention->count && last.row - anchor.row > (uint64_t)retention->count)
		upto = last.row - (uint64_t)retention->count;
	if (retention->age_ms) {
		if (!first_row(archive, AUDIT_YOUNGER, now - retention->age_ms, last.row + 1, &row, why)) return false;
		if (row - 1 > upto) upto = row - 1;
	}
	if (retention->bytes && last.total - anchor.total > retention->bytes) {
		int64_t gone = last.total - retention->bytes;
		if (!first_row(archive, AUDIT_REACHES, gone, last.row, &row, why)) return false;
		if (row > upto) upto = row;
	}
	int64_t since = retention->age_ms ? now - retention->age_ms : INT64_MIN;
	return (upto <= anchor.row || audit_chain_trim(archive, upto, why)) &&
		audit_claims_trim(archive, since, AUDIT_CLAIMS_OCTETS, why);
}

/* ---- By the store's rules ---- */

static struct store_retention rule_of(struct store *store, struct slice topic) {
	pthread_mutex_lock(&store->lock);
	struct store_retention found = retention_find(store->rules, store->rule_count, topic);
	pthread_mutex_unlock(&store->lock);
	return found;
}

bool retention_after_move(struct archive *archive, struct store *store,
	const struct mover_batch *batch, struct fault *why) {
	int64_t now = clock_wall_ms();
	for (size_t i = 0; i < batch->line_count; i++) {
		struct slice topic = batch->line[i]->topic;
		if (i && slice_equal(topic, batch->line[i - 1]->topic)) continue;
		struct store_retention retention = rule_of(store, topic);
		retention.age_ms = 0; /* the sweep's */
		if (!retention_apply(archive, topic, &retention, now, why)) return false;
	}
	return true;
}

#define PAGE 256

struct page {
	struct text names; /* LF behind each */
	size_t count;
};

static bool note_name(void *context, struct slice name, const struct history_topic *topic,
	struct fault *why) {
	(void)why;
	struct page *page = context;
	if (topic->kept == 0) return true;
	text_add(&page->names, name);
	text_add_char(&page->names, '\n');
	return ++page->count < PAGE;
}

static bool sweep_topic(struct archive *archive, struct store *store, struct slice topic, int64_t now,
	struct fault *why) {
	struct store_retention retention = rule_of(store, topic);
	if (!retention.age_ms && !retention.count && !retention.bytes) return true;
	if (!database_begin(archive->database, why)) return false;
	if (retention_apply(archive, topic, &retention, now, why))
		return database_commit(archive->database, why);
	database_rollback(archive->database);
	return false;
}

static bool sweep_topics(struct archive *archive, struct store *store, int64_t now,
	struct fault *why) {
	AUTO_TEXT struct text after = {0};
	struct page page = {0};
	bool done = true;
	text_init(&after, 0);
	text_init(&page.names, 0);
	do {
		struct slice name = SLICE_NONE;
		page.count = 0;
		text_clear(&page.names);
		done = history_topics_walk(archive, text_slice(&after), note_name, &page, why);
		if (done && text_failed(&page.names))
			done = fault_set(why, FAULT_NO_MEMORY, "no memory to sweep history");
		struct slice rest = text_slice(&page.names);
		for (size_t i = 0; done && i < page.count; i++)
			if (slice_split(&rest, '\n', &name)) done = sweep_topic(archive, store, name, now, why);
		text_clear(&after);
		text_add(&after, name);
	} while (done && page.count == PAGE);
	text_finish(&page.names);
	return done;
}

static bool sweep_audit(struct archive *archive, struct store *store, int64_t now, struct fault *why) {
	pthread_mutex_lock(&store->lock);
	struct store_retention retention = store->audit;
	pthread_mutex_unlock(&store->lock);
	if (!retention.age_ms && !retention.count && !retention.bytes) return true;
	if (!database_begin(archive->database, why)) return false;
	if (retention_apply_audit(archive, &retention, now, why))
		return database_commit(archive->database, why);
	database_rollback(archive->database);
	return false;
}

bool retention_sweep(struct archive *archive, struct store *store, int64_t now,
	struct fault *why) {
	return sweep_topics(archive, store, now, why) && sweep_audit(archive, store, now, why) &&
		database_run(archive->database, "PRAGMA incremental_vacuum(1024)", why) &&
		archive_checkpoint(archive, why);
}
