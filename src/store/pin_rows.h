/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pin rows: the definitions of hosted servers' tools that were approved, in DATA/state.db, one for each era
 * of MCP that a server is asked in.
 */
#ifndef HUSTINGS_STORE_PIN_ROWS_H
#define HUSTINGS_STORE_PIN_ROWS_H

#include "store/token_rows.h"

struct pin_row {
	struct slice tool;
	struct slice definition; /* JSON object, as it came */
	struct slice pinned_by;  /* empty: it was seen first */
	int64_t pinned_at;       /* wall ms */
};

/* In place of the one before. */
bool pin_row_put(struct state *state, struct slice server, int era, const struct pin_row *row,
	struct fault *why) MUST_USE;
/* All of that server. */
bool pin_row_remove(struct state *state, struct slice server, struct fault *why) MUST_USE;
/* Each borrowed until the return; false ends the walk. */
typedef bool pin_row_seen(void *context, const struct pin_row *row);
bool pin_row_each(struct state *state, struct slice server, int era, pin_row_seen *seen, void *context,
	struct fault *why) MUST_USE;

#endif
