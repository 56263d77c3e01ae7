/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Database: what every SQLite file of the store needs: opening with the house's settings, faults
 * instead of result codes, statements that are prepared once and given back by themselves.
 *
 *   AUTO_RESET sqlite3_stmt *found = statement(&rows->statements, FIND_TOPIC, why);
 *
 * A connection is one thread's at a time. SQLite's codes go no higher than this folder.
 */
#ifndef HUSTINGS_STORE_DATABASE_H
#define HUSTINGS_STORE_DATABASE_H

#include "base/fault.h"
#include "base/text.h"

#include <sqlite3.h>

/* A step of a schema, from its place in the list (version 0: an empty file) to the next. */
struct migration {
	const char *sql;
};

struct database_options {
	const char *path;
	const struct migration *migrations;
	size_t migration_count;
	bool is_power_safe; /* a commit waits for the disk */
	bool is_archive;    /* big rows: blocks are given back, checkpoints only on request */
};

/* Makes the file (0600) when it is not there and brings its schema up to date. A file of a newer
 * schema is FAULT_UNSUPPORTED. */
sqlite3 *database_open(const struct database_options *options, struct fault *why) MUST_USE;
void database_close(sqlite3 *database); /* NULL is fine */

bool database_fault(sqlite3 *database, struct fault *why, const char *what); /* returns false */
bool database_run(sqlite3 *database, const char *sql, struct fault *why) MUST_USE;
bool database_begin(sqlite3 *database, struct fault *why) MUST_USE; /* to write, at once */
/* Either commits or rolls back. */
bool database_commit(sqlite3 *database, struct fault *why) MUST_USE;
void database_rollback(sqlite3 *database);

struct statements {
	sqlite3 *database;
	const char *const *texts;
	sqlite3_stmt **held;
	size_t count;
};
bool statements_init(struct statements *statements, sqlite3 *database, const char *const *texts,
	size_t count, struct fault *why) MUST_USE;
void statements_finish(struct statements *statements); /* zeroed is fine */
/* Without bindings, at its beginning; prepared at its first use. */
sqlite3_stmt *statement(struct statements *statements, size_t which, struct fault *why) MUST_USE;
void statement_reset(sqlite3_stmt **held);
#define AUTO_RESET __attribute__((cleanup(statement_reset)))

enum statement_step {
	STATEMENT_FAILED,
	STATEMENT_DONE,
	STATEMENT_ROW
};
enum statement_step statement_step(sqlite3_stmt *statement, struct fault *why) MUST_USE;
bool statement_run(sqlite3_stmt *statement, struct fault *why) MUST_USE; /* one that gives no rows */

/* Borrowed until the statement is reset; an empty slice is an empty text or blob, never NULL. */
void statement_bind_text(sqlite3_stmt *statement, int at, struct slice text);
void statement_bind_blob(sqlite3_stmt *statement, int at, struct slice octets);
struct slice statement_text(sqlite3_stmt *statement, int column); /* until the next step */
struct slice statement_blob(sqlite3_stmt *statement, int column);

#endif
