/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Proposal rows: the book of proposals as JSON records in the archive, open ones and settled ones
 * (MCPx v0.1 10.2). A topic's last PROPOSALS_SETTLED settled ones are kept.
 */
#ifndef HUSTINGS_STORE_PROPOSAL_ROWS_H
#define HUSTINGS_STORE_PROPOSAL_ROWS_H

#include "store/archive.h"
#include "store/spool.h"

#define PROPOSALS_SETTLED 1000

bool proposal_rows_init(struct archive *archive, struct fault *why) MUST_USE;
/* From SPOOL_PROPOSAL or SPOOL_SETTLED, inside the caller's transaction. */
bool proposal_put(struct archive *archive, const struct spool_record *record, struct fault *why) MUST_USE;
typedef bool proposal_seen(void *context, struct slice record, struct fault *why);
/* A topic's open ones, the oldest first. */
bool proposals_open_walk(struct archive *archive, struct slice topic, proposal_seen *seen,
	void *context, struct fault *why) MUST_USE;

#endif
