/* SPDX-License-Identifier: Apache-2.0 */
/* History answer: bounded while it grows, then one piece of memory. */
#include "store/history_answer.h"

#include "store/history_rows.h"
#include "wire/envelope.h"

#include <stdlib.h>

/* A record while the answer grows: where its text begins. */
struct growing {
	uint64_t sequence;
	int64_t moment;
	size_t offset;
	size_t length;
};

void history_answer_init(struct history_answer *answer, struct history *history, size_t limit) {
	*answer = (struct history_answer){.history = history, .limit = limit};
	text_init(&answer->records, 0);
	text_init(&answer->recent, 0);
	text_init(&answer->texts, 0);
	history->found = history->more = false;
	history->records = NULL;
	history->recent = NULL;
	history->memory = NULL;
	history->count = history->recent_count = 0;
	history->last_sequence = 0;
}

void history_answer_drop(struct history_answer *answer) {
	text_finish(&answer->records);
	text_finish(&answer->recent);
	text_finish(&answer->texts);
}

bool history_answer_record(struct history_answer *answer, uint64_t sequence, int64_t moment,
	struct slice text) {
	struct growing record = {sequence, moment, answer->texts.length, text.length};
	text_add(&answer->texts, text);
	text_add(&answer->records, slice_make(&record, sizeof record));
	if (text_failed(&answer->texts) || text_failed(&answer->records)) return false;
	answer->count++;
	return true;
}

bool history_answer_add(struct history_answer *answer, uint64_t sequence, int64_t moment,
	struct slice text) {
	bool fits = answer->count < answer->limit &&
		(answer->count == 0 || answer->texts.length + text.length <= HISTORY_OCTETS);
	if (!fits) answer->history->more = true;
	return fits && history_answer_record(answer, sequence, moment, text);
}

bool history_answer_recent(struct history_answer *answer, const struct history_recent *recent) {
	if (answer->recent_count == answer->recent_limit) return false;
	text_add(&answer->recent, slice_make(recent, sizeof *recent));
	if (text_failed(&answer->recent)) return false;
	answer->recent_count++;
	return true;
}

static void turn(char *bytes, size_t count, size_t size) {
	char held[64];
	for (size_t i = 0, j = count; i + 1 < j--; i++) {
		memcpy(held, bytes + i * size, size);
		memcpy(bytes + i * size, bytes + j * size, size);
		memcpy(bytes + j * size, held, size);
	}
}

void history_answer_turn(struct history_answer *answer) {
	turn(answer->records.bytes, answer->count, sizeof(struct growing));
}

void history_answer_turn_recent(struct history_answer *answer) {
	turn(answer->recent.bytes, answer->recent_count, sizeof(struct history_recent));
}

bool history_answer_give(struct history_answer *answer, struct fault *why) {
	struct history *history = answer->history;
	size_t records = answer->count * sizeof(struct history_record);
	size_t recent = answer->recent_count * sizeof(struct history_recent);
	char *memory = NULL;
	if (!text_failed(&answer->records) && !text_failed(&answer->recent) && !text_failed(&answer->texts))
		memory = malloc(records + recent + answer->texts.length + 1);
	if (!memory) return fault_set(why, FAULT_NO_MEMORY, "no memory for an answer from history");
	char *texts = memory + records + recent;
	history->memory = memory;
	history->records = (struct history_record *)(void *)memory;
	history->count = answer->count;
	history->recent = (struct history_recent *)(void *)(memory + records);
	history->recent_count = answer->recent_count;
	if (answer->texts.length) memcpy(texts, answer->texts.bytes, answer->texts.length);
	if (recent) memcpy(history->recent, answer->recent.bytes, recent);
	for (size_t i = 0; i < answer->count; i++) {
		struct growing record;
		memcpy(&record, answer->records.bytes + i * sizeof record, sizeof record);
		history->records[i] = (struct history_record){record.sequence, record.moment,
			slice_make(texts + record.offset, record.length)};
	}
	history_answer_drop(answer);
	return true;
}

/* ---- Finding an id ---- */

struct locating {
	struct slice id;
	uint64_t hash;
	uint64_t sequence;
};

/* Hashes are keyed, and still only hashes: the envelope itself decides. */
static bool has_id(struct slice text, struct slice id) {
	char lent[4096];
	struct arena arena;
	struct envelope envelope;
	struct envelope_refusal refusal;
	arena_init(&arena, lent, sizeof lent, 0);
	bool same = envelope_read(&envelope, text, &arena, &refusal) && slice_equal(envelope.id, id);
	arena_finish(&arena);
	return same;
}

static bool look(void *context, const struct history_batch *batch, bool *go_on, struct fault *why) {
	struct locating *locating = context;
	struct slice texts = SLICE_NONE;
	size_t trimmed = batch->seen - batch->kept;
	for (size_t i = batch->kept; i > 0; i--) {
		uint64_t id, text;
		history_batch_hashes(batch, trimmed + i - 1, &id, &text);
		if (id != locating->hash) continue;
		if (!texts.bytes && !history_batch_texts(batch, &texts, why)) return false;
		size_t offset = 0;
		for (size_t before = 0; before < i - 1; before++)
			offset += history_batch_span(batch, before).length;
		struct history_span span = history_batch_span(batch, i - 1);
		if (!has_id(slice_make(texts.bytes + offset, span.length), locating->id)) continue;
		locating->sequence = span.sequence;
		*go_on = false;
		break;
	}
	return true;
}

bool history_answer_locate(struct archive *archive, int64_t topic_id, struct slice id,
	uint64_t *sequence, struct fault *why) {
	struct locating locating = {.id = id, .hash = archive_hash(archive, id)};
	if (!history_rows_walk(archive, topic_id, HISTORY_NEWEST, UINT64_MAX, look, &locating, why))
		return false;
	*sequence = locating.sequence;
	return true;
}
