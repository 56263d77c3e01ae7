/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decision rows: the questions to people, one row each, as the JSON record that is shown of them.
 * What the record means is decide/'s; here it is a text with a state, so that open ones are found.
 */
#ifndef HUSTINGS_STORE_DECISION_ROWS_H
#define HUSTINGS_STORE_DECISION_ROWS_H

#include "base/slice.h"
#include "store/state.h"

struct decision_row {
	struct slice id;
	bool is_open;       /* it may still change */
	int64_t changed_at; /* wall ms */
	uint64_t version;   /* changes so far */
	uint64_t told;      /* the version that the webhook has told of; only read */
	struct slice record;
};

/* A new one, or another version of one there is; synced when this returns. */
bool decision_row_put(struct state *state, const struct decision_row *row, struct fault *why) MUST_USE;
/* The webhook has told of that version. A row that is gone is fine. */
bool decision_row_told(struct state *state, struct slice id, uint64_t version, struct fault *why) MUST_USE;
bool decision_row_remove(struct state *state, struct slice id, struct fault *why) MUST_USE;
/* What is put between the two is synced once; a commit that fails leaves none of it. */
bool decision_rows_begin(struct state *state, struct fault *why) MUST_USE;
bool decision_rows_commit(struct state *state, struct fault *why) MUST_USE;
/* In the order of their opening; spans are valid during the call. False ends the walk, which then
 * fails with the fault that `seen` wrote. */
typedef bool decision_row_seen(void *context, const struct decision_row *row, struct fault *why);
bool decision_row_each(struct state *state, decision_row_seen *seen, void *context, struct fault *why) MUST_USE;

#endif
