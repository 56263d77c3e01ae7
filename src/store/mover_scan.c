/* SPDX-License-Identifier: Apache-2.0 */
/* Mover, scanning: reads what was committed once, from its beginning to its end. Envelopes are noted,
 * all else goes into the archive at once, in its order. */
#include "store/mover_parts.h"

#include "store/mover_positions.h"
#include "store/spool_record.h"
#include "store/spool_segment.h"

/* ---- Reading ---- */

bool mover_records_read(struct mover *mover, const struct segment *segment, int64_t position,
	int64_t end, size_t *used, struct fault *why) {
	size_t left = (size_t)(end - position);
	size_t length = left < MOVER_PIECE ? left : MOVER_PIECE;
	if (!mover_piece_memory(mover, length, why)) return false;
	if (!segment_read(segment, position, mover->piece, length, why)) return false;
	size_t claim = spool_record_claim(slice_make(mover->piece, length));
	if (claim > length && claim <= left) {
		length = claim;
		if (!mover_piece_memory(mover, length, why)) return false;
		if (!segment_read(segment, position, mover->piece, length, why)) return false;
	}
	return mover_batch_read(&mover->batch, slice_make(mover->piece, length), used, why);
}

static bool is_zero(const char *octets, size_t length) {
	for (size_t i = 0; i < length; i++)
		if (octets[i]) return false;
	return true;
}

/* Nothing whole begins where it was scanned to: what is behind is cut off. Zeros were reserved, no
 * more. */
static void say_cut(struct mover *mover, const struct segment *segment, int64_t end) {
	char text[SEGMENT_NAME];
	size_t left = (size_t)(end - segment->scanned);
	if (is_zero(mover->piece, left < MOVER_PIECE ? left : MOVER_PIECE)) return;
	segment_name_write(&segment->name, text);
	log_write(mover->store->log, LOG_WARNING,
		"store: the spool segment %s ends torn: %lld octets from %lld on are cut off", text,
		(long long)left, (long long)segment->scanned);
}

/* ---- One piece ---- */

static bool put_others(struct mover *mover, const struct segment *segment, int64_t position,
	size_t skip, struct fault *why) {
	struct archive *archive = mover->archive;
	if (!database_begin(archive->database, why)) return false;
	if (!mover_batch_put_others(&mover->batch, archive, skip, why) ||
		!mover_position_set(archive, &segment->name, segment->moved, position, why)) {
		database_rollback(archive->database);
		return false;
	}
	if (!database_commit(archive->database, why)) return false;
	mover_committed(mover);
	return true;
}

static void note(struct mover *mover, struct segment *segment) {
	const struct mover_batch *batch = &mover->batch;
	for (size_t i = 0; i < batch->count; i++) {
		const struct spool_record *record = &batch->records[i];
		size_t size, place = mover_batch_place(batch, record, &size);
		if (record->kind != SPOOL_ENVELOPE) continue;
		mover_index_add(&mover->index, segment, segment->scanned + (int64_t)place, size,
			mover_topic_hash(mover, record->topic));
	}
}

static bool scan_piece(struct mover *mover, struct segment *segment, int64_t end, struct fault *why) {
	size_t used;
	if (!mover_records_read(mover, segment, segment->scanned, end, &used, why)) return false;
	int64_t position = segment->scanned + (int64_t)used;
	if (used == 0) {
		say_cut(mover, segment, end);
		position = end;
	}
	size_t skip = segment->apart > segment->scanned ? (size_t)(segment->apart - segment->scanned) : 0;
	if (!mover_index_reserve(&mover->index, mover->batch.count, why)) return false;
	if (mover_batch_has_others(&mover->batch, skip) && !put_others(mover, segment, position, skip, why))
		return false;
	note(mover, segment);
	segment->scanned = position;
	return true;
}

static bool scan(struct mover *mover, struct segment *segment, struct fault *why) {
	int64_t end = atomic_load_explicit(&segment->end, memory_order_acquire);
	while (segment->scanned < end) {
		/* Asked before the next piece: this segment is not wholly moved, and so not dropped. */
		if (mover->index.count >= MOVER_INDEX_LIMIT && !mover_flush(mover, why)) return false;
		if (!scan_piece(mover, segment, end, why)) return false;
	}
	return true;
}

/* ---- Segments ---- */

static bool has_magic(const struct segment *segment) {
	char magic[SPOOL_MAGIC_SIZE];
	if (atomic_load(&segment->end) < SPOOL_MAGIC_SIZE) return false;
	if (!segment_read(segment, 0, magic, sizeof magic, NULL)) return false;
	return memcmp(magic, SPOOL_MAGIC, sizeof magic) == 0;
}

static bool open_earlier(struct mover *mover, const struct segment_name *name, struct fault *why) {
	struct fault failed;
	AUTO(segment) segment = segment_again(mover->store->spool_folder, name, &failed);
	if (!segment) {
		if (failed.code == FAULT_NOT_FOUND) return true; /* somebody took it away */
		if (why) *why = failed;
		return false;
	}
	if (!mover_position_find(mover->archive, segment, why)) return false;
	if (!has_magic(segment)) {
		char text[SEGMENT_NAME];
		segment_name_write(name, text);
		log_write(mover->store->log, LOG_WARNING,
			"store: the spool segment %s holds nothing readable", text);
		segment->moved = segment->scanned = segment->goal = atomic_load(&segment->end);
	}
	list_append(&mover->earlier, &segment->link);
	mover->earlier_count++;
	(void)TAKE(segment);
	return true;
}

bool mover_scan_earlier(struct mover *mover, bool *more, struct fault *why) {
	*more = mover->left_at < mover->left_count;
	if (!*more || mover->earlier_count == MOVER_EARLIER) return true;
	if (!open_earlier(mover, &mover->left[mover->left_at], why)) return false;
	mover->left_at++;
	return true;
}

bool mover_scan_all(struct mover *mover, struct fault *why) {
	for (bool more = true; more;) {
		if (!mover_scan_earlier(mover, &more, why)) return false;
		LIST_EACH(link, &mover->earlier)
			if (!scan(mover, CONTAINER_OF(link, struct segment, link), why)) return false;
		if (more && mover->earlier_count == MOVER_EARLIER && !mover_flush(mover, why)) return false;
	}
	struct segment *segment = NULL;
	while ((segment = mover_segment_after(mover, segment)))
		if (!scan(mover, segment, why)) return false;
	return true;
}
