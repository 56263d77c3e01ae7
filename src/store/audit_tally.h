/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Audit tally: how many records there are by event type, actor, server and hour.
 *
 * Bounded: AUDIT_TALLY_KEYS different ones of each; what comes later is counted together as "other".
 * Owned by whoever asks; while a question is out it is the store's thread that adds.
 */
#ifndef HUSTINGS_STORE_AUDIT_TALLY_H
#define HUSTINGS_STORE_AUDIT_TALLY_H

#include "base/map.h"
#include "store/audit_record.h"

#define AUDIT_TALLY_KEYS 1024
#define AUDIT_TALLY_KEY 128 /* octets of a key; longer ones are cut */

enum audit_tally_by {
	AUDIT_BY_TYPE,
	AUDIT_BY_ACTOR,
	AUDIT_BY_SERVER,
	AUDIT_BY_HOUR, /* UTC, "2026-11-22T05:00:00.000Z" */
	AUDIT_TALLIES
};

struct audit_tally {
	struct map keys[AUDIT_TALLIES]; /* struct audit_tally_line */
	int64_t other[AUDIT_TALLIES];
	int64_t rows;  /* records */
	int64_t count; /* of what they stand for: a record may stand for a minute's refusals */
};

void audit_tally_init(struct audit_tally *tally);
void audit_tally_finish(struct audit_tally *tally);
bool audit_tally_add(struct audit_tally *tally, const struct audit_record *record, int64_t moment,
	struct fault *why) MUST_USE;
/* {"records":N,"count":N,"by":{"type":[{"key":K,"count":N},...],...},"other":{"type":N,...}}: the most
 * frequent `limit` of each (the rest is other), hours in their order and the newest when cut. `only`
 * AUDIT_TALLIES: all four. */
void audit_tally_write(struct text *to, const struct audit_tally *tally, enum audit_tally_by only,
	size_t limit);

const char *audit_tally_word(enum audit_tally_by by); /* "type", "actor", "server", "hour" */
bool audit_tally_read(struct slice word, enum audit_tally_by *by) MUST_USE;

#endif
