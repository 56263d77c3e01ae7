/* SPDX-License-Identifier: Apache-2.0 */
/* Mover: reads segments by descriptors of its own, writes what they hold, deletes them. */
#include "store/mover.h"

#include "base/clock.h"
#include "store/mover_batch.h"
#include "store/retention.h"
#include "store/spool_record.h"
#include "store/spool_segment.h"
#include "store/store_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE (1024 * 1024)
#define TRIAL_LIMIT (64 * 1024 * 1024)

enum {
	MOVED_FIND,
	MOVED_SET,
	MOVED_DROP,
	MOVED_EACH,
	MOVED_STATEMENTS
};

static const char *const texts[MOVED_STATEMENTS] = {
	[MOVED_FIND] = "SELECT position FROM moved WHERE segment = ?1",
	[MOVED_SET] = "INSERT OR REPLACE INTO moved (segment, position) VALUES (?1, ?2)",
	[MOVED_DROP] = "DELETE FROM moved WHERE segment = ?1",
	[MOVED_EACH] = "SELECT segment FROM moved ORDER BY segment",
};

struct mover {
	struct store *store;
	struct archive *archive;
	struct segment_name *left; /* by earlier openings */
	size_t left_count;
	size_t left_at;
	char *piece;
	size_t piece_size;
	struct mover_batch batch;
	bool is_trial; /* nothing is committed, nothing noted, nothing deleted */
};

/* A segment as it is being read. */
struct source {
	struct segment_name name;
	char text[SEGMENT_NAME];
	int file;
	int64_t position;
	int64_t end;
};

bool mover_rows_init(struct archive *archive, struct fault *why) {
	return statements_init(&archive->moved, archive->database, texts, MOVED_STATEMENTS, why);
}

/* ---- Positions ---- */

static bool position_find(struct archive *archive, const char *segment, int64_t *position,
	struct fault *why) {
	AUTO_RESET sqlite3_stmt *find = statement(&archive->moved, MOVED_FIND, why);
	if (!find) return false;
	statement_bind_text(find, 1, slice_of(segment));
	enum statement_step step = statement_step(find, why);
	if (step == STATEMENT_ROW) *position = sqlite3_column_int64(find, 0);
	return step != STATEMENT_FAILED;
}

static bool position_set(struct archive *archive, const char *segment, int64_t position,
	struct fault *why) {
	AUTO_RESET sqlite3_stmt *set = statement(&archive->moved, MOVED_SET, why);
	if (!set) return false;
	statement_bind_text(set, 1, slice_of(segment));
	sqlite3_bind_int64(set, 2, position);
	return statement_run(set, why);
}

/* Its position stays until the next opening: a power cut may bring the file back. */
static void segment_delete(struct mover *mover, const char *segment) {
	if (unlinkat(mover->store->spool_folder, segment, 0) == 0 || errno == ENOENT) return;
	log_write(mover->store->log, LOG_WARNING, "store: the moved segment %s cannot be deleted: %s",
		segment, strerror(errno));
}

/* ---- One piece ---- */

static bool piece_memory(struct mover *mover, size_t size, struct fault *why) {
	if (size <= mover->piece_size) return true;
	char *piece = realloc(mover->piece, size);
	if (!piece) return fault_set(why, FAULT_NO_MEMORY, "no memory to read the spool");
	mover->piece = piece;
	mover->piece_size = size;
	return true;
}

static bool piece_read(const struct source *source, char *to, size_t length, struct fault *why) {
	for (size_t at = 0; at < length;) {
		ssize_t count = pread(source->file, to + at, length - at, source->position + (int64_t)at);
		if (count < 0 && errno == EINTR) continue;
		if (count < 0) return fault_errno(why, errno, "reading the spool segment %s", source->text);
		if (count == 0)
			return fault_set(why, FAULT_IO, "the spool segment %s became shorter", source->text);
		at += (size_t)count;
	}
	return true;
}

/* Whole records from the position on: *used is 0 where there are none. */
static bool records_read(struct mover *mover, const struct source *source, size_t *used,
	struct fault *why) {
	size_t left = (size_t)(source->end - source->position);
	size_t length = left < PIECE ? left : PIECE;
	if (!piece_memory(mover, length, why) || !piece_read(source, mover->piece, length, why)) return false;
	size_t claim = spool_record_claim(slice_make(mover->piece, length));
	if (claim > length && claim <= left) {
		length = claim;
		if (!piece_memory(mover, length, why) || !piece_read(source, mover->piece, length, why))
			return false;
	}
	return mover_batch_read(&mover->batch, slice_make(mover->piece, length), used, why);
}

static bool is_zero(const char *octets, size_t length) {
	for (size_t i = 0; i < length; i++)
		if (octets[i]) return false;
	return true;
}

/* Nothing whole begins at the position: what is behind is cut off. Zeros were reserved, no more. */
static void say_cut(struct mover *mover, const struct source *source) {
	size_t left = (size_t)(source->end - source->position);
	if (is_zero(mover->piece, left < PIECE ? left : PIECE)) return;
	log_write(mover->store->log, LOG_WARNING,
		"store: the spool segment %s ends torn: %lld octets from %lld on are cut off", source->text,
		(long long)left, (long long)source->position);
}

static bool piece_put(struct mover *mover, const struct source *source, int64_t position,
	struct fault *why) {
	struct archive *archive = mover->archive;
	if (mover->is_trial) return mover_batch_put(&mover->batch, archive, clock_wall_ms(), why);
	if (!database_begin(archive->database, why)) return false;
	if (mover_batch_put(&mover->batch, archive, clock_wall_ms(), why) &&
		position_set(archive, source->text, position, why) &&
		retention_after_move(archive, mover->store, &mover->batch, why))
		return database_commit(archive->database, why);
	database_rollback(archive->database);
	return false;
}

static void after_commit(struct mover *mover) {
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

static bool move_piece(struct mover *mover, struct source *source, struct fault *why) {
	size_t used;
	if (!records_read(mover, source, &used, why)) return false;
	int64_t position = source->position + (int64_t)used;
	if (used == 0) {
		if (!mover->is_trial) say_cut(mover, source);
		position = source->end;
	}
	if (!piece_put(mover, source, position, why)) return false;
	if (!mover->is_trial) after_commit(mover);
	source->position = position;
	return true;
}

/* ---- Segments ---- */

static bool source_open(struct mover *mover, struct source *source, struct fault *why) {
	segment_name_write(&source->name, source->text);
	source->file = openat(mover->store->spool_folder, source->text, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (source->file >= 0) return true;
	return fault_errno(why, errno, "the spool segment %s", source->text);
}

static bool has_magic(const struct source *source) {
	char magic[SPOOL_MAGIC_SIZE];
	if (pread(source->file, magic, sizeof magic, 0) != sizeof magic) return false;
	return memcmp(magic, SPOOL_MAGIC, sizeof magic) == 0;
}

static bool move_left(struct mover *mover, const struct segment_name *name, struct fault *why) {
	struct source source = {.name = *name, .position = SPOOL_MAGIC_SIZE};
	struct stat found;
	struct fault missing;
	if (!source_open(mover, &source, &missing)) {
		if (missing.code == FAULT_NOT_FOUND) return true; /* somebody took it away */
		if (why) *why = missing;
		return false;
	}
	AUTO_CLOSE int file = source.file;
	if (fstat(file, &found) != 0) return fault_errno(why, errno, "the spool segment %s", source.text);
	source.end = found.st_size;
	if (!position_find(mover->archive, source.text, &source.position, why)) return false;
	if (!has_magic(&source)) {
		if (!mover->is_trial)
			log_write(mover->store->log, LOG_WARNING,
				"store: the spool segment %s holds nothing readable", source.text);
		source.position = source.end;
	}
	while (source.position < source.end)
		if (!move_piece(mover, &source, why)) return false;
	if (!mover->is_trial) segment_delete(mover, source.text);
	return true;
}

static bool move_segment(struct mover *mover, struct segment *segment, struct fault *why) {
	int64_t end = atomic_load_explicit(&segment->end, memory_order_acquire);
	if (segment->moved >= end) return true;

	struct source source = {.name = segment->name, .position = segment->moved, .end = end};
	if (!source_open(mover, &source, why)) return false;
	AUTO_CLOSE int file = source.file;
	while (source.position < source.end) {
		if (!move_piece(mover, &source, why)) return false;
		if (mover->is_trial) continue;
		atomic_fetch_sub(&mover->store->backlog, source.position - segment->moved);
		segment->moved = source.position;
	}
	return true;
}

/* The segment behind this one (NULL: the first). Whole as a struct while the mover does not drop it. */
static struct segment *segment_after(struct spool *spool, struct segment *segment) {
	pthread_mutex_lock(&spool->lock);
	struct link *next = segment ? segment->link.next : spool->segments.next;
	struct segment *found = NULL;
	if (next != &spool->segments) found = CONTAINER_OF(next, struct segment, link);
	pthread_mutex_unlock(&spool->lock);
	return found;
}

static void segment_drop(struct mover *mover, struct spool *spool, struct segment *segment) {
	char text[SEGMENT_NAME];
	segment_name_write(&segment->name, text);
	segment_delete(mover, text);
	pthread_mutex_lock(&spool->lock);
	segment_close(segment);
	pthread_mutex_unlock(&spool->lock);
}

static bool move_spool(struct mover *mover, struct spool *spool, struct fault *why) {
	struct segment *segment = segment_after(spool, NULL);
	while (segment) {
		/* Asked first: once it is sealed its end does not move any more. */
		bool is_sealed = atomic_load(&segment->is_sealed);
		if (!move_segment(mover, segment, why)) return false;
		struct segment *next = segment_after(spool, segment);
		if (is_sealed && !mover->is_trial) segment_drop(mover, spool, segment);
		segment = next;
	}
	return true;
}

static bool move_spools(struct mover *mover, struct fault *why) {
	for (unsigned i = 0; i < mover->store->spool_count; i++)
		if (!move_spool(mover, &mover->store->spools[i], why)) return false;
	return true;
}

bool mover_run(struct mover *mover, struct fault *why) {
	for (; mover->left_at < mover->left_count; mover->left_at++)
		if (!move_left(mover, &mover->left[mover->left_at], why)) return false;
	return move_spools(mover, why);
}

bool mover_try(struct mover *mover, struct fault *why) {
	if (store_backlog(mover->store) > TRIAL_LIMIT)
		return fault_set(why, FAULT_FULL, "the disk is full, and over %d MiB wait to be stored",
			TRIAL_LIMIT / (1024 * 1024));
	if (!database_begin(mover->archive->database, why)) return false;
	mover->is_trial = true;
	bool done = true;
	for (size_t i = mover->left_at; done && i < mover->left_count; i++)
		done = move_left(mover, &mover->left[i], why);
	done = done && move_spools(mover, why);
	mover->is_trial = false;
	if (!done) mover_try_end(mover);
	return done;
}

void mover_try_end(struct mover *mover) {
	database_rollback(mover->archive->database);
}

void mover_rest(struct mover *mover) {
	mover_batch_finish(&mover->batch);
	free(mover->piece);
	mover->piece = NULL;
	mover->piece_size = 0;
	sqlite3_db_release_memory(mover->archive->database);
}

void mover_clear(struct mover *mover) {
	for (unsigned i = 0; i < mover->store->spool_count; i++) {
		struct spool *spool = &mover->store->spools[i];
		struct segment *segment;
		while ((segment = segment_after(spool, NULL))) segment_drop(mover, spool, segment);
		spool->current = NULL;
	}
}

/* ---- Opening ---- */

/* One more than any that a file or a position still speaks of. */
static bool choose_generation(struct mover *mover, struct fault *why) {
	uint64_t newest = 0;
	struct segment_name name;
	if (mover->left_count) newest = mover->left[mover->left_count - 1].generation;
	AUTO_RESET sqlite3_stmt *each = statement(&mover->archive->moved, MOVED_EACH, why);
	if (!each) return false;
	for (enum statement_step step; (step = statement_step(each, why)) != STATEMENT_DONE;) {
		if (step == STATEMENT_FAILED) return false;
		const char *text = (const char *)sqlite3_column_text(each, 0);
		if (text && segment_name_read(text, &name) && name.generation > newest)
			newest = name.generation;
	}
	mover->store->generation = newest + 1;
	return true;
}

static bool is_left(const struct mover *mover, const char *segment) {
	struct segment_name name;
	return segment_name_read(segment, &name) && mover->left_count &&
		bsearch(&name, mover->left, mover->left_count, sizeof name, segment_name_compare);
}

static bool position_drop(struct mover *mover, struct slice segment, struct fault *why) {
	AUTO_RESET sqlite3_stmt *drop = statement(&mover->archive->moved, MOVED_DROP, why);
	if (!drop) return false;
	statement_bind_text(drop, 1, segment);
	return statement_run(drop, why);
}

/* Positions of segments that are gone for good. Should it fail they do no harm. */
static bool forget_positions(struct mover *mover, struct fault *why) {
	AUTO_TEXT struct text gone = {0};
	text_init(&gone, 0);
	AUTO_RESET sqlite3_stmt *each = statement(&mover->archive->moved, MOVED_EACH, why);
	enum statement_step step = STATEMENT_FAILED;
	while (each && (step = statement_step(each, why)) == STATEMENT_ROW) {
		struct slice segment = statement_text(each, 0);
		if (is_left(mover, segment.bytes)) continue;
		text_add(&gone, segment);
		text_add_char(&gone, '\n');
	}
	if (step == STATEMENT_FAILED) return false;
	statement_reset(&each);
	if (gone.length == 0) return true;
	if (fsync(mover->store->spool_folder) != 0)
		return fault_errno(why, errno, "the spool folder cannot be synced");
	if (!database_begin(mover->archive->database, why)) return false;
	struct slice rest = text_slice(&gone), segment;
	bool done = true;
	while (done && slice_split(&rest, '\n', &segment))
		done = segment.length == 0 || position_drop(mover, segment, why);
	if (done) return database_commit(mover->archive->database, why);
	database_rollback(mover->archive->database);
	return false;
}

struct mover *mover_open(struct store *store, struct fault *why) {
	struct mover *mover = calloc(1, sizeof *mover);
	if (!mover) return fault_null(why, FAULT_NO_MEMORY, "no memory for the store");
	mover->store = store;
	mover->archive = store->archive;
	if (segment_list(store->spool_folder, &mover->left, &mover->left_count, why) &&
		choose_generation(mover, why)) {
		struct fault kept;
		if (!forget_positions(mover, &kept))
			log_write(store->log, LOG_DEBUG, "store: old positions are kept: %s", kept.text);
		return mover;
	}
	mover_close(mover);
	return NULL;
}

void mover_close(struct mover *mover) {
	if (!mover) return;
	mover_rest(mover);
	free(mover->left);
	free(mover);
}
