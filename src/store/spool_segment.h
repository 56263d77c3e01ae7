/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spool segment: one file of a spool, and the blocks that are reserved behind its end.
 *
 * Its name sorts: generation (one per opening of the store), spool, number. Within a generation a
 * topic lives in one spool alone, so reading segments by name reads every topic in its order. The
 * loop writes; the mover reads, up to `end`.
 */
#ifndef HUSTINGS_STORE_SPOOL_SEGMENT_H
#define HUSTINGS_STORE_SPOOL_SEGMENT_H

#include "base/fault.h"
#include "base/list.h"
#include "base/slice.h"

#include <stdatomic.h>

#define SEGMENT_NAME 40
#define SEGMENT_STEP (1024 * 1024) /* blocks are reserved by this much */

struct segment_name {
	uint64_t generation;
	uint32_t spool;
	uint32_t number;
};

struct segment {
	struct link link; /* in its spool, the oldest first */
	struct segment_name name;
	int descriptor;
	_Atomic int64_t end;    /* octets that are written whole */
	int64_t reserved;       /* octets that have their blocks */
	_Atomic bool is_sealed; /* nothing more is written */
	bool is_synced;         /* under the spool's lock: sealed, and safe from a power cut */
	bool is_named;          /* the same: its name is safe */
	bool has_no_fallocate;
	bool is_broken; /* a write failed half way and could not be undone: write no more */

	/* The mover's alone, octets: */
	int64_t moved;   /* wholly in history.db */
	int64_t scanned; /* its envelopes are in the mover's index, all else in history.db */
	int64_t apart;   /* up to here all else was there when the segment was opened again */
	int64_t goal;    /* what `moved` becomes when the transaction at hand is committed */
};

void segment_name_write(const struct segment_name *name, char text[SEGMENT_NAME]);
bool segment_name_read(const char *text, struct segment_name *name) MUST_USE;
int segment_name_compare(const void *a, const void *b); /* for qsort */

/* Makes the file, with its magic. */
struct segment *segment_open(int folder, const struct segment_name *name, struct fault *why) MUST_USE;
/* Opens one that an earlier run left, to be read: sealed, as long as the file. FAULT_NOT_FOUND: it is
 * gone. */
struct segment *segment_again(int folder, const struct segment_name *name, struct fault *why) MUST_USE;
void segment_close(struct segment *segment); /* the file stays; NULL is fine */
AUTO_RELEASE(segment, segment_close)
/* Blocks for everything up to `upto`, and for a step more when that can be had. */
bool segment_reserve(struct segment *segment, int64_t upto, struct fault *why) MUST_USE;
/* Just so many octets from a position on. */
bool segment_read(const struct segment *segment, int64_t from, char *to, size_t length,
	struct fault *why) MUST_USE;
/* Writes behind the end, all or nothing. */
bool segment_write(struct segment *segment, struct slice bytes, struct fault *why) MUST_USE;

/* The segments that lie in a folder, by name; free() them. */
bool segment_list(int folder, struct segment_name **names, size_t *count, struct fault *why) MUST_USE;
/* ENOSPC and its kin in words, FAULT_FULL; else fault_errno(). */
bool segment_fault(struct fault *why, int error, const char *what);

#endif
