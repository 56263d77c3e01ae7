/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Audit: who did what and what was refused, kept in order and hard to change afterwards.
 *
 * A record travels through the asker's spool (so it survives a kill) and is chained by the store's
 * thread: each row carries HMAC-SHA-256(DATA/secret, hash of the row before | row). Retention
 * leaves an anchor row where checking starts; DATA/audit.head tells of a cut tail. Commands that
 * work on the files chain their record themselves, in one transaction. What a hosted server claims
 * (record->source) travels the same way and is kept beside the chain (audit_claims.h).
 *
 * Reading is audit_question.h, hearing of records as they are added audit_listener.h.
 */
#ifndef HUSTINGS_STORE_AUDIT_H
#define HUSTINGS_STORE_AUDIT_H

#include "store/audit_record.h"
#include "store/spool.h"

/* Gathers the record in this spool with the time now; it is written with the pass's commit, and
 * listeners (if there are any) are told. On the thread of the spool's loop. Nothing is allocated but
 * what the spool gathers into. FAULT_TOO_LARGE: over AUDIT_RECORD_LIMIT octets. */
bool audit_add(struct spool *spool, const struct audit_record *record, struct fault *why) MUST_USE;
/* Straight into the files of a folder, for commands: a record without details gets AUDIT_BY_COMMAND. A
 * gateway that runs there tells its listeners a moment later (audit_outside.h). */
bool audit_write_file(const char *directory, const struct audit_record *record,
	struct fault *why) MUST_USE;

struct audit_verdict {
	uint64_t rows;
	uint64_t first;  /* row where the chain begins (after the anchor) */
	uint64_t broken; /* the first row that does not fit; 0: none */
	bool tail_cut;
};
/* Reads the files of a folder (a gateway may be running). */
bool audit_verify(const char *directory, struct audit_verdict *verdict, struct fault *why) MUST_USE;

#endif
