/* SPDX-License-Identifier: Apache-2.0 */
/* Flow rows: one row a session, one a token that was used up. */
#include "store/flow_rows.h"

#include "store/state_parts.h"

bool flow_row_put(struct state *state, struct slice id, struct slice sealed, struct fault *why) {
	AUTO_RESET sqlite3_stmt *put = statement(&state->statements, FLOW_PUT, why);
	if (!put) return false;
	statement_bind_text(put, 1, id);
	statement_bind_blob(put, 2, sealed);
	return statement_run(put, why);
}

bool flow_row_remove(struct state *state, struct slice id, struct fault *why) {
	AUTO_RESET sqlite3_stmt *remove = statement(&state->statements, FLOW_REMOVE, why);
	if (!remove) return false;
	statement_bind_text(remove, 1, id);
	return statement_run(remove, why);
}

static bool walk(sqlite3_stmt *each, flow_row_seen *seen, void *context, struct fault *why) {
	for (;;) {
		enum statement_step step = statement_step(each, why);
		if (step != STATEMENT_ROW) return step == STATEMENT_DONE;
		struct slice sealed = slice_make(sqlite3_column_blob(each, 1), (size_t)sqlite3_column_bytes(each, 1));
		if (!seen(context, statement_text(each, 0), sealed)) return true;
	}
}

bool flow_row_find(struct state *state, struct slice id, flow_row_seen *seen, void *context, struct fault *why) {
	AUTO_RESET sqlite3_stmt *find = statement(&state->statements, FLOW_FIND, why);
	if (!find) return false;
	statement_bind_text(find, 1, id);
	return walk(find, seen, context, why);
}

bool flow_row_each(struct state *state, flow_row_seen *seen, void *context, struct fault *why) {
	AUTO_RESET sqlite3_stmt *each = statement(&state->statements, FLOW_EACH, why);
	return each && walk(each, seen, context, why);
}

bool flow_row_spend(struct state *state, const uint8_t token[SECRET_HASH_SIZE], int64_t expires_at, bool *was_new,
	struct fault *why) {
	AUTO_RESET sqlite3_stmt *spend = statement(&state->statements, FLOW_SPEND, why);
	if (!spend) return false;
	statement_bind_blob(spend, 1, slice_make(token, SECRET_HASH_SIZE));
	sqlite3_bind_int64(spend, 2, expires_at);
	if (!statement_run(spend, why)) return false;
	*was_new = sqlite3_changes(state->database) == 1;
	return true;
}

bool flow_row_sweep(struct state *state, int64_t now, struct fault *why) {
	AUTO_RESET sqlite3_stmt *sweep = statement(&state->statements, FLOW_SWEEP, why);
	if (!sweep) return false;
	sqlite3_bind_int64(sweep, 1, now);
	return statement_run(sweep, why);
}
