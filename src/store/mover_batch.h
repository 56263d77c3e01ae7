/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mover batch: records as they were read from the spools, one behind the other, and how they are
 * written into the archive: envelopes gathered by topic, all else one by one. The records' slices lie
 * in the octets that were read.
 */
#ifndef HUSTINGS_STORE_MOVER_BATCH_H
#define HUSTINGS_STORE_MOVER_BATCH_H

#include "store/archive.h"
#include "store/audit_chain.h"
#include "store/spool.h"

struct mover_batch {
	const char *base; /* where the octets began */
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
/* Where a record began, and how long it was. */
size_t mover_batch_place(const struct mover_batch *batch, const struct spool_record *record,
	size_t *size);
/* Whether there is more than envelopes behind the first `skip` octets. */
bool mover_batch_has_others(const struct mover_batch *batch, size_t skip);
/* Both inside a transaction. */
bool mover_batch_put_envelopes(struct mover_batch *batch, struct archive *archive, int64_t now,
	struct fault *why) MUST_USE;
bool mover_batch_put_others(struct mover_batch *batch, struct archive *archive, size_t skip,
	struct fault *why) MUST_USE;
void mover_batch_finish(struct mover_batch *batch);

#endif
