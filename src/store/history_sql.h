/* SPDX-License-Identifier: Apache-2.0 */
/*
 * History SQL: the statements that history_rows.c and history_batch.c share, and the sizes of what
 * is packed in a batch.
 */
#ifndef HUSTINGS_STORE_HISTORY_SQL_H
#define HUSTINGS_STORE_HISTORY_SQL_H

#include "store/database.h"

#define BATCH_HASHES 16
#define BATCH_SPAN 20

enum history_statement {
	TOPIC_FIND,
	TOPIC_ADD,
	TOPIC_SET,
	TOPIC_WALK,
	BATCH_LAST,
	BATCH_PUT,
	BATCH_NEWEST,
	BATCH_OLDEST,
	BATCH_ALL,
	HISTORY_STATEMENTS
};

struct history_batch;
/* Whether such a row is small and young, and to be joined with what comes next. It is asked before
 * anything of the row is read that lies on pages of its own. */
bool history_batch_is_open(sqlite3_stmt *row, int64_t now);
/* From a row of the columns that all BATCH_ statements give. */
bool history_batch_read(sqlite3_stmt *row, struct history_batch *batch, struct fault *why) MUST_USE;

#endif
