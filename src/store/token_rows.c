/* SPDX-License-Identifier: Apache-2.0 */
/* Token rows: reading one copies it into a single allocation, its slices behind the struct. */
#include "store/token_rows.h"

#include "base/clock.h"
#include "store/state_parts.h"

#include <stdlib.h>

#define KEPT_MS (7LL * 24 * 3600 * 1000) /* what no longer holds is told apart so long */

static const size_t words[] = {
	offsetof(struct token_row, id),
	offsetof(struct token_row, name),
	offsetof(struct token_row, kind),
	offsetof(struct token_row, mcp_version),
	offsetof(struct token_row, dialect),
	offsetof(struct token_row, privilege),
	offsetof(struct token_row, topics),
	offsetof(struct token_row, parent),
};

#define WORDS (int)COUNT_OF(words)

/* Columns: token_id, hash, the words but the parent, is_admin, is_local, created_at, expires_at, revoked_at,
 * is_session, parent. */
enum {
	COLUMN_ID,
	COLUMN_HASH,
	COLUMN_WORDS,
	COLUMN_ADMIN = COLUMN_WORDS + 7,
	COLUMN_LOCAL,
	COLUMN_CREATED,
	COLUMN_EXPIRES,
	COLUMN_REVOKED,
	COLUMN_SESSION,
	COLUMN_PARENT
};

static int column_of(int word) { return word + 1 < WORDS ? COLUMN_WORDS + word : COLUMN_PARENT; }

static struct slice *word_of(struct token_row *row, int at) {
	return (struct slice *)((char *)row + words[at]);
}

static bool add_by(struct state *state, enum state_statement which, const struct token_row *row, struct fault *why) {
	AUTO_RESET sqlite3_stmt *add = statement(&state->statements, which, why);
	if (!add) return false;
	statement_bind_text(add, 1 + COLUMN_ID, slice_of(row->token_id));
	statement_bind_blob(add, 1 + COLUMN_HASH, slice_make(row->hash, sizeof row->hash));
	for (int i = 0; i < WORDS; i++)
		statement_bind_text(add, 1 + column_of(i),
			*(const struct slice *)((const char *)row + words[i]));
	sqlite3_bind_int(add, 1 + COLUMN_ADMIN, row->is_admin);
	sqlite3_bind_int(add, 1 + COLUMN_LOCAL, row->is_local);
	sqlite3_bind_int64(add, 1 + COLUMN_CREATED, row->created_at);
	sqlite3_bind_int64(add, 1 + COLUMN_EXPIRES, row->expires_at);
	sqlite3_bind_int64(add, 1 + COLUMN_REVOKED, row->revoked_at);
	sqlite3_bind_int(add, 1 + COLUMN_SESSION, row->is_session);
	return statement_run(add, why);
}

bool token_add(struct state *state, const struct token_row *row, struct fault *why) {
	return add_by(state, TOKEN_ADD, row, why);
}

static bool crowd_out(struct state *state, const struct token_row *row, int most, struct fault *why) {
	AUTO_RESET sqlite3_stmt *crowd = statement(&state->statements, TOKEN_CROWD_OUT, why);
	if (!crowd) return false;
	statement_bind_text(crowd, 1, row->parent);
	statement_bind_text(crowd, 2, row->id);
	sqlite3_bind_int(crowd, 3, most);
	sqlite3_bind_int64(crowd, 4, clock_wall_ms());
	return statement_run(crowd, why);
}

bool token_add_session(struct state *state, const struct token_row *row, int most, struct fault *why) {
	if (!database_begin(state->database, why)) return false;
	bool is_done = add_by(state, TOKEN_ADD_SESSION, row, why);
	if (is_done && sqlite3_changes(state->database) == 0)
		is_done = fault_set(why, FAULT_REFUSED, "the token was revoked, or is a session, which makes no other");
	if (is_done && crowd_out(state, row, most, why)) return database_commit(state->database, why);
	database_rollback(state->database);
	return false;
}

static struct token_row *row_read(sqlite3_stmt *from, struct fault *why) {
	size_t length = 0;
	for (int i = 0; i < WORDS; i++) length += statement_text(from, column_of(i)).length + 1;
	struct token_row *row = calloc(1, sizeof *row + length);
	if (!row) return fault_null(why, FAULT_NO_MEMORY, "no memory for a token");
	char *at = (char *)(row + 1);
	for (int i = 0; i < WORDS; i++) {
		struct slice word = statement_text(from, column_of(i));
		if (word.length) memcpy(at, word.bytes, word.length);
		*word_of(row, i) = slice_make(at, word.length);
		at += word.length + 1;
	}
	struct slice id = statement_text(from, COLUMN_ID), hash = statement_blob(from, COLUMN_HASH);
	if (id.length < sizeof row->token_id) memcpy(row->token_id, id.bytes, id.length);
	if (hash.length == sizeof row->hash) memcpy(row->hash, hash.bytes, hash.length);
	row->is_admin = sqlite3_column_int(from, COLUMN_ADMIN);
	row->is_local = sqlite3_column_int(from, COLUMN_LOCAL);
	row->created_at = sqlite3_column_int64(from, COLUMN_CREATED);
	row->expires_at = sqlite3_column_int64(from, COLUMN_EXPIRES);
	row->revoked_at = sqlite3_column_int64(from, COLUMN_REVOKED);
	row->is_session = sqlite3_column_int(from, COLUMN_SESSION);
	return row;
}

static struct token_row *found(sqlite3_stmt *find, struct fault *why) {
	switch (statement_step(find, why)) {
	case STATEMENT_ROW: return row_read(find, why);
	case STATEMENT_DONE: return fault_null(why, FAULT_NOT_FOUND, "there is no such token");
	default: return NULL;
	}
}

struct token_row *token_find(struct state *state, const uint8_t hash[SECRET_HASH_SIZE],
	struct fault *why) {
	AUTO_RESET sqlite3_stmt *find = statement(&state->statements, TOKEN_BY_HASH, why);
	if (!find) return NULL;
	statement_bind_blob(find, 1, slice_make(hash, SECRET_HASH_SIZE));
	return found(find, why);
}

struct token_row *token_find_id(struct state *state, const char *token_id, struct fault *why) {
	AUTO_RESET sqlite3_stmt *find = statement(&state->statements, TOKEN_BY_ID, why);
	if (!find) return NULL;
	statement_bind_text(find, 1, slice_of(token_id));
	return found(find, why);
}

void token_row_free(struct token_row *row) {
	free(row);
}

bool token_each(struct state *state, token_seen *seen, void *context, struct fault *why) {
	AUTO_RESET sqlite3_stmt *each = statement(&state->statements, TOKEN_EACH, why);
	if (!each) return false;
	for (bool go_on = true; go_on;) {
		enum statement_step step = statement_step(each, why);
		if (step != STATEMENT_ROW) return step == STATEMENT_DONE;
		struct token_row *row = row_read(each, why);
		if (!row) return false;
		go_on = seen(context, row);
		token_row_free(row);
	}
	return true;
}

bool token_revoke(struct state *state, const char *token_id, struct slice id, size_t *count,
	struct fault *why) {
	AUTO_RESET sqlite3_stmt *revoke = statement(&state->statements,
		token_id ? TOKEN_REVOKE_ONE : TOKEN_REVOKE_ALL, why);
	if (!revoke) return false;
	statement_bind_text(revoke, 1, token_id ? slice_of(token_id) : id);
	sqlite3_bind_int64(revoke, 2, clock_wall_ms());
	if (!statement_run(revoke, why)) return false;
	if (count) *count = (size_t)sqlite3_changes(state->database);
	return true;
}

bool token_sweep(struct state *state, struct fault *why) {
	AUTO_RESET sqlite3_stmt *sweep = statement(&state->statements, TOKEN_SWEEP, why);
	if (!sweep) return false;
	sqlite3_bind_int64(sweep, 1, clock_wall_ms() - KEPT_MS);
	return statement_run(sweep, why);
}
