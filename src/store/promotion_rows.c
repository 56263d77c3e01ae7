/* SPDX-License-Identifier: Apache-2.0 */
/* Promotion rows: the topic's own row before the one for all topics. */
#include "store/promotion_rows.h"

#include "base/clock.h"
#include "store/state_parts.h"

#include <stdio.h>

static bool set(struct state *state, struct slice id, struct slice topic, const char *privilege,
	struct slice by, struct fault *why) {
	AUTO_RESET sqlite3_stmt *put = statement(&state->statements, PROMOTION_SET, why);
	if (!put) return false;
	statement_bind_text(put, 1, id);
	statement_bind_text(put, 2, topic);
	statement_bind_text(put, 3, slice_of(privilege));
	statement_bind_text(put, 4, by);
	sqlite3_bind_int64(put, 5, clock_wall_ms());
	if (!statement_run(put, why)) return false;
	if (topic.length) return true;

	AUTO_RESET sqlite3_stmt *clear = statement(&state->statements, PROMOTION_CLEAR, why);
	if (!clear) return false;
	statement_bind_text(clear, 1, id);
	return statement_run(clear, why);
}

bool promotion_set(struct state *state, struct slice id, struct slice topic, const char *privilege,
	struct slice by, struct fault *why) {
	if (!database_begin(state->database, why)) return false;
	if (set(state, id, topic, privilege, by, why)) return database_commit(state->database, why);
	database_rollback(state->database);
	return false;
}

bool promotion_find(struct state *state, struct slice id, struct slice topic, char privilege[16],
	struct fault *why) {
	AUTO_RESET sqlite3_stmt *find = statement(&state->statements, PROMOTION_FIND, why);
	if (!find) return false;
	statement_bind_text(find, 1, id);
	statement_bind_text(find, 2, topic);
	enum statement_step step = statement_step(find, why);
	if (step == STATEMENT_FAILED) return false;
	privilege[0] = '\0';
	if (step == STATEMENT_ROW)
		snprintf(privilege, 16, "%.*s", SLICE_ARGS(statement_text(find, 0)));
	return true;
}
