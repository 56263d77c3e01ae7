/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Audit chain: rows of the audit trail, each signed together with the signature before it.
 *
 * mac(n) = HMAC-SHA-256(DATA/secret, mac(n - 1) | row, moment, count | every field with its length);
 * the fields that came later (from actor_type on) are covered as soon as one of them is there.
 * Before the first row stands the anchor: row and mac of the last one that retention took, or row 0
 * and zeros. DATA/audit.head repeats row and mac of the newest, written after the commit: it may
 * be behind, never ahead, so that a tail that was cut shows.
 */
#ifndef HUSTINGS_STORE_AUDIT_CHAIN_H
#define HUSTINGS_STORE_AUDIT_CHAIN_H

#include "store/archive.h"
#include "store/audit_record.h"

struct audit_link {
	uint64_t row;
	int64_t total; /* octets of the fields so far; not signed, retention's alone */
	uint8_t mac[SECRET_HASH_SIZE];
};

/* Columns of both tables as far as they are alike; behind them the proof (mac, or the source of a
 * claim) and the total. */
#define AUDIT_COLUMNS \
	"row, moment, event, actor, topic, target, gate, result, detail, actor_type, trace_id, server_id," \
	" tool_name, details, count, "
#define AUDIT_COLUMN_COUNT (2 + AUDIT_FIELDS)
#define AUDIT_COLUMN_PROOF (AUDIT_COLUMN_COUNT + 1)
#define AUDIT_BIND_PROOF (AUDIT_COLUMN_PROOF + 1)

enum audit_statement {
	AUDIT_LAST,
	AUDIT_ANCHOR,
	AUDIT_ADD,
	AUDIT_WALK,
	AUDIT_FIND,    /* narrowed by ten values, see audit_chain.c; the newest first */
	AUDIT_FIND_UP, /* the same, the oldest first */
	AUDIT_ENDS,    /* the first row and the last */
	AUDIT_CLAIM_ADD,
	AUDIT_CLAIM_FIND,
	AUDIT_CLAIM_FIND_UP,
	AUDIT_CLAIM_ENDS,
	AUDIT_CLAIM_LAST,
	AUDIT_CLAIM_OLDEST,
	AUDIT_CLAIM_DROP,
	AUDIT_SET_ANCHOR,
	AUDIT_TRIM,
	AUDIT_YOUNGER,
	AUDIT_REACHES,
	AUDIT_STATEMENTS
};

bool audit_chain_init(struct archive *archive, struct fault *why) MUST_USE;
/* Inside the caller's transaction; *newest becomes what the head should say. */
bool audit_chain_add(struct archive *archive, const struct audit_record *record, int64_t moment,
	struct audit_link *newest, struct fault *why) MUST_USE;
bool audit_sign(const struct archive *archive, const struct audit_link *before,
	const struct audit_record *record, int64_t moment, struct audit_link *link) MUST_USE;
bool audit_anchor_read(struct archive *archive, struct audit_link *anchor, struct fault *why) MUST_USE;
/* The newest row, or the anchor when there is none. */
bool audit_last_read(struct archive *archive, struct audit_link *last, struct fault *why) MUST_USE;
/* Removes rows up to and with `row`; the anchor takes its place. Inside a transaction. */
bool audit_chain_trim(struct archive *archive, uint64_t row, struct fault *why) MUST_USE;

/* A row of AUDIT_WALK or of a find; slices until the next step. Of a claim the source is set, of
 * others the mac. */
void audit_row_read(sqlite3_stmt *row, struct audit_record *record, int64_t *moment,
	struct audit_link *link);
/* Everything up to the count. */
void audit_row_bind(sqlite3_stmt *add, const struct audit_record *record, int64_t moment, uint64_t row);

bool audit_head_write(const char *directory, const struct audit_link *newest, struct fault *why) MUST_USE;
/* False with FAULT_NOT_FOUND: there is none. */
bool audit_head_read(const char *directory, struct audit_link *newest, struct fault *why) MUST_USE;

#endif
