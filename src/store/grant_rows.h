/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Grant rows: who may use which hosted server or tool of it (MGP 5), in DATA/state.db. Commands write them
 * as well as a running gateway does.
 */
#ifndef HUSTINGS_STORE_GRANT_ROWS_H
#define HUSTINGS_STORE_GRANT_ROWS_H

#include "store/token_rows.h"

struct grant_row {
	struct slice agent;
	struct slice server;
	struct slice tool; /* length 0: the whole server */
	bool is_allowed;
	struct slice granted_by;
	struct slice justification; /* may be empty */
	int64_t granted_at;         /* wall ms */
	int64_t expires_at;         /* wall ms; 0: never */
};

/* In place of one of the same agent, server and tool, if there is one. */
bool grant_row_put(struct state *state, const struct grant_row *row, struct fault *why) MUST_USE;
/* *was_there (may be NULL): whether there was one. */
bool grant_row_remove(struct state *state, struct slice agent, struct slice server, struct slice tool,
	bool *was_there, struct fault *why) MUST_USE;
/* All, the oldest first, each borrowed until the return; false ends the walk. */
typedef bool grant_row_seen(void *context, const struct grant_row *row);
bool grant_row_each(struct state *state, grant_row_seen *seen, void *context, struct fault *why) MUST_USE;

#endif
