/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Audit: who did what and what was refused, kept in order and hard to change afterwards.
 *
 * A record travels through the asker's spool (so it survives a kill) and is chained by the store's
 * thread: each row carries HMAC-SHA-256(DATA/secret, hash of the row before | row). Retention
 * leaves an anchor row where checking starts; DATA/audit.head tells of a cut tail. Commands that
 * work on the files chain their record themselves, in one transaction.
 */
#ifndef HUSTINGS_STORE_AUDIT_H
#define HUSTINGS_STORE_AUDIT_H

#include "store/audit_record.h"
#include "store/spool.h"

/* Gathers the record in this spool with the time now; it is written with the pass's commit. */
bool audit_add(struct spool *spool, const struct audit_record *record, struct fault *why) MUST_USE;
/* Straight into the files of a folder, for commands. */
bool audit_write_file(const char *directory, const struct audit_record *record,
	struct fault *why) MUST_USE;

/* A question for the store's thread: newest first. */
struct audit_question {
	struct letter letter;
	struct loop *loop;
	void (*answered)(struct audit_question *question);
	void *context;
	size_t limit;       /* at most 1,000 */
	uint64_t before;    /* row number; 0: the newest */
	int64_t since;      /* wall ms; 0: no bound */
	struct slice actor; /* empty: any */
	struct slice event; /* empty: any */
	struct slice topic; /* empty: any */
	bool failed;
	struct fault why;
	struct text json; /* the answer: {"records":[...],"next_before":n|null} */
};
bool audit_ask(struct store *store, struct audit_question *question, struct fault *why) MUST_USE;
void audit_question_finish(struct audit_question *question);

struct audit_verdict {
	uint64_t rows;
	uint64_t first;  /* row where the chain begins (after the anchor) */
	uint64_t broken; /* the first row that does not fit; 0: none */
	bool tail_cut;
};
/* Reads the files of a folder (a gateway may be running). */
bool audit_verify(const char *directory, struct audit_verdict *verdict, struct fault *why) MUST_USE;

#endif
