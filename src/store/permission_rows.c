/* SPDX-License-Identifier: Apache-2.0 */
/* Permission rows: one row a server and permission. */
#include "store/permission_rows.h"

#include "store/state_parts.h"

bool permission_row_put(struct state *state, struct slice server, const struct permission_row *row,
	struct fault *why) {
	AUTO_RESET sqlite3_stmt *put = statement(&state->statements, PERMISSION_PUT, why);
	if (!put) return false;
	statement_bind_text(put, 1, server);
	statement_bind_text(put, 2, row->permission);
	statement_bind_text(put, 3, row->state);
	statement_bind_text(put, 4, row->decided_by);
	sqlite3_bind_int64(put, 5, row->decided_at);
	sqlite3_bind_int64(put, 6, row->expires_at);
	return statement_run(put, why);
}

bool permission_row_remove(struct state *state, struct slice server, struct fault *why) {
	AUTO_RESET sqlite3_stmt *remove = statement(&state->statements, PERMISSION_REMOVE, why);
	if (!remove) return false;
	statement_bind_text(remove, 1, server);
	return statement_run(remove, why);
}

bool permission_row_each(struct state *state, struct slice server, permission_row_seen *seen,
	void *context, struct fault *why) {
	AUTO_RESET sqlite3_stmt *each = statement(&state->statements, PERMISSION_EACH, why);
	if (!each) return false;
	statement_bind_text(each, 1, server);
	for (;;) {
		enum statement_step step = statement_step(each, why);
		if (step != STATEMENT_ROW) return step == STATEMENT_DONE;
		const struct permission_row row = {
			.permission = statement_text(each, 0),
			.state = statement_text(each, 1),
			.decided_by = statement_text(each, 2),
			.decided_at = sqlite3_column_int64(each, 3),
			.expires_at = sqlite3_column_int64(each, 4),
		};
		if (!seen(context, &row)) return true;
	}
}
