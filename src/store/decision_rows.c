/* SPDX-License-Identifier: Apache-2.0 */
/* Decision rows: one row a decision, rewritten with every change. */
#include "store/decision_rows.h"

#include "store/state_parts.h"

bool decision_row_put(struct state *state, const struct decision_row *row, struct fault *why) {
	AUTO_RESET sqlite3_stmt *put = statement(&state->statements, DECISION_PUT, why);
	if (!put) return false;
	statement_bind_text(put, 1, row->id);
	sqlite3_bind_int(put, 2, row->is_open);
	sqlite3_bind_int64(put, 3, row->changed_at);
	sqlite3_bind_int64(put, 4, (int64_t)row->version);
	statement_bind_text(put, 5, row->record);
	return statement_run(put, why);
}

bool decision_row_told(struct state *state, struct slice id, uint64_t version, struct fault *why) {
	AUTO_RESET sqlite3_stmt *told = statement(&state->statements, DECISION_TOLD, why);
	if (!told) return false;
	statement_bind_text(told, 1, id);
	sqlite3_bind_int64(told, 2, (int64_t)version);
	return statement_run(told, why);
}

bool decision_row_remove(struct state *state, struct slice id, struct fault *why) {
	AUTO_RESET sqlite3_stmt *remove = statement(&state->statements, DECISION_REMOVE, why);
	if (!remove) return false;
	statement_bind_text(remove, 1, id);
	return statement_run(remove, why);
}

bool decision_row_each(struct state *state, decision_row_seen *seen, void *context, struct fault *why) {
	AUTO_RESET sqlite3_stmt *each = statement(&state->statements, DECISION_EACH, why);
	if (!each) return false;
	for (enum statement_step step; (step = statement_step(each, why)) != STATEMENT_DONE;) {
		if (step == STATEMENT_FAILED) return false;
		const struct decision_row row = {
			.id = statement_text(each, 0),
			.is_open = sqlite3_column_int(each, 1),
			.changed_at = sqlite3_column_int64(each, 2),
			.version = (uint64_t)sqlite3_column_int64(each, 3),
			.told = (uint64_t)sqlite3_column_int64(each, 4),
			.record = statement_text(each, 5),
		};
		if (!seen(context, &row, why)) return false;
	}
	return true;
}

bool decision_rows_begin(struct state *state, struct fault *why) {
	return database_begin(state->database, why);
}

bool decision_rows_commit(struct state *state, struct fault *why) {
	return database_commit(state->database, why);
}
