/* SPDX-License-Identifier: Apache-2.0 */
/* Database: settings, faults and statements over SQLite. */
#include "store/database.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define PATIENCE_MS 5000 /* for another process's transaction */

static enum fault_code fault_of(sqlite3 *database) {
	switch (sqlite3_errcode(database)) {
	case SQLITE_NOMEM: return FAULT_NO_MEMORY;
	case SQLITE_FULL: return FAULT_FULL;
	case SQLITE_BUSY:
	case SQLITE_LOCKED: return FAULT_NOT_READY;
	case SQLITE_CONSTRAINT: return FAULT_EXISTS;
	case SQLITE_PERM:
	case SQLITE_READONLY: return FAULT_REFUSED;
	case SQLITE_TOOBIG: return FAULT_TOO_LARGE;
	default: return FAULT_IO;
	}
}

static bool is_full(int error) {
	return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

/* SQLite knows a full disk by ENOSPC alone; the log and the file remember what else was said. */
static bool wrote_on_full_disk(sqlite3 *database) {
	sqlite3_file *log = NULL;
	int of_log = 0, of_file = 0;
	if (sqlite3_extended_errcode(database) != SQLITE_IOERR_WRITE) return false;
	if (sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK && log &&
		log->pMethods)
		log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &of_log);
	sqlite3_file_control(database, "main", SQLITE_FCNTL_LAST_ERRNO, &of_file);
	return is_full(of_log) || is_full(of_file);
}

bool database_fault(sqlite3 *database, struct fault *why, const char *what) {
	enum fault_code code = fault_of(database);
	if (code == FAULT_IO && wrote_on_full_disk(database)) code = FAULT_FULL;
	if (code == FAULT_FULL)
		return fault_set(why, code, "%s: the disk is full; make room on the disk of the data folder",
			what);
	return fault_set(why, code, "%s: %s", what, sqlite3_errmsg(database));
}

bool database_run(sqlite3 *database, const char *sql, struct fault *why) {
	if (sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK) return true;
	return database_fault(database, why, "database");
}

bool database_begin(sqlite3 *database, struct fault *why) {
	return database_run(database, "BEGIN IMMEDIATE", why);
}

void database_rollback(sqlite3 *database) {
	if (!sqlite3_get_autocommit(database)) sqlite3_exec(database, "ROLLBACK", NULL, NULL, NULL);
}

bool database_commit(sqlite3 *database, struct fault *why) {
	if (database_run(database, "COMMIT", why)) return true;
	database_rollback(database);
	return false;
}

/* ---- Schema ---- */

static bool version_read(sqlite3 *database, int *version, struct fault *why) {
	sqlite3_stmt *asked = NULL;
	if (sqlite3_prepare_v2(database, "PRAGMA user_version", -1, &asked, NULL) != SQLITE_OK ||
		sqlite3_step(asked) != SQLITE_ROW) {
		database_fault(database, why, "database");
		sqlite3_finalize(asked);
		return false;
	}
	*version = sqlite3_column_int(asked, 0);
	sqlite3_finalize(asked);
	return true;
}

/* Inside a transaction: all steps that are missing, or none. */
static bool migrate_now(sqlite3 *database, const struct database_options *options,
	struct fault *why) {
	int version;
	char pragma[64];
	if (!version_read(database, &version, why)) return false; /* another may have been faster */
	for (size_t at = (size_t)version; at < options->migration_count; at++)
		if (!database_run(database, options->migrations[at].sql, why)) return false;
	sqlite3_snprintf(sizeof pragma, pragma, "PRAGMA user_version=%d", (int)options->migration_count);
	return database_run(database, pragma, why);
}

static bool migrate(sqlite3 *database, const struct database_options *options, struct fault *why) {
	int version;
	if (!version_read(database, &version, why)) return false;
	if (version < 0 || (size_t)version > options->migration_count)
		return fault_set(why, FAULT_UNSUPPORTED,
			"its schema has version %d, this program knows %zu; use the newer program", version,
			options->migration_count);
	if ((size_t)version == options->migration_count) return true;
	if (!database_begin(database, why)) return false;
	if (migrate_now(database, options, why)) return database_commit(database, why);
	database_rollback(database);
	return false;
}

/* ---- Opening ---- */

static bool settle(sqlite3 *database, const struct database_options *options, struct fault *why) {
	sqlite3_busy_timeout(database, PATIENCE_MS);
	sqlite3_extended_result_codes(database, 0);
	if (options->is_archive && !database_run(database, "PRAGMA auto_vacuum=INCREMENTAL", why))
		return false;
	if (!database_run(database, "PRAGMA journal_mode=WAL", why)) return false;
	if (!database_run(database,
		    options->is_power_safe ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL", why))
		return false;
	/* No spilling: what is not committed stays in memory, also when the disk is full. What is, the
	 * kernel keeps in its own cache: 256 KiB of it here once more are enough. */
	const char *archive = "PRAGMA wal_autocheckpoint=0; PRAGMA cache_spill=OFF; "
			      "PRAGMA temp_store=MEMORY; PRAGMA cache_size=-256";
	if (options->is_archive && !database_run(database, archive, why))
		return false;
	return migrate(database, options, why);
}

sqlite3 *database_open(const struct database_options *options, struct fault *why) {
	/* SQLite would make it readable for all that the umask allows. */
	int descriptor = open(options->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (descriptor < 0) {
		fault_errno(why, errno, "%s", options->path);
		return NULL;
	}
	close(descriptor);
	sqlite3 *database = NULL;
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
	if (sqlite3_open_v2(options->path, &database, flags, NULL) != SQLITE_OK) {
		if (database)
			database_fault(database, why, options->path);
		else
			fault_set(why, FAULT_NO_MEMORY, "%s: no memory to open it", options->path);
		sqlite3_close(database);
		return NULL;
	}
	if (!settle(database, options, why)) {
		fault_before(why, "%s: ", options->path);
		sqlite3_close(database);
		return NULL;
	}
	return database;
}

void database_close(sqlite3 *database) {
	if (database) sqlite3_close(database);
}

/* ---- Statements ---- */

bool statements_init(struct statements *statements, sqlite3 *database, const char *const *texts,
	size_t count, struct fault *why) {
	sqlite3_stmt **held = calloc(count, sizeof(sqlite3_stmt *));
	if (!held) return fault_set(why, FAULT_NO_MEMORY, "no memory for the database's statements");
	*statements = (struct statements){database, texts, held, count};
	return true;
}

void statements_finish(struct statements *statements) {
	for (size_t i = 0; i < statements->count; i++) sqlite3_finalize(statements->held[i]);
	free(statements->held);
	*statements = (struct statements){0};
}

sqlite3_stmt *statement(struct statements *statements, size_t which, struct fault *why) {
	sqlite3_stmt **held = &statements->held[which];
	if (*held) return *held;
	if (sqlite3_prepare_v3(statements->database, statements->texts[which], -1,
		    SQLITE_PREPARE_PERSISTENT, held, NULL) == SQLITE_OK)
		return *held;
	database_fault(statements->database, why, "database");
	return NULL;
}

void statement_reset(sqlite3_stmt **held) {
	if (!*held) return;
	sqlite3_reset(*held);
	sqlite3_clear_bindings(*held);
}

enum statement_step statement_step(sqlite3_stmt *held, struct fault *why) {
	switch (sqlite3_step(held)) {
	case SQLITE_ROW: return STATEMENT_ROW;
	case SQLITE_DONE: return STATEMENT_DONE;
	default:
		database_fault(sqlite3_db_handle(held), why, "database");
		return STATEMENT_FAILED;
	}
}

bool statement_run(sqlite3_stmt *held, struct fault *why) {
	return statement_step(held, why) != STATEMENT_FAILED;
}

void statement_bind_text(sqlite3_stmt *held, int at, struct slice text) {
	sqlite3_bind_text64(held, at, text.length ? text.bytes : "", text.length, SQLITE_STATIC,
		SQLITE_UTF8);
}

void statement_bind_blob(sqlite3_stmt *held, int at, struct slice octets) {
	sqlite3_bind_blob64(held, at, octets.length ? octets.bytes : "", octets.length, SQLITE_STATIC);
}

struct slice statement_text(sqlite3_stmt *held, int column) {
	const unsigned char *text = sqlite3_column_text(held, column);
	return slice_make(text, text ? (size_t)sqlite3_column_bytes(held, column) : 0);
}

struct slice statement_blob(sqlite3_stmt *held, int column) {
	const void *octets = sqlite3_column_blob(held, column);
	return slice_make(octets, octets ? (size_t)sqlite3_column_bytes(held, column) : 0);
}
