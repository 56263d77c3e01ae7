/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Audit claims: what hosted servers say they did. Kept in a table of its own, with rows of its own,
 * outside the chain: a server cannot write the kernel's audit.
 *
 * Bounded by AUDIT_CLAIMS_OCTETS, whatever the servers send: the oldest claim goes first. The age of
 * the trail's retention holds for claims too.
 */
#ifndef HUSTINGS_STORE_AUDIT_CLAIMS_H
#define HUSTINGS_STORE_AUDIT_CLAIMS_H

#include "store/audit_chain.h"

#define AUDIT_CLAIMS_OCTETS (64LL * 1024 * 1024)

/* Inside the caller's transaction. */
bool audit_claim_add(struct archive *archive, const struct audit_record *record, int64_t moment,
	struct fault *why) MUST_USE;
/* Claims from before `since` go, and what is over `octets` (the oldest that stays may be); the newest
 * stays in any case, for rows go on from it. Inside the caller's transaction. */
bool audit_claims_trim(struct archive *archive, int64_t since, int64_t octets, struct fault *why) MUST_USE;

#endif
