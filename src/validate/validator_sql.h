/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validator SQL: whether a text only reads a database, by the kind of its statements (decision 64).
 *
 * Comments, strings and quoted names are skipped as the dialects do it: a text is read once as PostgreSQL,
 * once as MySQL and once as SQLite and SQL Server would, and the worst reading counts. Cypher's MATCH and
 * GraphQL documents are known too. Linear; pure.
 */
#ifndef HUSTINGS_VALIDATE_VALIDATOR_SQL_H
#define HUSTINGS_VALIDATE_VALIDATOR_SQL_H

#include "validate/validator_sql_kind.h"

enum sql_trust {
	SQL_CERTAIN, /* it is SQL: what is not known to read, writes */
	SQL_PERHAPS, /* a query of some language, perhaps ours */
	SQL_STACKED, /* part of a statement, or prose: only what stands behind a ; counts */
};

/* *what: of SQL_WRITES, a few words, static: "DROP", "SELECT INTO". */
enum sql_kind validator_sql_judge(struct slice text, enum sql_trust trust, const char **what) MUST_USE;

#endif
