/* SPDX-License-Identifier: Apache-2.0 */
/* History batch: envelopes packed into rows. Declared in history_rows.h. */
#include "store/history_rows.h"

#include "store/history_sql.h"
#include "store/octets.h"

#define PACKED_LIMIT (1024 * 1024 * 1024)

struct packing {
	int64_t topic_id;
	int64_t batch_id; /* 0: a new one */
	uint64_t first_sequence;
	uint64_t last_sequence;
	int64_t first_moment;
	int64_t last_moment;
	int64_t opened_at;
	int64_t stored_at;
	size_t seen;
	size_t kept;
	struct text hashes;
	struct text spans;
	struct text texts;
};

static void packing_clear(struct packing *packing, int64_t now) {
	packing->batch_id = 0;
	packing->seen = packing->kept = 0;
	packing->opened_at = packing->stored_at = now;
	text_clear(&packing->hashes);
	text_clear(&packing->spans);
	text_clear(&packing->texts);
}

static void packing_finish(struct packing *packing) {
	text_finish(&packing->hashes);
	text_finish(&packing->spans);
	text_finish(&packing->texts);
}

/* Goes on with the topic's last batch when that is small and young. */
static bool take_last(struct archive *archive, struct packing *packing, int64_t now,
	struct fault *why) {
	AUTO_RESET sqlite3_stmt *last = statement(&archive->history, BATCH_LAST, why);
	struct history_batch batch;
	struct slice texts;
	if (!last) return false;
	sqlite3_bind_int64(last, 1, packing->topic_id);
	enum statement_step step = statement_step(last, why);
	if (step != STATEMENT_ROW) return step == STATEMENT_DONE;
	if (!history_batch_is_open(last, now)) return true;
	if (!history_batch_read(last, &batch, why)) return false;
	if (batch.kept == 0) return true;
	if (!history_batch_texts(&batch, &texts, why)) return false;
	packing->batch_id = batch.batch_id;
	packing->first_sequence = batch.first_sequence;
	packing->last_sequence = batch.last_sequence;
	packing->first_moment = batch.first_moment;
	packing->last_moment = batch.last_moment;
	packing->opened_at = batch.opened_at;
	packing->seen = batch.seen;
	packing->kept = batch.kept;
	text_add(&packing->hashes, batch.hashes);
	text_add(&packing->spans, batch.spans);
	text_add(&packing->texts, texts);
	return true;
}

static void pack(struct packing *packing, const struct spool_record *record) {
	char hashes[BATCH_HASHES], span[BATCH_SPAN];
	octets_put64(hashes, record->id_hash);
	octets_put64(hashes + 8, record->text_hash);
	octets_put64(span, record->sequence);
	octets_put64(span + 8, (uint64_t)record->moment);
	octets_put32(span + 16, (uint32_t)record->text.length);
	if (packing->seen == 0) {
		packing->first_sequence = record->sequence;
		packing->first_moment = packing->last_moment = record->moment;
	}
	packing->last_sequence = record->sequence;
	if (record->moment < packing->first_moment) packing->first_moment = record->moment;
	if (record->moment > packing->last_moment) packing->last_moment = record->moment;
	packing->seen++;
	packing->kept++;
	text_add(&packing->hashes, slice_make(hashes, sizeof hashes));
	text_add(&packing->spans, slice_make(span, sizeof span));
	text_add(&packing->texts, record->text);
}

static bool packing_put(struct archive *archive, struct packing *packing, struct fault *why) {
	if (packing->kept == 0) return true;
	if (text_failed(&packing->hashes) || text_failed(&packing->spans) || text_failed(&packing->texts))
		return fault_set(why, FAULT_NO_MEMORY, "no memory to pack a batch of history");
	AUTO_RESET sqlite3_stmt *put = statement(&archive->history, BATCH_PUT, why);
	if (!put) return false;
	if (packing->batch_id) sqlite3_bind_int64(put, 1, packing->batch_id);
	sqlite3_bind_int64(put, 2, (int64_t)packing->first_sequence);
	sqlite3_bind_int64(put, 3, (int64_t)packing->last_sequence);
	sqlite3_bind_int64(put, 4, packing->first_moment);
	sqlite3_bind_int64(put, 5, packing->last_moment);
	sqlite3_bind_int64(put, 6, packing->opened_at);
	sqlite3_bind_int64(put, 7, packing->stored_at);
	sqlite3_bind_int64(put, 8, (int64_t)packing->seen);
	sqlite3_bind_int64(put, 9, (int64_t)packing->kept);
	sqlite3_bind_int64(put, 10, (int64_t)packing->texts.length);
	statement_bind_blob(put, 11, text_slice(&packing->hashes));
	statement_bind_blob(put, 12, text_slice(&packing->spans));
	statement_bind_blob(put, 13, text_slice(&packing->texts));
	sqlite3_bind_int64(put, 14, packing->topic_id);
	return statement_run(put, why);
}

/* Full when another envelope of that length would make it too large. */
static bool is_full(const struct packing *packing, size_t length) {
	if (packing->kept == 0) return false;
	return packing->seen >= BATCH_COUNT || packing->texts.length + length > BATCH_OCTETS;
}

static bool put_all(struct archive *archive, struct packing *packing, struct history_topic *topic,
	const struct spool_record *const *records, size_t count, int64_t now, struct fault *why) {
	for (size_t i = 0; i < count; i++) {
		const struct spool_record *record = records[i];
		if (record->sequence <= topic->last_sequence) continue;
		if (is_full(packing, record->text.length)) {
			if (!packing_put(archive, packing, why)) return false;
			packing_clear(packing, now);
		}
		pack(packing, record);
		topic->last_sequence = record->sequence;
		topic->kept++;
		topic->octets += (int64_t)record->text.length;
	}
	return packing_put(archive, packing, why) && history_topic_kept(archive, topic, why);
}

static bool topic_make(struct archive *archive, struct slice name, struct history_topic *topic,
	struct fault *why) {
	if (!history_topic_find(archive, name, topic, why)) return false;
	if (topic->topic_id) return true;

	AUTO_RESET sqlite3_stmt *add = statement(&archive->history, TOPIC_ADD, why);
	if (!add) return false;
	statement_bind_text(add, 1, name);
	if (!statement_run(add, why)) return false;
	topic->topic_id = sqlite3_last_insert_rowid(archive->database);
	return true;
}

bool history_rows_put(struct archive *archive, struct slice topic,
	const struct spool_record *const *records, size_t count, int64_t now, struct fault *why) {
	struct history_topic found;
	struct packing packing = {0};
	if (!topic_make(archive, topic, &found, why)) return false;
	if (count == 0 || records[count - 1]->sequence <= found.last_sequence) return true;

	packing.topic_id = found.topic_id;
	text_init(&packing.hashes, PACKED_LIMIT);
	text_init(&packing.spans, PACKED_LIMIT);
	text_init(&packing.texts, PACKED_LIMIT);
	packing_clear(&packing, now);
	bool done = take_last(archive, &packing, now, why);
	if (done) {
		packing.stored_at = now;
		done = put_all(archive, &packing, &found, records, count, now, why);
	}
	packing_finish(&packing);
	return done;
}
