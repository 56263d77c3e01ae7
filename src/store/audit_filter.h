/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Audit filter: which records somebody wants to see. Zeroed: all of the kernel's own. Slices are
 * borrowed from whoever fills it in. The same filter serves stored records and live ones.
 */
#ifndef HUSTINGS_STORE_AUDIT_FILTER_H
#define HUSTINGS_STORE_AUDIT_FILTER_H

#include "store/audit_record.h"

struct audit_filter {
	int64_t since; /* wall ms, inclusive; 0: no bound */
	int64_t until; /* wall ms, exclusive; 0: no bound */
	struct slice actor;
	struct slice event; /* a word, an event type, or a beginning and * ("dev.hustings.*") */
	struct slice trace; /* as base/trace.h has it */
	struct slice server;
	struct slice tool;
	struct slice topic;
	struct slice gate;   /* refused there */
	struct slice result; /* SUCCESS, BLOCKED, FAILED, or the record's own word */
	struct slice source; /* of claims: "server:ID", empty: of any server; looked at with of_claims alone */
	bool of_claims;      /* what servers claim, instead of the kernel's own */
	bool of_commands;    /* of those only what commands chained by themselves */
};

bool audit_filter_fits(const struct audit_filter *filter, const struct audit_record *record,
	int64_t moment);

#endif
