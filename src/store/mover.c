/* SPDX-License-Identifier: Apache-2.0 */
/* Mover: opening, and what the store's thread asks of it. Scanning is mover_scan.c, writing
 * mover_flush.c. */
#include "store/mover.h"

#include "base/clock.h"
#include "store/mover_parts.h"
#include "store/mover_positions.h"
#include "store/spool_segment.h"

#include <stdlib.h>

#define TRIAL_LIMIT (64 * 1024 * 1024)

bool mover_scan(struct mover *mover, struct fault *why) {
	return mover_scan_all(mover, why);
}

bool mover_topic(struct mover *mover, struct slice topic, struct fault *why) {
	return mover_flush_topic(mover, topic, why);
}

bool mover_step(struct mover *mover, bool *more, struct fault *why) {
	return mover_flush_step(mover, more, why);
}

bool mover_run(struct mover *mover, struct fault *why) {
	return mover_scan_all(mover, why) && mover_flush(mover, why);
}

/* ---- The full disk ---- */

static bool try_segment(struct mover *mover, const struct segment *segment, struct fault *why) {
	int64_t end = atomic_load_explicit(&segment->end, memory_order_acquire);
	int64_t others = segment->apart > segment->scanned ? segment->apart : segment->scanned;
	size_t used = 1;
	for (int64_t at = segment->moved; used && at < end; at += (int64_t)used) {
		size_t skip = others > at ? (size_t)(others - at) : 0;
		if (!mover_records_read(mover, segment, at, end, &used, why) ||
			!mover_batch_put_envelopes(&mover->batch, mover->archive, clock_wall_ms(), why) ||
			!mover_batch_put_others(&mover->batch, mover->archive, skip, why))
			return false;
	}
	return true;
}

static bool try_all(struct mover *mover, struct fault *why) {
	struct segment *segment = NULL;
	while ((segment = mover_segment_after(mover, segment)))
		if (!try_segment(mover, segment, why)) return false;
	return true;
}

/* Whether what waits is little enough to be held in memory. */
static bool may_try(struct mover *mover, struct fault *why) {
	int64_t octets = 0;
	struct segment *segment = NULL;
	bool more = true;
	while (more && mover->earlier_count < MOVER_EARLIER)
		if (!mover_scan_earlier(mover, &more, why)) return false;
	while ((segment = mover_segment_after(mover, segment)))
		octets += atomic_load(&segment->end) - segment->moved;
	if (!more && octets <= TRIAL_LIMIT) return true;
	return fault_set(why, FAULT_FULL, "the disk is full, and over %d MiB wait to be stored",
		TRIAL_LIMIT / (1024 * 1024));
}

bool mover_try(struct mover *mover, struct fault *why) {
	if (!may_try(mover, why)) return false;
	if (!database_begin(mover->archive->database, why)) return false;
	if (try_all(mover, why)) return true;
	mover_try_end(mover);
	return false;
}

void mover_try_end(struct mover *mover) {
	database_rollback(mover->archive->database);
}

/* ---- Memory, and the end ---- */

void mover_rest(struct mover *mover) {
	mover_batch_finish(&mover->batch);
	if (mover->index.waiting == 0) mover_index_finish(&mover->index);
	free(mover->piece);
	mover->piece = NULL;
	mover->piece_size = 0;
	sqlite3_db_release_memory(mover->archive->database);
}

void mover_clear(struct mover *mover) {
	struct segment *segment;
	if (!mover_make_safe(mover)) return; /* the next opening finds them moved */
	while ((segment = mover_segment_after(mover, NULL))) mover_drop(mover, segment);
	for (unsigned i = 0; i < mover->store->spool_count; i++) mover->store->spools[i].current = NULL;
}

struct mover *mover_open(struct store *store, struct fault *why) {
	struct fault kept;
	struct mover *mover = calloc(1, sizeof *mover);
	if (!mover) return fault_null(why, FAULT_NO_MEMORY, "no memory for the store");
	mover->store = store;
	mover->archive = store->archive;
	list_init(&mover->earlier);
	if (!segment_list(store->spool_folder, &mover->left, &mover->left_count, why) ||
		!mover_positions_next(store->archive, mover->left, mover->left_count, &store->generation, why)) {
		mover_close(mover);
		return NULL;
	}
	/* Should it fail they do no harm. */
	if (!mover_positions_forget(store->archive, store->spool_folder, mover->left, mover->left_count, &kept))
		log_write(store->log, LOG_DEBUG, "store: old positions are kept: %s", kept.text);
	return mover;
}

void mover_close(struct mover *mover) {
	if (!mover) return;
	LIST_EACH_SAFE(link, &mover->earlier)
		segment_close(CONTAINER_OF(link, struct segment, link));
	mover_index_finish(&mover->index);
	mover_rest(mover);
	free(mover->left);
	free(mover);
}
