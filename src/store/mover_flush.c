/* SPDX-License-Identifier: Apache-2.0 */
/* Mover, flushing: gathers a topic's envelopes from where they lie in the spools and writes them into
 * the archive side by side, some mebibyte a transaction. */
#include "store/mover_parts.h"

#include "base/clock.h"
#include "base/map.h"
#include "store/mover_positions.h"
#include "store/retention.h"
#include "store/spool_segment.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define OVERHANG (MOVER_PIECE / 4) /* by which a piece may be longer, so that a topic stays together */

/* Entries that go into the archive in one transaction. */
struct group {
	const uint32_t *topic; /* NULL: of all topics, as they are sorted */
	size_t from;
	size_t to;
	size_t octets;
};

uint32_t mover_topic_hash(const struct mover *mover, struct slice topic) {
	return (uint32_t)map_hash(mover->store->id_seed, topic);
}

bool mover_piece_memory(struct mover *mover, size_t size, struct fault *why) {
	if (size <= mover->piece_size) return true;
	char *piece = realloc(mover->piece, size);
	if (!piece) return fault_set(why, FAULT_NO_MEMORY, "no memory to read the spool");
	mover->piece = piece;
	mover->piece_size = size;
	return true;
}

/* ---- Segments ---- */

static struct segment *first_of(struct mover *mover, unsigned spool, struct link *behind) {
	for (; spool < mover->store->spool_count; spool++, behind = NULL) {
		struct spool *own = &mover->store->spools[spool];
		struct segment *found = NULL;
		pthread_mutex_lock(&own->lock);
		struct link *next = behind ? behind->next : own->segments.next;
		if (next != &own->segments) found = CONTAINER_OF(next, struct segment, link);
		pthread_mutex_unlock(&own->lock);
		if (found) return found;
	}
	return NULL;
}

static bool is_earlier(const struct mover *mover, const struct segment *segment) {
	return segment->name.generation != mover->store->generation;
}

struct segment *mover_segment_after(struct mover *mover, struct segment *segment) {
	if (segment && !is_earlier(mover, segment))
		return first_of(mover, segment->name.spool, &segment->link);
	struct link *next = segment ? segment->link.next : mover->earlier.next;
	if (next != &mover->earlier) return CONTAINER_OF(next, struct segment, link);
	return first_of(mover, 0, NULL);
}

/* Its position stays until the next opening: a power cut may bring the file back. */
void mover_drop(struct mover *mover, struct segment *segment) {
	char text[SEGMENT_NAME];
	segment_name_write(&segment->name, text);
	if (unlinkat(mover->store->spool_folder, text, 0) != 0 && errno != ENOENT)
		log_write(mover->store->log, LOG_WARNING, "store: the moved segment %s cannot be deleted: %s", text,
			strerror(errno));
	if (is_earlier(mover, segment)) {
		segment_close(segment);
		mover->earlier_count--;
		return;
	}
	struct spool *spool = &mover->store->spools[segment->name.spool];
	pthread_mutex_lock(&spool->lock);
	segment_close(segment);
	pthread_mutex_unlock(&spool->lock);
}

/* ---- Settling: how far segments are moved ---- */

/* Up to the first envelope that still waits. */
static void choose_goals(struct mover *mover) {
	const struct mover_index *index = &mover->index;
	for (struct segment *at = NULL; (at = mover_segment_after(mover, at));) at->goal = at->scanned;
	if (index->waiting == 0) return;
	for (size_t i = index->at; i < index->count; i++) {
		const struct mover_entry *entry = &index->entries[i];
		if (entry->state != ENTRY_WAITS) continue;
		if (entry->offset < entry->segment->goal) entry->segment->goal = entry->offset;
	}
}

/* One that is read again, after a kill, may have been scanned farther before. */
static bool put_goals(struct mover *mover, struct fault *why) {
	for (struct segment *at = NULL; (at = mover_segment_after(mover, at));) {
		int64_t scanned = at->scanned > at->apart ? at->scanned : at->apart;
		if (at->goal <= at->moved) continue;
		if (!mover_position_set(mover->archive, &at->name, at->goal, scanned, why)) return false;
	}
	return true;
}

bool mover_make_safe(struct mover *mover) {
	struct fault why;
	if (!archive_checkpoint_now(mover->archive, &why))
		log_write(mover->store->log, LOG_WARNING, "store: %s", why.text);
	if (archive_sync(mover->archive, &why)) return true;
	log_write(mover->store->log, LOG_ERROR, "store: what was moved stays in the spool as well: %s", why.text);
	return false;
}

static void reach_goals(struct mover *mover) {
	struct segment *next = mover_segment_after(mover, NULL);
	bool is_synced = false, is_safe = false;
	for (struct segment *at; (at = next);) {
		/* Asked first: once it is sealed its end does not move any more. */
		bool is_sealed = atomic_load(&at->is_sealed);
		next = mover_segment_after(mover, at);
		if (at->goal > at->moved) {
			if (!is_earlier(mover, at)) atomic_fetch_sub(&mover->store->backlog, at->goal - at->moved);
			at->moved = at->goal;
		}
		if (!is_sealed || at->moved < atomic_load(&at->end)) continue;
		if (!is_synced) is_safe = mover_make_safe(mover);
		is_synced = true;
		if (is_safe) mover_drop(mover, at);
	}
}

/* When no envelope had to be moved: what was scanned, and what is only to be deleted. */
static bool settle(struct mover *mover, struct fault *why) {
	bool is_behind = false;
	choose_goals(mover);
	for (struct segment *at = NULL; (at = mover_segment_after(mover, at));)
		is_behind = is_behind || at->goal > at->moved;
	if (is_behind) {
		if (!database_begin(mover->archive->database, why)) return false;
		if (!put_goals(mover, why)) {
			database_rollback(mover->archive->database);
			return false;
		}
		if (!database_commit(mover->archive->database, why)) return false;
	}
	reach_goals(mover);
	return true;
}

/* ---- One group ---- */

static bool is_enough(const struct group *group, uint32_t last, const struct mover_entry *next) {
	if (group->octets + next->size <= MOVER_PIECE || group->octets == 0) return false;
	return next->topic != last || group->octets + next->size > MOVER_PIECE + OVERHANG;
}

static bool is_wanted(const struct group *group, const struct mover_entry *entry) {
	return entry->state == ENTRY_WAITS && (!group->topic || entry->topic == *group->topic);
}

/* Takes entries and reads their records, those that lie together at once. */
static bool gather(struct mover *mover, struct group *group, struct fault *why) {
	struct mover_index *index = &mover->index;
	const struct mover_entry *run = NULL, *end = NULL; /* from .. before */
	size_t length = 0;                                 /* of the run; it is at the end of the piece */
	uint32_t last = 0;
	for (size_t i = group->from; i <= index->count; i++) {
		bool is_over = i == (group->topic ? index->count : index->sorted);
		const struct mover_entry *entry = is_over ? NULL : &index->entries[i];
		if (entry && !is_wanted(group, entry)) continue;
		if (entry && is_enough(group, last, entry)) entry = NULL;
		bool is_next = entry && run && entry->segment == run->segment &&
			entry->offset == end->offset + end->size;
		if (run && !is_next &&
			!segment_read(run->segment, run->offset, mover->piece + group->octets - length, length, why))
			return false;
		group->to = i;
		if (!entry) return true;
		if (!is_next) {
			run = entry;
			length = 0;
		}
		if (!mover_piece_memory(mover, group->octets + entry->size, why)) return false;
		mover_index_take(index, i);
		length += entry->size;
		group->octets += entry->size;
		end = entry;
		last = entry->topic;
	}
	return true;
}

static bool put_rows(struct mover *mover, bool settles, struct fault *why) {
	struct archive *archive = mover->archive;
	if (!mover_batch_put_envelopes(&mover->batch, archive, clock_wall_ms(), why)) return false;
	if (!retention_after_move(archive, mover->store, &mover->batch, why)) return false;
	if (!settles) return true;
	choose_goals(mover);
	return put_goals(mover, why);
}

static bool put_group(struct mover *mover, const struct group *group, bool settles, struct fault *why) {
	size_t used;
	if (!mover_batch_read(&mover->batch, slice_make(mover->piece, group->octets), &used, why)) return false;
	if (used != group->octets)
		return fault_set(why, FAULT_IO, "a record of the spool cannot be read any more");
	if (!database_begin(mover->archive->database, why)) return false;
	if (put_rows(mover, settles, why)) return database_commit(mover->archive->database, why);
	database_rollback(mover->archive->database);
	return false;
}

void mover_committed(struct mover *mover) {
	struct fault why;
	if (mover->batch.unreadable)
		log_write(mover->store->log, LOG_WARNING, "store: %zu audit records could not be read",
			mover->batch.unreadable);
	if (mover->batch.newest.row &&
		!audit_head_write(mover->archive->directory, &mover->batch.newest, &why))
		log_write(mover->store->log, LOG_WARNING, "store: audit.head was not written: %s", why.text);
	if (!archive_checkpoint(mover->archive, &why))
		log_write(mover->store->log, LOG_WARNING, "store: %s", why.text);
}

/* *moved false: there was nothing. */
static bool flush_group(struct mover *mover, struct group *group, bool *moved, struct fault *why) {
	struct mover_index *index = &mover->index;
	bool done = mover_piece_memory(mover, MOVER_PIECE, why) && gather(mover, group, why);
	bool settles = index->waiting == 0 || (!group->topic && group->to == index->sorted);
	*moved = group->octets > 0;
	done = done && (!*moved || put_group(mover, group, settles, why));
	mover_index_done(index, group->from, done ? group->to : index->count, done);
	if (!done || !*moved) return done;
	mover_committed(mover);
	if (settles) reach_goals(mover);
	return true;
}

/* ---- What is noted ---- */

bool mover_flush_step(struct mover *mover, bool *more, struct fault *why) {
	struct mover_index *index = &mover->index;
	bool moved = false;
	mover_index_sort(index);
	struct group group = {.from = index->at, .to = index->at};
	if (!flush_group(mover, &group, &moved, why)) return false;
	if (index->count) index->at = group.to;
	*more = index->at < index->sorted;
	return moved || settle(mover, why);
}

bool mover_flush(struct mover *mover, struct fault *why) {
	bool more;
	do
		if (!mover_flush_step(mover, &more, why)) return false;
	while (more || mover->index.waiting);
	return true;
}

bool mover_flush_topic(struct mover *mover, struct slice topic, struct fault *why) {
	uint32_t hash = mover_topic_hash(mover, topic);
	struct group group = {.topic = &hash, .from = mover->index.at};
	for (bool moved = true; moved && group.from < mover->index.count; group.from = group.to) {
		group.octets = 0;
		if (!flush_group(mover, &group, &moved, why)) return false;
	}
	return true;
}
