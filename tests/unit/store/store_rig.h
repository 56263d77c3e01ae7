/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Store rig: a data folder of the test's own, records for its spools, and a loop that waits for
 * one answer.
 */
#ifndef HUSTINGS_TESTS_STORE_RIG_H
#define HUSTINGS_TESTS_STORE_RIG_H

#include "check.h"

#include "store/audit.h"
#include "store/history.h"
#include "store/spool.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct folder {
	char path[64];
};

static inline void folder_make_in(struct folder *folder, const char *where) {
	snprintf(folder->path, sizeof folder->path, "%s/hustings-store-XXXXXX", where);
	assert_non_null(mkdtemp(folder->path));
}

static inline void folder_make(struct folder *folder) {
	folder_make_in(folder, "/tmp");
}

static int folder_remove_one(const char *path, const struct stat *found, int type, struct FTW *walk) {
	(void)found, (void)type, (void)walk;
	return remove(path);
}

static inline void folder_remove(struct folder *folder) {
	nftw(folder->path, folder_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static inline struct store *store_start(const struct folder *folder, unsigned spools) {
	struct store_options options = {.directory = folder->path, .spools = spools};
	struct fault why = {0};
	struct store *store = store_open(&options, &why);
	if (!store) fail_msg("%s", why.text);
	return store;
}

/* The envelope that say() stores: its id is "ID-sequence". */
static inline void envelope_text(struct text *text, const char *id, uint64_t sequence) {
	text_clear(text);
	text_printf(text,
		"{\"protocol\":\"mcpx/v0.1\",\"id\":\"%s-%llu\",\"from\":\"alice\",\"kind\":\"chat\","
		"\"payload\":{\"text\":\"number %llu\"}}",
		id, (unsigned long long)sequence, (unsigned long long)sequence);
}

static inline void say_at(struct store *store, unsigned spool, const char *topic, uint64_t sequence,
	int64_t moment) {
	AUTO_TEXT struct text text = {0};
	char id[64];
	struct fault why = {0};
	text_init(&text, 0);
	envelope_text(&text, topic, sequence);
	snprintf(id, sizeof id, "%s-%llu", topic, (unsigned long long)sequence);
	struct spool_record record = {
		.kind = SPOOL_ENVELOPE,
		.sequence = sequence,
		.moment = moment,
		.id_hash = store_hash(store, slice_of(id)),
		.text_hash = sequence * 3,
		.topic = slice_of(topic),
	};
	struct slice piece = text_slice(&text);
	if (!spool_reserve(store_spool(store, spool), piece.length, &why)) fail_msg("%s", why.text);
	if (!spool_add(store_spool(store, spool), &record, &piece, 1, &why)) fail_msg("%s", why.text);
}

static inline void say(struct store *store, unsigned spool, const char *topic, uint64_t sequence) {
	say_at(store, spool, topic, sequence, (int64_t)sequence * 1000);
}

static inline void commit(struct store *store, unsigned spool) {
	struct fault why = {0};
	if (!spool_commit(store_spool(store, spool), &why)) fail_msg("%s", why.text);
}

static inline void history_is_answered(struct history *history) {
	loop_stop(history->loop);
}

/* Asks and waits; the loop is of this call alone. */
static inline void ask(struct store *store, struct history *history) {
	struct fault why = {0};
	history->loop = loop_open(&why);
	assert_non_null(history->loop);
	history->answered = history_is_answered;
	if (!history_ask(store, history, &why)) fail_msg("%s", why.text);
	loop_run(history->loop);
	loop_close(history->loop);
	if (history->failed) fail_msg("%s", history->why.text);
}

#endif
