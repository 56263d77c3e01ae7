/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow rows: guided sessions that are open (MCP Flow), and tokens of stateless mode that were used up, in
 * DATA/state.db. A session is a sealed text (base/seal.h): this folder cannot read it.
 */
#ifndef HUSTINGS_STORE_FLOW_ROWS_H
#define HUSTINGS_STORE_FLOW_ROWS_H

#include "base/secret.h"
#include "store/token_rows.h"

/* In place of the one before. */
bool flow_row_put(struct state *state, struct slice id, struct slice sealed, struct fault *why) MUST_USE;
bool flow_row_remove(struct state *state, struct slice id, struct fault *why) MUST_USE;
/* Each borrowed until the return; false ends the walk. */
typedef bool flow_row_seen(void *context, struct slice id, struct slice sealed);
/* Of one, if it is there. */
bool flow_row_find(struct state *state, struct slice id, flow_row_seen *seen, void *context, struct fault *why) MUST_USE;
bool flow_row_each(struct state *state, flow_row_seen *seen, void *context, struct fault *why) MUST_USE;

/* *was_new: it was not spent before. Kept until it would expire anyway (wall ms). */
bool flow_row_spend(struct state *state, const uint8_t token[SECRET_HASH_SIZE], int64_t expires_at, bool *was_new,
	struct fault *why) MUST_USE;
/* Forgets those that have expired. */
bool flow_row_sweep(struct state *state, int64_t now, struct fault *why) MUST_USE;

#endif
