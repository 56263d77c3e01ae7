/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Audit question: reading the trail, for the store's thread or, without a gateway, over the files.
 *
 * One question looks at AUDIT_ROWS_LOOKED rows at most, so that a narrow filter over a long trail
 * does not hold the store's thread up: its answer may hold fewer records than its limit, and `next`
 * says where to go on (0: there is nothing more).
 */
#ifndef HUSTINGS_STORE_AUDIT_QUESTION_H
#define HUSTINGS_STORE_AUDIT_QUESTION_H

#include "store/archive.h"
#include "store/audit_filter.h"
#include "store/audit_tally.h"
#include "store/store.h"

#define AUDIT_QUESTION_LIMIT 1000
#define AUDIT_ROWS_LOOKED 100000

enum audit_form {
	AUDIT_LIST,   /* {"records":[...],"next_before":ROW|null} */
	AUDIT_LINES,  /* a JSON object a line, as AUDIT_LIST has them */
	AUDIT_CSV,    /* without its head */
	AUDIT_EVENTS, /* a line each, as MGP 6.3 has them */
	AUDIT_TALLY,  /* nothing is written: `tally` counts */
	AUDIT_TELL,   /* nothing is written: the listeners of `store` are told */
};

struct audit_question {
	struct letter letter;
	struct loop *loop;
	void (*answered)(struct audit_question *question);
	void *context;
	struct audit_filter filter;
	enum audit_form form;
	size_t limit;              /* records, at most and by default 1,000; AUDIT_TALLY and AUDIT_TELL have none */
	bool is_upward;            /* the oldest first */
	uint64_t from;             /* downward: rows before this one; upward: rows behind it. 0: from the end */
	struct audit_tally *tally; /* of AUDIT_TALLY */
	struct store *store;       /* of AUDIT_TELL */
	/* The answer: */
	bool failed;
	struct fault why;
	struct text text;
	size_t count;  /* records in it */
	uint64_t last; /* the row of the last one that was found; 0: none was */
	uint64_t next; /* `from` of the question that goes on; 0: over */
};

/* Everything that was committed before is looked at. Answered on the question's loop. */
bool audit_ask(struct store *store, struct audit_question *question, struct fault *why) MUST_USE;
/* At once, over an archive of the caller's own; finish it in any case. */
bool audit_answer(struct archive *archive, struct audit_question *question, struct fault *why) MUST_USE;
void audit_question_finish(struct audit_question *question);

#endif
