/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Retention: how much of a topic, and of the audit trail, is kept: by age, count and octets.
 *
 * By count exactly; by octets to the envelope; by age whole batches (an envelope may stay two
 * minutes longer than the rule says). Age is counted from when it was moved into the archive, a
 * minute after it was said at most, not from the time that its sender claims. Of what goes the packed
 * hashes stay until 65,536 newer ones are there: an id is not forgotten sooner because its envelope
 * is.
 */
#ifndef HUSTINGS_STORE_RETENTION_H
#define HUSTINGS_STORE_RETENTION_H

#include "store/mover_batch.h"
#include "store/store.h"

#define RETENTION_HASHES 65536

bool retention_init(struct archive *archive, struct fault *why) MUST_USE;
/* The first rule whose name or pattern fits, or none (all zeros). */
struct store_retention retention_find(const struct store_rule *rules, size_t count, struct slice topic);
/* One topic, inside a transaction. */
bool retention_apply(struct archive *archive, struct slice topic,
	const struct store_retention *retention, int64_t now, struct fault *why) MUST_USE;
bool retention_apply_audit(struct archive *archive, const struct store_retention *retention,
	int64_t now, struct fault *why) MUST_USE;
/* The topics of a batch that was just moved, by the store's rules; inside the move's transaction. */
bool retention_after_move(struct archive *archive, struct store *store,
	const struct mover_batch *batch, struct fault *why) MUST_USE;
/* Everything, in small transactions, and free blocks given back to the disk. */
bool retention_sweep(struct archive *archive, struct store *store, int64_t now,
	struct fault *why) MUST_USE;

#endif
