/* SPDX-License-Identifier: Apache-2.0 */
/* Grant rows: one row an agent, server and tool. */
#include "store/grant_rows.h"

#include "store/state_parts.h"

bool grant_row_put(struct state *state, const struct grant_row *row, struct fault *why) {
	AUTO_RESET sqlite3_stmt *put = statement(&state->statements, GRANT_PUT, why);
	if (!put) return false;
	statement_bind_text(put, 1, row->agent);
	statement_bind_text(put, 2, row->server);
	statement_bind_text(put, 3, row->tool);
	sqlite3_bind_int(put, 4, row->is_allowed);
	statement_bind_text(put, 5, row->granted_by);
	statement_bind_text(put, 6, row->justification);
	sqlite3_bind_int64(put, 7, row->granted_at);
	sqlite3_bind_int64(put, 8, row->expires_at);
	return statement_run(put, why);
}

bool grant_row_remove(struct state *state, struct slice agent, struct slice server, struct slice tool,
	bool *was_there, struct fault *why) {
	AUTO_RESET sqlite3_stmt *remove = statement(&state->statements, GRANT_REMOVE, why);
	if (!remove) return false;
	statement_bind_text(remove, 1, agent);
	statement_bind_text(remove, 2, server);
	statement_bind_text(remove, 3, tool);
	if (!statement_run(remove, why)) return false;
	if (was_there) *was_there = sqlite3_changes(state->database) > 0;
	return true;
}

bool grant_row_each(struct state *state, grant_row_seen *seen, void *context, struct fault *why) {
	AUTO_RESET sqlite3_stmt *each = statement(&state->statements, GRANT_EACH, why);
	if (!each) return false;
	for (;;) {
		enum statement_step step = statement_step(each, why);
		if (step != STATEMENT_ROW) return step == STATEMENT_DONE;
		const struct grant_row row = {
			.agent = statement_text(each, 0),
			.server = statement_text(each, 1),
			.tool = statement_text(each, 2),
			.is_allowed = sqlite3_column_int(each, 3) != 0,
			.granted_by = statement_text(each, 4),
			.justification = statement_text(each, 5),
			.granted_at = sqlite3_column_int64(each, 6),
			.expires_at = sqlite3_column_int64(each, 7),
		};
		if (!seen(context, &row)) return true;
	}
}
