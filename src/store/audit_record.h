/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Audit record: who did what, or what was refused, before it has a place in the chain.
 */
#ifndef HUSTINGS_STORE_AUDIT_RECORD_H
#define HUSTINGS_STORE_AUDIT_RECORD_H

#include "base/slice.h"

struct audit_record {
	struct slice event;  /* "refused", "joined", "left", "proposal", "privilege", "token", ... */
	struct slice actor;  /* a principal's id; may be empty */
	struct slice topic;  /* may be empty */
	struct slice target; /* may be empty */
	struct slice gate;   /* of refusals; may be empty */
	struct slice result; /* "ok", "refused", a status word */
	struct slice detail; /* a sentence or JSON object text; never a secret; may be empty */
	int64_t count;       /* how often, when counted by the minute; 0 is 1 */
};

#endif
