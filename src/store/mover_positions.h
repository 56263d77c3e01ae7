/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mover positions: how far each segment is in the archive, as rows of its own. Everything before
 * `moved` is; of what lies between `moved` and `scanned` all but the envelopes.
 *
 * A row outlives its segment until the next opening: a power cut may bring the file back. The store's
 * thread, or store_open() before there is one.
 */
#ifndef HUSTINGS_STORE_MOVER_POSITIONS_H
#define HUSTINGS_STORE_MOVER_POSITIONS_H

#include "store/archive.h"
#include "store/spool_segment.h"

bool mover_positions_init(struct archive *archive, struct fault *why) MUST_USE;
/* Sets both of a segment that was opened again; they stay where there is no row. */
bool mover_position_find(struct archive *archive, struct segment *segment, struct fault *why) MUST_USE;
bool mover_position_set(struct archive *archive, const struct segment_name *name, int64_t moved,
	int64_t scanned, struct fault *why) MUST_USE;
/* One more than any generation that a row or one of these names speaks of. */
bool mover_positions_next(struct archive *archive, const struct segment_name *left, size_t count,
	uint64_t *generation, struct fault *why) MUST_USE;
/* Rows of segments that are not among these are forgotten, once their going is on the disk. */
bool mover_positions_forget(struct archive *archive, int spool_folder, const struct segment_name *left,
	size_t count, struct fault *why) MUST_USE;

#endif
