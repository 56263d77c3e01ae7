/* SPDX-License-Identifier: Apache-2.0 */
/* Mover batch: one line per topic, so that a topic's envelopes become one row. */
#include "store/mover_batch.h"

#include "store/audit_spooled.h"
#include "store/history_rows.h"
#include "store/proposal_rows.h"

#include <stdlib.h>

static bool grow(struct mover_batch *batch, struct fault *why) {
	size_t capacity = batch->capacity ? batch->capacity * 2 : 1024;
	struct spool_record *records = realloc(batch->records, capacity * sizeof *records);
	if (records) batch->records = records;
	const struct spool_record **line = realloc(batch->line, capacity * sizeof(void *));
	if (line) batch->line = line;
	if (!records || !line) return fault_set(why, FAULT_NO_MEMORY, "no memory to move the spool");
	batch->capacity = capacity;
	return true;
}

bool mover_batch_read(struct mover_batch *batch, struct slice bytes, size_t *used, struct fault *why) {
	size_t at = 0, size;
	batch->base = bytes.bytes;
	batch->count = batch->line_count = 0;
	batch->newest.row = 0;
	batch->unreadable = 0;
	for (;; at += size) {
		struct slice rest = slice_make(bytes.bytes + at, bytes.length - at);
		struct spool_record record;
		if (!spool_read(rest, &record, &size)) break;
		if (batch->count == batch->capacity && !grow(batch, why)) return false;
		batch->records[batch->count++] = record;
	}
	*used = at;
	return true;
}

void mover_batch_finish(struct mover_batch *batch) {
	free(batch->records);
	free(batch->line);
	*batch = (struct mover_batch){0};
}

/* By topic, then as they came: the addresses are in the order of the spool. */
static int compare(const void *a, const void *b) {
	const struct spool_record *left = *(const struct spool_record *const *)a;
	const struct spool_record *right = *(const struct spool_record *const *)b;
	struct slice one = left->topic, other = right->topic;
	size_t common = one.length < other.length ? one.length : other.length;
	int order = common ? memcmp(one.bytes, other.bytes, common) : 0;
	if (order) return order;
	if (one.length != other.length) return one.length < other.length ? -1 : 1;
	return left < right ? -1 : left > right;
}

bool mover_batch_put_envelopes(struct mover_batch *batch, struct archive *archive, int64_t now,
	struct fault *why) {
	size_t count = 0;
	for (size_t i = 0; i < batch->count; i++)
		if (batch->records[i].kind == SPOOL_ENVELOPE) batch->line[count++] = &batch->records[i];
	batch->line_count = count;
	if (count) qsort(batch->line, count, sizeof(void *), compare);
	for (size_t from = 0, to; from < count; from = to) {
		struct slice topic = batch->line[from]->topic;
		for (to = from + 1; to < count && slice_equal(batch->line[to]->topic, topic); to++) {}
		if (!history_rows_put(archive, topic, batch->line + from, to - from, now, why)) return false;
	}
	return true;
}

size_t mover_batch_place(const struct mover_batch *batch, const struct spool_record *record,
	size_t *size) {
	*size = spool_record_size(record, record->text.length);
	return (size_t)(record->topic.bytes - SPOOL_HEAD - batch->base);
}

static bool is_other(const struct mover_batch *batch, const struct spool_record *record, size_t skip) {
	size_t size;
	return record->kind != SPOOL_ENVELOPE && mover_batch_place(batch, record, &size) >= skip;
}

bool mover_batch_has_others(const struct mover_batch *batch, size_t skip) {
	for (size_t i = 0; i < batch->count; i++)
		if (is_other(batch, &batch->records[i], skip)) return true;
	return false;
}

bool mover_batch_put_others(struct mover_batch *batch, struct archive *archive, size_t skip,
	struct fault *why) {
	for (size_t i = 0; i < batch->count; i++) {
		const struct spool_record *record = &batch->records[i];
		struct fault inner = {0};
		if (!is_other(batch, record, skip)) continue;
		bool done = record->kind == SPOOL_AUDIT
			? audit_spooled_add(archive, record->text, record->moment, &batch->newest, &inner)
			: proposal_put(archive, record, &inner);
		if (done) continue;
		if (inner.code != FAULT_BAD_INPUT) {
			if (why) *why = inner;
			return false;
		}
		batch->unreadable++;
	}
	return true;
}
