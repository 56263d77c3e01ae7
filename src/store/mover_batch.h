/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mover batch: the records that were read from a piece of a segment, gathered by topic and written
 * into the archive. The records' slices lie in the piece.
 */
#ifndef HUSTINGS_STORE_MOVER_BATCH_H
#define HUSTINGS_STORE_MOVER_BATCH_H

#include "store/archive.h"
#include "store/audit_chain.h"
#include "store/spool.h"

struct mover_batch {
	struct spool_record *records;
	const struct spool_record **line; /* the same, one topic behind the other */
	size_t line_count;                /* envelopes, once they were put */
	size_t count;
	size_t capacity;
	struct audit_link newest; /* row 0: no audit record was added */
	size_t unreadable;        /* records that were whole and yet nothing one can store */
};

/* Reads whole records from the front of `bytes`; *used octets. False: no memory. */
bool mover_batch_read(struct mover_batch *batch, struct slice bytes, size_t *used,
	struct fault *why) MUST_USE;
/* Inside a transaction. */
bool mover_batch_put(struct mover_batch *batch, struct archive *archive, int64_t now,
	struct fault *why) MUST_USE;
void mover_batch_finish(struct mover_batch *batch);

#endif
