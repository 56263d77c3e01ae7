/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Server rows: hosted servers that were added while the gateway ran, in DATA/state.db, so that they
 * are there again after a restart. A definition is JSON text that the kernel reads
 * (kernel/definition.h); its environment and headers hold secrets, as a configuration file's do.
 */
#ifndef HUSTINGS_STORE_SERVER_ROWS_H
#define HUSTINGS_STORE_SERVER_ROWS_H

#include "store/token_rows.h"

struct server_row {
	struct slice id;
	struct slice definition;
	struct slice created_by;
	int64_t created_at; /* wall ms */
};

/* In place of one of that id, if there is one. */
bool server_row_add(struct state *state, const struct server_row *row, struct fault *why) MUST_USE;
/* One that is not there is fine. */
bool server_row_remove(struct state *state, struct slice id, struct fault *why) MUST_USE;
/* All, the oldest first, each borrowed until the return; false ends the walk. */
typedef bool server_row_seen(void *context, const struct server_row *row);
bool server_row_each(struct state *state, server_row_seen *seen, void *context,
	struct fault *why) MUST_USE;

#endif
