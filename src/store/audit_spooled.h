/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Audit spooled: a record as a spool holds it goes into the chain, or, being a claim of a server's,
 * where claims are (audit_claims.h).
 */
#ifndef HUSTINGS_STORE_AUDIT_SPOOLED_H
#define HUSTINGS_STORE_AUDIT_SPOOLED_H

#include "store/audit_chain.h"

/* Inside the caller's transaction; *newest becomes what the head should say, and is untouched by a
 * claim. FAULT_BAD_INPUT: it is no audit record. */
bool audit_spooled_add(struct archive *archive, struct slice spooled, int64_t moment,
	struct audit_link *newest, struct fault *why) MUST_USE;

#endif
