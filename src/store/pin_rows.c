/* SPDX-License-Identifier: Apache-2.0 */
/* Pin rows: one row a server, era and tool. */
#include "store/pin_rows.h"

#include "store/state_parts.h"

bool pin_row_put(struct state *state, struct slice server, int era, const struct pin_row *row,
	struct fault *why) {
	AUTO_RESET sqlite3_stmt *put = statement(&state->statements, PIN_PUT, why);
	if (!put) return false;
	statement_bind_text(put, 1, server);
	sqlite3_bind_int(put, 2, era);
	statement_bind_text(put, 3, row->tool);
	statement_bind_text(put, 4, row->definition);
	statement_bind_text(put, 5, row->pinned_by);
	sqlite3_bind_int64(put, 6, row->pinned_at);
	return statement_run(put, why);
}

bool pin_row_remove(struct state *state, struct slice server, struct fault *why) {
	AUTO_RESET sqlite3_stmt *remove = statement(&state->statements, PIN_REMOVE, why);
	if (!remove) return false;
	statement_bind_text(remove, 1, server);
	return statement_run(remove, why);
}

bool pin_row_each(struct state *state, struct slice server, int era, pin_row_seen *seen, void *context,
	struct fault *why) {
	AUTO_RESET sqlite3_stmt *each = statement(&state->statements, PIN_EACH, why);
	if (!each) return false;
	statement_bind_text(each, 1, server);
	sqlite3_bind_int(each, 2, era);
	for (;;) {
		enum statement_step step = statement_step(each, why);
		if (step != STATEMENT_ROW) return step == STATEMENT_DONE;
		const struct pin_row row = {
			.tool = statement_text(each, 0),
			.definition = statement_text(each, 1),
			.pinned_by = statement_text(each, 2),
			.pinned_at = sqlite3_column_int64(each, 3),
		};
		if (!seen(context, &row)) return true;
	}
}
