/* SPDX-License-Identifier: Apache-2.0 */
/* State: opening DATA/state.db; all its statements in one table. */
#include "store/state.h"

#include "store/data_folder.h"
#include "store/migrations.h"
#include "store/state_parts.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#define TOKEN_COLUMNS \
	"token_id, hash, id, name, kind, mcp_version, dialect, privilege, topics, is_admin, is_local, " \
	"created_at, expires_at, revoked_at, is_session, parent"

static const char *const texts[STATE_STATEMENTS] = {
	[TOKEN_ADD] = "INSERT INTO tokens (" TOKEN_COLUMNS ")"
		      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)",
	/* The token that it is made with may have been revoked by another process just now. */
	[TOKEN_ADD_SESSION] = "INSERT INTO tokens (" TOKEN_COLUMNS ")"
			      " SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16"
			      " WHERE NOT EXISTS"
			      " (SELECT 1 FROM tokens WHERE token_id = ?16 AND (revoked_at > 0 OR is_session))",
	/* Those that are over go first, then the oldest; a clock that was set back does not make the new one old. */
	[TOKEN_CROWD_OUT] = "DELETE FROM tokens WHERE is_session AND parent = ?1 AND id = ?2 AND token_id NOT IN"
			    " (SELECT token_id FROM tokens WHERE is_session AND parent = ?1 AND id = ?2 ORDER BY"
			    " revoked_at > 0 OR (expires_at > 0 AND expires_at <= ?4), rowid DESC"
			    " LIMIT ?3)",
	[TOKEN_BY_HASH] = "SELECT " TOKEN_COLUMNS " FROM tokens WHERE hash = ?1",
	[TOKEN_BY_ID] = "SELECT " TOKEN_COLUMNS " FROM tokens WHERE token_id = ?1",
	[TOKEN_EACH] = "SELECT " TOKEN_COLUMNS " FROM tokens ORDER BY created_at, token_id",
	[TOKEN_REVOKE_ONE] = "UPDATE tokens SET revoked_at = ?2 WHERE (token_id = ?1 OR (is_session AND parent = ?1))"
			     " AND revoked_at = 0"
			     " AND (expires_at = 0 OR expires_at > ?2)",
	[TOKEN_REVOKE_ALL] = "UPDATE tokens SET revoked_at = ?2 WHERE id = ?1 AND revoked_at = 0"
			     " AND (expires_at = 0 OR expires_at > ?2)",
	[TOKEN_SWEEP] = "DELETE FROM tokens WHERE (revoked_at > 0 AND revoked_at < ?1)"
			" OR (expires_at > 0 AND expires_at < ?1)",
	[PROMOTION_SET] = "INSERT OR REPLACE INTO promotions (id, topic, privilege, set_by, set_at)"
			  " VALUES (?1, ?2, ?3, ?4, ?5)",
	[PROMOTION_CLEAR] = "DELETE FROM promotions WHERE id = ?1 AND topic <> ''",
	/* The topic's own row before the one for all. */
	[PROMOTION_FIND] = "SELECT privilege FROM promotions WHERE id = ?1 AND topic IN ('', ?2)"
			   " ORDER BY topic DESC LIMIT 1",
	[SERVER_ADD] = "INSERT OR REPLACE INTO servers (id, definition, created_by, created_at)"
		       " VALUES (?1, ?2, ?3, ?4)",
	[SERVER_REMOVE] = "DELETE FROM servers WHERE id = ?1",
	[SERVER_EACH] = "SELECT id, definition, created_by, created_at FROM servers ORDER BY created_at, id",
	[DECISION_PUT] = "INSERT INTO decisions (id, is_open, changed_at, version, told, record)"
			 " VALUES (?1, ?2, ?3, ?4, 0, ?5) ON CONFLICT (id) DO UPDATE SET is_open = excluded.is_open,"
			 " changed_at = excluded.changed_at, version = excluded.version, record = excluded.record",
	[DECISION_TOLD] = "UPDATE decisions SET told = ?2 WHERE id = ?1",
	[DECISION_REMOVE] = "DELETE FROM decisions WHERE id = ?1",
	[DECISION_EACH] = "SELECT id, is_open, changed_at, version, told, record FROM decisions"
			  " ORDER BY decision_id",
	[GRANT_PUT] = "INSERT INTO grants (agent, server, tool, is_allowed, granted_by, justification, granted_at,"
		      " expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (agent, server, tool)"
		      " DO UPDATE SET is_allowed = excluded.is_allowed, granted_by = excluded.granted_by,"
		      " justification = excluded.justification, granted_at = excluded.granted_at,"
		      " expires_at = excluded.expires_at",
	[GRANT_REMOVE] = "DELETE FROM grants WHERE agent = ?1 AND server = ?2 AND tool = ?3",
	[GRANT_EACH] = "SELECT agent, server, tool, is_allowed, granted_by, justification, granted_at, expires_at"
		       " FROM grants ORDER BY grant_id",
	[PERMISSION_PUT] = "INSERT OR REPLACE INTO permissions (server, permission, state, decided_by, decided_at,"
			   " expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
	[PERMISSION_REMOVE] = "DELETE FROM permissions WHERE server = ?1",
	[PERMISSION_EACH] = "SELECT permission, state, decided_by, decided_at, expires_at FROM permissions"
			    " WHERE server = ?1 ORDER BY permission",
	[PIN_PUT] = "INSERT OR REPLACE INTO pins (server, era, tool, definition, pinned_by, pinned_at)"
		    " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
	[PIN_REMOVE] = "DELETE FROM pins WHERE server = ?1",
	[PIN_EACH] = "SELECT tool, definition, pinned_by, pinned_at FROM pins WHERE server = ?1 AND era = ?2",
	[FLOW_PUT] = "INSERT OR REPLACE INTO flows (id, sealed) VALUES (?1, ?2)",
	[FLOW_REMOVE] = "DELETE FROM flows WHERE id = ?1",
	[FLOW_FIND] = "SELECT id, sealed FROM flows WHERE id = ?1",
	[FLOW_EACH] = "SELECT id, sealed FROM flows",
	[FLOW_SPEND] = "INSERT OR IGNORE INTO flow_tokens (token, expires_at) VALUES (?1, ?2)",
	[FLOW_SWEEP] = "DELETE FROM flow_tokens WHERE expires_at <= ?1",
	[STATE_CHANGES] = "PRAGMA data_version",
};

struct state *state_open(const char *directory, struct fault *why) {
	if (!data_folder_make(directory, why)) return NULL;
	AUTO_FREE char *path = data_folder_path(directory, "state.db", why);
	AUTO(state) state = calloc(1, sizeof *state);
	if (!path || !state) return fault_null(why, FAULT_NO_MEMORY, "no memory to open state.db");
	/* A revocation that a power cut undoes would be a hole. */
	struct database_options options = {
		.path = path,
		.migrations = state_migrations,
		.migration_count = STATE_VERSION,
		.is_power_safe = true,
	};
	state->database = database_open(&options, why);
	if (!state->database) return NULL;
	if (!statements_init(&state->statements, state->database, texts, STATE_STATEMENTS, why)) return NULL;
	state->log_path = data_folder_path(directory, "state.db-wal", why);
	if (!state->log_path) return NULL;
	return TAKE(state);
}

void state_close(struct state *state) {
	if (!state) return;
	statements_finish(&state->statements);
	database_close(state->database);
	free(state->log_path);
	free(state);
}

uint64_t state_version(struct state *state) {
	AUTO_RESET sqlite3_stmt *changes = statement(&state->statements, STATE_CHANGES, NULL);
	if (!changes || statement_step(changes, NULL) != STATEMENT_ROW) return 0;
	return (uint64_t)sqlite3_column_int64(changes, 0);
}

/* A file's time moves in steps of some milliseconds: within one, a second write would look like the first. */
#define STEP_NS (50LL * 1000 * 1000)

static int64_t wall_ns(void) {
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

struct state_mark state_mark_take(const struct state *state) {
	struct stat found;
	int64_t now = wall_ns();
	if (stat(state->log_path, &found) != 0) return (struct state_mark){0};
	int64_t written = (int64_t)found.st_mtim.tv_sec * 1000000000 + found.st_mtim.tv_nsec;
	return (struct state_mark){
		.seconds = found.st_mtim.tv_sec,
		.nanoseconds = found.st_mtim.tv_nsec,
		.octets = found.st_size,
		.taken_at = now - written >= STEP_NS ? now : 0,
	};
}

bool state_is_as_marked(const struct state *state, const struct state_mark *mark) {
	struct stat found;
	return mark->taken_at && stat(state->log_path, &found) == 0 && found.st_mtim.tv_sec == mark->seconds &&
		found.st_mtim.tv_nsec == mark->nanoseconds && found.st_size == mark->octets;
}
