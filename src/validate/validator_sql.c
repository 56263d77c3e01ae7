/* SPDX-License-Identifier: Apache-2.0 */
/* Validator SQL: statements one by one; the last three tokens and what was seen so far decide. */
#include "validate/validator_sql.h"

#include "validate/validator_graphql.h"
#include "validate/validator_sql_lex.h"

#include <strings.h>

enum seen { /* bits, of one statement */
	SEEN_INTO = 1,
	SEEN_FROM = 2,
	SEEN_SET = 4,
	SEEN_WHERE = 8,
	SEEN_ON = 16,
	SEEN_EQUALS = 32,
	SEEN_VALUES = 64,
	SEEN_USING = 128,
	SEEN_PAREN = 256,
	SEEN_LITERAL = 512,
	SEEN_STREAM = 1024, /* STDIN, STDOUT, PROGRAM */
	SEEN_STDOUT = 2048,
	SEEN_UPDATE = 4096,
	SEEN_ANALYZE = 8192,
	SEEN_AT = 16384,
	SEEN_SELECT = 32768,
};

enum first { /* what a statement is by its first word */
	FIRST_UNKNOWN,
	FIRST_SCANNED, /* reads, unless something inside writes */
	FIRST_SHOWN,   /* reads whatever follows */
	FIRST_EXPLAIN,
	FIRST_PRAGMA,
	FIRST_COPY,
	FIRST_CYPHER,
	FIRST_WRITES,
};

struct starter {
	const char *word;
	enum first first;
	/* In a text that may be prose, it is a statement only when one of these was seen; 0: always.
	 * SHORT: or when there are at most three words. */
	unsigned shape;
	bool is_short;
	bool needs_object; /* or the second word is TABLE and the like */
};

static const struct starter starters[] = {
	{"SELECT", FIRST_SCANNED, 0, false, false},
	{"WITH", FIRST_SCANNED, SEEN_PAREN, false, false},
	{"VALUES", FIRST_SCANNED, SEEN_PAREN, false, false},
	{"TABLE", FIRST_SCANNED, 0, true, false},
	{"FROM", FIRST_SCANNED, SEEN_WHERE, true, false},
	{"PIVOT", FIRST_SCANNED, SEEN_ON, false, false},
	{"SUMMARIZE", FIRST_SCANNED, 0, true, false},
	{"SHOW", FIRST_SHOWN, 0, false, false},
	{"HELP", FIRST_SHOWN, 0, true, false},
	{"USE", FIRST_SHOWN, 0, true, false},
	{"BEGIN", FIRST_SCANNED, 0, true, false},
	{"START", FIRST_SCANNED, 0, true, false},
	{"ROLLBACK", FIRST_SCANNED, 0, true, false},
	{"END", FIRST_SCANNED, 0, true, false},
	{"DESCRIBE", FIRST_EXPLAIN, 0, true, false},
	{"DESC", FIRST_EXPLAIN, 0, true, false},
	{"EXPLAIN", FIRST_EXPLAIN, SEEN_FROM | SEEN_SET | SEEN_INTO, false, false},
	{"PRAGMA", FIRST_PRAGMA, 0, false, false},
	{"COPY", FIRST_COPY, SEEN_STREAM | SEEN_LITERAL, false, false},
	{"MATCH", FIRST_CYPHER, SEEN_PAREN, false, false},
	{"OPTIONAL", FIRST_CYPHER, SEEN_PAREN, false, false},
	{"UNWIND", FIRST_CYPHER, SEEN_PAREN, false, false},

	{"INSERT", FIRST_WRITES, SEEN_SELECT | SEEN_VALUES | SEEN_PAREN | SEEN_SET, false, false},
	{"UPDATE", FIRST_WRITES, SEEN_SET, false, false},
	{"DELETE", FIRST_WRITES, SEEN_FROM | SEEN_WHERE, false, false},
	{"MERGE", FIRST_WRITES, SEEN_INTO | SEEN_USING | SEEN_PAREN, false, false},
	{"REPLACE", FIRST_WRITES, SEEN_SELECT | SEEN_VALUES | SEEN_SET, false, false},
	{"UPSERT", FIRST_WRITES, SEEN_SELECT | SEEN_VALUES, false, false},
	{"DROP", FIRST_WRITES, 0, false, true},
	{"CREATE", FIRST_WRITES, SEEN_PAREN, false, true},
	{"ALTER", FIRST_WRITES, 0, false, true},
	{"TRUNCATE", FIRST_WRITES, 0, true, true},
	{"RENAME", FIRST_WRITES, 0, false, true},
	{"COMMENT", FIRST_WRITES, SEEN_LITERAL, false, false},
	{"GRANT", FIRST_WRITES, SEEN_ON, false, false},
	{"REVOKE", FIRST_WRITES, SEEN_ON, false, false},
	{"DENY", FIRST_WRITES, SEEN_ON, false, false},
	{"CALL", FIRST_WRITES, SEEN_PAREN, false, false},
	{"EXEC", FIRST_WRITES, SEEN_PAREN | SEEN_AT, true, false},
	{"EXECUTE", FIRST_WRITES, SEEN_PAREN | SEEN_AT | SEEN_LITERAL, false, false},
	{"PREPARE", FIRST_WRITES, SEEN_FROM | SEEN_PAREN, false, false},
	{"DO", FIRST_WRITES, SEEN_LITERAL, false, false},
	{"SET", FIRST_WRITES, SEEN_EQUALS, false, false},
	{"RESET", FIRST_WRITES, 0, true, false},
	{"COMMIT", FIRST_WRITES, 0, true, false},
	{"SAVEPOINT", FIRST_WRITES, 0, true, false},
	{"DECLARE", FIRST_WRITES, SEEN_AT, false, false},
	{"VACUUM", FIRST_WRITES, 0, true, false},
	{"ANALYZE", FIRST_WRITES, 0, true, true},
	{"REINDEX", FIRST_WRITES, 0, true, true},
	{"CLUSTER", FIRST_WRITES, 0, true, false},
	{"OPTIMIZE", FIRST_WRITES, 0, true, true},
	{"REPAIR", FIRST_WRITES, 0, false, true},
	{"REFRESH", FIRST_WRITES, 0, false, true},
	{"CHECKPOINT", FIRST_WRITES, 0, true, false},
	{"FLUSH", FIRST_WRITES, 0, true, false},
	{"PURGE", FIRST_WRITES, 0, true, false},
	{"ATTACH", FIRST_WRITES, SEEN_LITERAL, false, true},
	{"DETACH", FIRST_WRITES, 0, true, true},
	{"LOAD", FIRST_WRITES, SEEN_LITERAL | SEEN_INTO, false, false},
	{"IMPORT", FIRST_WRITES, SEEN_LITERAL | SEEN_INTO, false, true},
	{"EXPORT", FIRST_WRITES, SEEN_LITERAL, false, true},
	{"UNLOAD", FIRST_WRITES, SEEN_PAREN, false, false},
	{"INSTALL", FIRST_WRITES, 0, true, false},
	{"LOCK", FIRST_WRITES, 0, false, true},
	{"UNLOCK", FIRST_WRITES, 0, false, true},
	{"KILL", FIRST_WRITES, 0, true, false},
	{"HANDLER", FIRST_WRITES, 0, true, false},
	{"LISTEN", FIRST_WRITES, 0, true, false},
	{"NOTIFY", FIRST_WRITES, 0, true, false},
	{"SHUTDOWN", FIRST_WRITES, 0, true, false},
	{"BACKUP", FIRST_WRITES, SEEN_LITERAL, false, true},
	{"RESTORE", FIRST_WRITES, SEEN_LITERAL, false, true},
	{"FOREACH", FIRST_WRITES, SEEN_PAREN, false, false},
	{"DBCC", FIRST_WRITES, SEEN_PAREN, false, false},
	{"BULK", FIRST_WRITES, SEEN_FROM, false, false},
	{"PUT", FIRST_WRITES, SEEN_LITERAL, false, false},
};

static const char *const objects[] = {"TABLE", "TABLES", "DATABASE", "SCHEMA", "VIEW", "INDEX", "USER",
	"ROLE", "FUNCTION", "PROCEDURE", "TRIGGER", "SEQUENCE", "TYPE", "EXTENSION", "MATERIALIZED", "TEMP",
	"TEMPORARY", "UNIQUE", "OR", "VIRTUAL", "POLICY", "SYSTEM", "SERVER", "TABLESPACE", "COLUMN",
	"CONSTRAINT", "IF", "EVENT", "AGGREGATE", "LOGIN", "COLLECTION", "KEYSPACE", "OWNED", "GLOBAL",
	"UNLOGGED", "FOREIGN", "LARGE", "PUBLICATION", "SUBSCRIPTION", "SECRET", "MACRO", "RULE", "DOMAIN",
	"CAST", "OPERATOR", "EXTERNAL", "STAGE", "WAREHOUSE", "PARTITION", "ASSEMBLY", "SYNONYM",
	"CREDENTIAL", "GROUP", "LANGUAGE", "CONVERSION", "RECURSIVE", NULL};

/* They write, or reach out of the database, though a SELECT calls them. */
static const char *const functions[] = {"lo_import", "lo_export", "lo_unlink", "lo_create", "lo_put",
	"lowrite", "pg_terminate_backend", "pg_cancel_backend", "pg_reload_conf", "pg_rotate_logfile",
	"pg_file_write", "pg_file_rename", "pg_file_unlink", "pg_read_file", "pg_read_binary_file",
	"pg_ls_dir", "pg_promote", "pg_switch_wal", "pg_create_restore_point", "pg_logical_emit_message",
	"pg_stat_reset", "pg_drop_replication_slot", "pg_create_physical_replication_slot",
	"pg_advisory_lock", "pg_advisory_xact_lock", "pg_notify", "pg_sleep", "dblink", "dblink_exec",
	"dblink_connect", "dblink_send_query", "nextval", "setval", "set_config", "query_to_xml",
	"table_to_xml", "load_extension", "writefile", "edit", "fts3_tokenizer", "load_file", "sys_exec",
	"sys_eval", "get_lock", "release_lock", "benchmark", "sleep", "openrowset", "openquery",
	"opendatasource", "xp_cmdshell", "sp_executesql", "sp_oacreate", "sp_configure", "txid_current",
	"crosstab", "readfile", NULL};

static const char *const pragmas_with[] = {"table_info", "table_xinfo", "index_list", "index_info",
	"index_xinfo", "foreign_key_list", "foreign_key_check", "integrity_check", "quick_check",
	"table_list", NULL};
static const char *const pragmas_bare[] = {"table_info", "table_list", "database_list", "function_list",
	"collation_list", "compile_options", "module_list", "pragma_list", "index_list", "integrity_check",
	"quick_check", "foreign_key_check", "user_version", "schema_version", "page_count", "page_size",
	"journal_mode", "encoding", "freelist_count", "cache_size", "application_id", "foreign_keys",
	"synchronous", "auto_vacuum", "data_version", "max_page_count", "busy_timeout", "temp_store",
	"locking_mode", "mmap_size", "query_only", "read_uncommitted", "recursive_triggers",
	"secure_delete", NULL};

struct statement {
	enum sql_trust trust;
	const struct starter *starter; /* NULL: its first word is none */
	struct sql_token last, before; /* the two tokens before the one at hand */
	struct sql_token opening;      /* the first word */
	struct slice second;           /* the second word */
	struct slice pragma;
	size_t words, depth;
	unsigned seen;
	bool is_certain; /* behind EXPLAIN ANALYZE */
	bool is_quiet;   /* EXPLAIN: what follows is not run */
	const char *writes;
};

static bool is_in(struct slice word, const char *const *list) {
	for (; *list && word.length; list++)
		if ((word.bytes[0] | 0x20) == (**list | 0x20) && word.length == strlen(*list) &&
			strncasecmp(word.bytes, *list, word.length) == 0)
			return true;
	return false;
}

static const struct starter *starter_find(const struct sql_token *token) {
	for (size_t i = 0; i < COUNT_OF(starters); i++)
		if (sql_token_is(token, starters[i].word)) return &starters[i];
	return NULL;
}

static const struct {
	const char *word;
	unsigned bit;
} seen_words[] = {
	{"INTO", SEEN_INTO},
	{"FROM", SEEN_FROM},
	{"SET", SEEN_SET},
	{"SELECT", SEEN_SELECT},
	{"WHERE", SEEN_WHERE},
	{"ON", SEEN_ON},
	{"VALUES", SEEN_VALUES},
	{"USING", SEEN_USING},
	{"STDIN", SEEN_STREAM},
	{"PROGRAM", SEEN_STREAM},
	{"STDOUT", SEEN_STREAM | SEEN_STDOUT},
};

static void note(struct statement *statement, const struct sql_token *token) {
	if (token->type == SQL_LITERAL && !(token->text.bytes[0] >= '0' && token->text.bytes[0] <= '9'))
		statement->seen |= SEEN_LITERAL;
	if (sql_token_is_mark(token, '(')) statement->seen |= SEEN_PAREN;
	if (sql_token_is_mark(token, '=')) statement->seen |= SEEN_EQUALS;
	if (sql_token_is_mark(token, '@')) statement->seen |= SEEN_AT;
	if (token->type != SQL_WORD) return;
	for (size_t i = 0; i < COUNT_OF(seen_words); i++)
		if (sql_token_is(token, seen_words[i].word)) statement->seen |= seen_words[i].bit;
}

/* ---- Inside a statement that reads ---- */

static bool is_call(const struct statement *statement, const struct sql_token *token) {
	return statement->last.type == SQL_WORD && sql_token_is_mark(token, '(');
}

/* DELETE FROM, DROP TABLE: also without a ; before them, as SQL Server takes it. */
static const char *judge_pair(const struct statement *statement, const struct sql_token *token) {
	static const struct {
		const char *first, *second;
	} pairs[] = {{"INSERT", "INTO"}, {"DELETE", "FROM"}, {"MERGE", "INTO"}, {"REPLACE", "INTO"},
		{"EXEC", NULL}};
	const struct sql_token *last = &statement->last;
	for (size_t i = 0; i < COUNT_OF(pairs); i++)
		if (sql_token_is(last, pairs[i].first) &&
			(pairs[i].second ? sql_token_is(token, pairs[i].second)
					 : token->type != SQL_MARK || sql_token_is_mark(token, '(')) &&
			!sql_token_is_mark(&statement->before, '.') &&
			!sql_token_is(&statement->before, "AS"))
			return pairs[i].first;
	if (token->type != SQL_WORD || !is_in(token->text, objects) ||
		sql_token_is_mark(&statement->before, '.'))
		return NULL;
	if (sql_token_is(token, "OR") || sql_token_is(token, "IF") || sql_token_is(token, "TYPE"))
		return NULL;
	if (sql_token_is(last, "DROP")) return "DROP";
	if (sql_token_is(last, "ALTER")) return "ALTER";
	if (sql_token_is(last, "CREATE")) return "CREATE";
	return sql_token_is(last, "TRUNCATE") ? "TRUNCATE" : NULL;
}

/* A statement in parentheses, or behind those of WITH. */
static const char *judge_inner(const struct statement *statement, const struct sql_token *token) {
	static const char *const words[] = {"INSERT", "UPDATE", "DELETE", "MERGE"};
	bool is_inner = sql_token_is_mark(&statement->before, '(') ||
		sql_token_is_mark(&statement->before, ')');
	if (!is_inner || token->type == SQL_END || sql_token_is_mark(token, '(') ||
		sql_token_is_mark(token, ',') || sql_token_is_mark(token, ')') ||
		sql_token_is_mark(token, '.'))
		return NULL;
	for (size_t i = 0; i < COUNT_OF(words); i++)
		if (sql_token_is(&statement->last, words[i])) return words[i];
	return NULL;
}

static const char *judge_lock(const struct statement *statement, const struct sql_token *token) {
	bool is_for = sql_token_is(&statement->last, "FOR") || sql_token_is(&statement->last, "KEY");
	if (is_for && (sql_token_is(token, "UPDATE") || sql_token_is(token, "SHARE")))
		return "SELECT FOR UPDATE";
	if (sql_token_is(&statement->last, "LOCK") && sql_token_is(token, "IN"))
		return "LOCK IN SHARE MODE";
	return NULL;
}

static const char *judge_reading(struct statement *statement, const struct sql_token *token) {
	const char *writes = judge_pair(statement, token);
	if (!writes) writes = judge_inner(statement, token);
	if (!writes) writes = judge_lock(statement, token);
	if (!writes && is_call(statement, token) && is_in(statement->last.text, functions))
		writes = "a function that does more than read";
	if (!writes && token->type == SQL_WORD && token->text.length > 3 &&
		strncasecmp(token->text.bytes, "xp_", 3) == 0 && !sql_token_is_mark(&statement->last, '.'))
		writes = "an extended procedure";
	if (!writes && sql_token_is(token, "INTO") && !sql_token_is(&statement->last, "AS"))
		writes = "SELECT INTO";
	if (sql_token_is(token, "UPDATE") && !sql_token_is(&statement->last, "AS") &&
		!sql_token_is_mark(&statement->last, '.'))
		statement->seen |= SEEN_UPDATE;
	if (!writes && statement->seen & SEEN_UPDATE && sql_token_is(token, "SET")) writes = "UPDATE";
	return writes;
}

static const char *judge_cypher(const struct statement *statement, const struct sql_token *token) {
	static const char *const words[] = {
		"CREATE", "MERGE", "SET", "DELETE", "DETACH", "REMOVE", "DROP", "FOREACH", "LOAD", "CALL"};
	if (sql_token_is_mark(&statement->last, ':') || sql_token_is_mark(&statement->last, '.'))
		return NULL;
	for (size_t i = 0; i < COUNT_OF(words); i++)
		if (sql_token_is(token, words[i])) return words[i];
	return NULL;
}

/* ---- One token, one statement ---- */

/* EXPLAIN only plans what follows, EXPLAIN ANALYZE runs it. */
static void look_explained(struct statement *statement, const struct sql_token *token) {
	if (sql_token_is(token, "ANALYZE") || sql_token_is(token, "ANALYSE")) {
		statement->seen |= SEEN_ANALYZE;
		return;
	}
	const struct starter *starter = statement->depth ? NULL : starter_find(token);
	if (!starter || starter->first == FIRST_EXPLAIN) return;
	if (!(statement->seen & SEEN_ANALYZE)) {
		statement->is_quiet = true;
		return;
	}
	statement->starter = starter;
	statement->is_certain = true;
	statement->second = SLICE_NONE;
}

static void look(struct statement *statement, const struct sql_token *token) {
	enum first first = statement->starter ? statement->starter->first : FIRST_UNKNOWN;
	if (sql_token_is_mark(token, '(')) statement->depth++;
	if (sql_token_is_mark(token, ')') && statement->depth) statement->depth--;
	if (token->type == SQL_WORD && statement->words == 0) statement->opening = *token;
	if (token->type == SQL_WORD && statement->words++ == 1) statement->second = token->text;
	if (first == FIRST_PRAGMA && token->type == SQL_WORD &&
		!(statement->seen & (SEEN_EQUALS | SEEN_PAREN)))
		statement->pragma = token->text;
	note(statement, token);
	if (statement->is_quiet) return;
	if (first == FIRST_EXPLAIN) look_explained(statement, token);
	const char *writes = NULL;
	if (first == FIRST_SCANNED || first == FIRST_COPY) writes = judge_reading(statement, token);
	if (first == FIRST_CYPHER) writes = judge_cypher(statement, token);
	if (writes && !statement->writes) statement->writes = writes;
}

/* "VACUUM" and "FLUSH PRIVILEGES" are told from "flush toilet" by their capitals. */
static bool is_short_statement(const struct statement *statement) {
	if (statement->starter->first != FIRST_WRITES) return statement->words <= 3;
	if (statement->words > 3 || sql_token_is(&statement->opening, "TRUNCATE")) return statement->words <= 2;
	for (size_t i = 0; i < statement->opening.text.length; i++)
		if (statement->opening.text.bytes[i] >= 'a') return false;
	return true;
}

static bool is_statement(const struct statement *statement) {
	const struct starter *starter = statement->starter;
	if (statement->trust == SQL_CERTAIN || statement->is_certain) return true;
	if (!starter->shape && !starter->is_short && !starter->needs_object) return true;
	if (starter->shape & statement->seen) return true;
	if (statement->second.length > 3 &&
		(strncasecmp(statement->second.bytes, "sp_", 3) == 0 ||
			strncasecmp(statement->second.bytes, "xp_", 3) == 0))
		return true;
	if (starter->is_short && is_short_statement(statement)) return true;
	return starter->needs_object && statement->second.length && is_in(statement->second, objects);
}

static enum sql_kind judge_pragma(const struct statement *statement, const char **what) {
	bool has_value = statement->seen & (SEEN_EQUALS | SEEN_PAREN);
	if (!(statement->seen & SEEN_EQUALS) && statement->words > 1 &&
		is_in(statement->pragma, has_value ? pragmas_with : pragmas_bare))
		return SQL_READS;
	*what = "PRAGMA";
	return SQL_WRITES;
}

static enum sql_kind statement_end(struct statement *statement, bool *is_unknown, const char **what) {
	const struct starter *starter = statement->starter;
	const struct sql_token end = {SQL_END, SLICE_NONE};
	if (starter) look(statement, &end);
	if (!starter) {
		/* Perhaps a piece of a string of another dialect: told only where all agree. */
		*is_unknown = *is_unknown || statement->words || statement->last.type != SQL_END;
		return SQL_NONE;
	}
	starter = statement->starter;
	if (statement->writes) *what = statement->writes;
	if (statement->writes) return SQL_WRITES;
	if (!is_statement(statement)) return SQL_NONE;
	switch (starter->first) {
	case FIRST_PRAGMA: return judge_pragma(statement, what);
	case FIRST_COPY: *what = "COPY"; return statement->seen & SEEN_STDOUT ? SQL_READS : SQL_WRITES;
	case FIRST_WRITES: *what = starter->word; return SQL_WRITES;
	default: return SQL_READS;
	}
}

static void statement_begin(struct statement *statement, enum sql_trust trust) {
	*statement = (struct statement){.trust = trust};
}

static enum sql_kind judge_dialect(struct slice text, enum sql_dialect dialect, enum sql_trust trust,
	bool *is_unknown, const char **what) {
	struct sql_lex lex;
	struct statement statement;
	enum sql_kind kind = SQL_NONE;
	bool is_first = true;
	sql_lex_open(&lex, text, dialect, trust == SQL_STACKED);
	statement_begin(&statement, trust);
	for (;;) {
		struct sql_token token = sql_lex_next(&lex);
		bool ends = token.type == SQL_END || sql_token_is_mark(&token, ';');
		if (ends) {
			enum sql_kind one = statement_end(&statement, is_unknown, what);
			if (trust == SQL_STACKED && is_first) one = SQL_NONE;
			if (one == SQL_WRITES) return SQL_WRITES;
			if (one > kind) kind = one;
			if (lex.is_open) *is_unknown = true;
			if (token.type == SQL_END) return kind;
			is_first = false;
			statement_begin(&statement, trust == SQL_STACKED ? SQL_PERHAPS : trust);
			continue;
		}
		if (!statement.words && token.type == SQL_WORD) statement.starter = starter_find(&token);
		look(&statement, &token);
		statement.before = statement.last;
		statement.last = token;
	}
}

enum sql_kind validator_sql_judge(struct slice text, enum sql_trust trust, const char **what) {
	enum sql_kind kind = SQL_NONE;
	if (trust != SQL_STACKED) {
		*what = "a mutation";
		kind = validator_graphql_judge(text);
		if (kind == SQL_WRITES || (kind == SQL_READS && trust == SQL_PERHAPS)) return kind;
	} else if (!text.length || !memchr(text.bytes, ';', text.length)) {
		return SQL_NONE;
	}
	int unknown = 0;
	for (int dialect = 0; dialect < SQL_DIALECTS; dialect++) {
		bool is_unknown = false;
		enum sql_kind one = judge_dialect(
			text, (enum sql_dialect)dialect, trust, &is_unknown, what);
		if (one == SQL_WRITES) return SQL_WRITES;
		if (one > kind) kind = one;
		if (is_unknown) unknown++;
	}
	if (trust != SQL_CERTAIN || unknown < SQL_DIALECTS) return kind;
	*what = "a statement that is not known to read";
	return SQL_WRITES;
}
