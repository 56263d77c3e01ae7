/* SPDX-License-Identifier: Apache-2.0 */
/* Server rows: one row a server. */
#include "store/server_rows.h"

#include "store/state_parts.h"

bool server_row_add(struct state *state, const struct server_row *row, struct fault *why) {
	AUTO_RESET sqlite3_stmt *add = statement(&state->statements, SERVER_ADD, why);
	if (!add) return false;
	statement_bind_text(add, 1, row->id);
	statement_bind_text(add, 2, row->definition);
	statement_bind_text(add, 3, row->created_by);
	sqlite3_bind_int64(add, 4, row->created_at);
	return statement_run(add, why);
}

bool server_row_remove(struct state *state, struct slice id, struct fault *why) {
	AUTO_RESET sqlite3_stmt *remove = statement(&state->statements, SERVER_REMOVE, why);
	if (!remove) return false;
	statement_bind_text(remove, 1, id);
	return statement_run(remove, why);
}

bool server_row_each(struct state *state, server_row_seen *seen, void *context, struct fault *why) {
	AUTO_RESET sqlite3_stmt *each = statement(&state->statements, SERVER_EACH, why);
	if (!each) return false;
	for (;;) {
		enum statement_step step = statement_step(each, why);
		if (step != STATEMENT_ROW) return step == STATEMENT_DONE;
		const struct server_row row = {
			.id = statement_text(each, 0),
			.definition = statement_text(each, 1),
			.created_by = statement_text(each, 2),
			.created_at = sqlite3_column_int64(each, 3),
		};
		if (!seen(context, &row)) return true;
	}
}
