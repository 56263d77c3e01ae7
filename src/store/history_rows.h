/* SPDX-License-Identifier: Apache-2.0 */
/*
 * History rows: topics and their batches of envelopes in the archive.
 *
 * A batch row is read while its statement stands on it: its slices are borrowed until the walk goes
 * on. Small batches are joined with what comes next, so that a quiet topic is not one row for every
 * envelope. Spans and hashes are little-endian, as migrations.c says.
 */
#ifndef HUSTINGS_STORE_HISTORY_ROWS_H
#define HUSTINGS_STORE_HISTORY_ROWS_H

#include "store/archive.h"
#include "store/spool.h"

#define BATCH_COUNT 4096          /* envelopes of one row */
#define BATCH_OCTETS (256 * 1024) /* of its texts; one envelope may be more */

struct history_topic {
	int64_t topic_id; /* 0: there is none */
	uint64_t last_sequence;
	int64_t kept;
	int64_t octets;
};

struct history_batch {
	sqlite3_stmt *from;
	int64_t batch_id;
	uint64_t first_sequence;
	uint64_t last_sequence;
	int64_t first_moment;
	int64_t last_moment;
	int64_t opened_at;
	int64_t stored_at;
	size_t seen;
	size_t kept;
	int64_t octets;
	struct slice hashes;
	struct slice spans;
};

struct history_span {
	uint64_t sequence;
	int64_t moment;
	uint32_t length;
};

bool history_rows_init(struct archive *archive, struct fault *why) MUST_USE;

bool history_topic_find(struct archive *archive, struct slice name, struct history_topic *topic,
	struct fault *why) MUST_USE;
/* Says how much of a topic is left after retention took some. */
bool history_topic_kept(struct archive *archive, const struct history_topic *topic,
	struct fault *why) MUST_USE;
typedef bool history_topic_seen(void *context, struct slice name, const struct history_topic *topic,
	struct fault *why);
/* By name, those behind `after`; false from `seen` ends the walk, a fault it set fails it. */
bool history_topics_walk(struct archive *archive, struct slice after, history_topic_seen *seen,
	void *context, struct fault *why) MUST_USE;

/* Adds a topic's envelopes in their order, inside the caller's transaction. Those whose sequence
 * is there already are left out. */
bool history_rows_put(struct archive *archive, struct slice topic,
	const struct spool_record *const *records, size_t count, int64_t now, struct fault *why) MUST_USE;

enum history_walk {
	HISTORY_NEWEST, /* kept batches that begin before `bound`, the newest first */
	HISTORY_OLDEST, /* kept batches that end at or after `bound`, the oldest first */
	HISTORY_ALL,    /* all batches, trimmed ones too, the newest first */
};
/* *go_on false ends the walk. */
typedef bool history_batch_seen(void *context, const struct history_batch *batch, bool *go_on,
	struct fault *why);
bool history_rows_walk(struct archive *archive, int64_t topic_id, enum history_walk how, uint64_t bound,
	history_batch_seen *seen, void *context, struct fault *why) MUST_USE;

struct history_span history_batch_span(const struct history_batch *batch, size_t at); /* of kept */
void history_batch_hashes(const struct history_batch *batch, size_t at, uint64_t *id, uint64_t *text);
/* The texts of all kept ones, in order; checked against the spans. */
bool history_batch_texts(const struct history_batch *batch, struct slice *texts,
	struct fault *why) MUST_USE;

#endif
