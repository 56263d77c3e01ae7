/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fake store: spool, history and audit in memory, for one test program: what is gathered, committed,
 * synced and answered happens when the test says so, and fails when it says so. It stands in for the
 * store's library, which is not linked when these names are there already.
 */
#ifndef HUSTINGS_TESTS_FAKE_STORE_H
#define HUSTINGS_TESTS_FAKE_STORE_H

#include "base/map.h"
#include "store/audit.h"
#include "store/history.h"
#include "store/spool.h"

#include <stdio.h>
#include <stdlib.h>

#define FAKE_QUESTIONS 256

struct fake_record {
	enum spool_kind kind;
	uint64_t sequence;
	uint64_t id_hash;
	uint64_t text_hash;
	struct slice topic;
	struct slice text; /* both in one block that begins at topic.bytes */
};

struct spool {
	struct fake_record *records;
	size_t count;
	size_t committed; /* records before this one are stored */
	size_t pending;   /* audit records gathered */
	unsigned commits;
	enum fault_code reserve_fault;
	bool add_fails;
	bool commit_fails;
	bool audit_fails;
};

struct store {
	struct spool spool;
	uint64_t seed[2];
	size_t page; /* records of one answer; 0: no bound */
	bool ask_fails;
	bool answer_fails;
	bool holds; /* questions wait for store_answer() */
	struct history *questions[FAKE_QUESTIONS];
	size_t question_count;
	struct spool_sync *sync;
	char audits[16384]; /* a line each: event actor gate result count */
};

static inline struct spool *fake_spool(struct store *store) { return &store->spool; }

struct spool *store_spool(struct store *store, unsigned index) {
	return index == 0 ? &store->spool : NULL;
}

uint64_t store_hash(const struct store *store, struct slice text) {
	return map_hash(store->seed, text);
}

bool spool_reserve(struct spool *spool, size_t octets, struct fault *why) {
	(void)octets;
	if (spool->reserve_fault == FAULT_NONE) return true;
	return fault_set(why, spool->reserve_fault, "no room on the disk");
}

bool spool_add(struct spool *spool, const struct spool_record *record, const struct slice *pieces,
	size_t count, struct fault *why) {
	if (spool->add_fails) return fault_set(why, FAULT_NO_MEMORY, "no memory for a record");
	size_t length = 0;
	for (size_t i = 0; i < count; i++) length += pieces[i].length;
	char *block = (malloc)(record->topic.length + length + 1);
	spool->records = (realloc)(spool->records, (spool->count + 1) * sizeof *spool->records);
	if (!block || !spool->records) abort();
	struct fake_record *kept = &spool->records[spool->count++];
	*kept = (struct fake_record){record->kind, record->sequence, record->id_hash, record->text_hash,
		{block, record->topic.length}, {block + record->topic.length, length}};
	memcpy(block, record->topic.bytes, record->topic.length);
	char *at = block + record->topic.length;
	for (size_t i = 0; i < count; i++) {
		memcpy(at, pieces[i].bytes, pieces[i].length);
		at += pieces[i].length;
	}
	*at = '\0';
	return true;
}

static inline void fake_forget(struct spool *spool, size_t from) {
	while (spool->count > from) free((char *)spool->records[--spool->count].topic.bytes);
}

bool spool_commit(struct spool *spool, struct fault *why) {
	spool->pending = 0;
	if (spool->commit_fails) {
		fake_forget(spool, spool->committed);
		return fault_set(why, FAULT_IO, "the write failed");
	}
	spool->committed = spool->count;
	spool->commits++;
	return true;
}

bool spool_is_empty(const struct spool *spool) {
	return spool->count == spool->committed && spool->pending == 0;
}

void spool_sync(struct spool *spool, struct spool_sync *sync, struct loop *loop,
	void (*deliver)(struct letter *)) {
	struct store *store = (struct store *)((char *)spool - offsetof(struct store, spool));
	sync->letter.deliver = deliver;
	sync->loop = loop;
	sync->failed = false;
	if (store->sync) abort(); /* one at a time */
	store->sync = sync;
}

/* The disk has done it, or has failed. */
static inline void store_synced(struct store *store, bool fails) {
	struct spool_sync *sync = store->sync;
	store->sync = NULL;
	if (!sync) abort();
	if (fails) sync->failed = !fault_set(&sync->why, FAULT_IO, "the disk does not sync");
	sync->letter.deliver(&sync->letter);
}

bool history_ask(struct store *store, struct history *history, struct fault *why) {
	if (store->ask_fails || store->question_count == FAKE_QUESTIONS)
		return fault_set(why, FAULT_FULL, "the store is busy");
	store->questions[store->question_count++] = history;
	return true;
}

void history_finish(struct history *history) {
	free(history->memory);
	free(history->recent);
	history->memory = NULL;
	history->recent = NULL;
}

bool audit_add(struct spool *spool, const struct audit_record *record, struct fault *why) {
	struct store *store = (struct store *)((char *)spool - offsetof(struct store, spool));
	if (spool->audit_fails) return fault_set(why, FAULT_FULL, "no room for an audit record");
	spool->pending++;
	size_t used = strlen(store->audits);
	snprintf(store->audits + used, sizeof store->audits - used, "%.*s %.*s %.*s %.*s %lld\n",
		SLICE_ARGS(record->event), SLICE_ARGS(record->actor), SLICE_ARGS(record->gate),
		SLICE_ARGS(record->result), (long long)record->count);
	return true;
}

/* ---- Answers ---- */

static inline bool fake_is_settled(const struct spool *spool, const struct fake_record *proposal) {
	for (size_t i = 0; i < spool->committed; i++)
		if (spool->records[i].kind == SPOOL_SETTLED && spool->records[i].id_hash == proposal->id_hash)
			return true;
	return false;
}

static inline bool fake_is_wanted(const struct store *store, const struct history *question,
	const struct fake_record *record, uint64_t after) {
	if (!slice_equal(record->topic, question->topic)) return false;
	if (question->kind == HISTORY_ROOM)
		return record->kind == SPOOL_PROPOSAL && !fake_is_settled(&store->spool, record);
	if (record->kind != SPOOL_ENVELOPE) return false;
	if (question->upto && record->sequence > question->upto) return false;
	return question->kind == HISTORY_TAIL || record->sequence > after;
}

static inline void fake_remember(const struct spool *spool, struct history *question) {
	question->recent = (calloc)(spool->committed + 1, sizeof *question->recent);
	for (size_t i = 0; i < spool->committed; i++) {
		const struct fake_record *record = &spool->records[i];
		if (record->kind != SPOOL_ENVELOPE || !slice_equal(record->topic, question->topic)) continue;
		question->last_sequence = record->sequence;
		question->recent[question->recent_count++] =
			(struct history_recent){record->id_hash, record->text_hash};
	}
}

static inline void fake_answer(struct store *store, struct history *question) {
	const struct spool *spool = &store->spool;
	uint64_t after = question->from;
	if (store->answer_fails) {
		question->failed = !fault_set(&question->why, FAULT_IO, "the archive cannot be read");
		question->answered(question);
		return;
	}
	question->found = question->from > 0;
	for (size_t i = 0; i < spool->committed && question->after.length; i++) {
		if (spool->records[i].id_hash != store_hash(store, question->after)) continue;
		question->found = true;
		after = spool->records[i].sequence;
	}
	if (question->kind == HISTORY_ROOM) fake_remember(spool, question);
	struct history_record *records = (calloc)(spool->committed + 1, sizeof *records);
	question->memory = question->records = records;
	for (size_t i = 0; i < spool->committed; i++) {
		const struct fake_record *record = &spool->records[i];
		if (!fake_is_wanted(store, question, record, after)) continue;
		if (question->kind == HISTORY_SINCE && store->page && question->count == store->page) {
			question->more = true;
			break;
		}
		if (question->kind == HISTORY_TAIL && question->count == question->limit) {
			memmove(records, records + 1, --question->count * sizeof *records);
		}
		records[question->count++] = (struct history_record){record->sequence, 0, record->text};
	}
	question->answered(question);
}

/* Answers everything that was asked until now. */
static inline void store_answer(struct store *store) {
	size_t count = store->question_count;
	struct history *asked[FAKE_QUESTIONS];
	memcpy(asked, store->questions, sizeof asked);
	store->question_count = 0;
	for (size_t i = 0; i < count; i++) fake_answer(store, asked[i]);
}

static inline void fake_store_finish(struct store *store) {
	fake_forget(&store->spool, 0);
	free(store->spool.records);
}

#endif
