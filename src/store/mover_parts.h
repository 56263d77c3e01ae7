/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mover parts: what the files of the mover share. Each calls those before it in this list alone:
 * mover_index, mover_batch, mover_positions; mover_flush (index to archive); mover_scan (spools to
 * index); mover.
 */
#ifndef HUSTINGS_STORE_MOVER_PARTS_H
#define HUSTINGS_STORE_MOVER_PARTS_H

#include "store/mover_batch.h"
#include "store/mover_index.h"
#include "store/store_parts.h"

#define MOVER_PIECE (1024 * 1024) /* octets that are read, or put into one transaction, at a time */
#define MOVER_EARLIER 64          /* segments of earlier openings that are open at a time */

struct mover {
	struct store *store;
	struct archive *archive;
	struct segment_name *left; /* by earlier openings, by name */
	size_t left_count;
	size_t left_at; /* those before are in `earlier`, or gone */
	struct link earlier;
	size_t earlier_count;
	struct mover_index index;
	struct mover_batch batch;
	char *piece;
	size_t piece_size;
};

/* mover_flush.c */

/* The segment behind this one, NULL being before the first and behind the last: those of earlier
 * openings, then those of the spools. It lives until the mover drops it. */
struct segment *mover_segment_after(struct mover *mover, struct segment *segment);
bool mover_piece_memory(struct mover *mover, size_t size, struct fault *why) MUST_USE;
/* What is said and done after records other than envelopes were committed. */
void mover_committed(struct mover *mover);
/* Moves some mebibyte of what is noted; *more false: nothing that was noted before the first step is
 * left. */
bool mover_flush_step(struct mover *mover, bool *more, struct fault *why) MUST_USE;
/* Everything that is noted. */
bool mover_flush(struct mover *mover, struct fault *why) MUST_USE;
bool mover_flush_topic(struct mover *mover, struct slice topic, struct fault *why) MUST_USE;
/* What a segment held must be on the disk before the segment goes: a power cut could take both. False: it
 * is said why; segments stay, and go after a later move. */
bool mover_make_safe(struct mover *mover) MUST_USE;
/* Deletes a segment that is wholly in the archive. */
void mover_drop(struct mover *mover, struct segment *segment);
uint32_t mover_topic_hash(const struct mover *mover, struct slice topic);

/* mover_scan.c */

/* Opens what earlier runs left, a few at a time, or the next of them. Segments that hold nothing
 * readable are as good as moved. */
bool mover_scan_earlier(struct mover *mover, bool *more, struct fault *why) MUST_USE;
/* Whole records from `position` on: *used is 0 where there are none before `end`. */
bool mover_records_read(struct mover *mover, const struct segment *segment, int64_t position,
	int64_t end, size_t *used, struct fault *why) MUST_USE;
/* Notes what was committed and not looked at yet. */
bool mover_scan_all(struct mover *mover, struct fault *why) MUST_USE;

#endif
