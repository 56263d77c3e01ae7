/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Permission rows: what was decided of the permissions of a hosted server (MGP 3), in DATA/state.db.
 */
#ifndef HUSTINGS_STORE_PERMISSION_ROWS_H
#define HUSTINGS_STORE_PERMISSION_ROWS_H

#include "store/token_rows.h"

struct permission_row {
	struct slice permission;
	struct slice state; /* "approved", "denied", "revoked" */
	struct slice decided_by;
	int64_t decided_at; /* wall ms */
	int64_t expires_at; /* wall ms; 0: never */
};

/* In place of what was decided before. */
bool permission_row_put(struct state *state, struct slice server, const struct permission_row *row,
	struct fault *why) MUST_USE;
/* All of that server. */
bool permission_row_remove(struct state *state, struct slice server, struct fault *why) MUST_USE;
/* Each borrowed until the return; false ends the walk. */
typedef bool permission_row_seen(void *context, const struct permission_row *row);
bool permission_row_each(struct state *state, struct slice server, permission_row_seen *seen,
	void *context, struct fault *why) MUST_USE;

#endif
