/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validator SQL lex: the tokens of a statement in one of three dialects. Pure; never reads past the text,
 * and ends with it whatever is left open.
 */
#ifndef HUSTINGS_VALIDATE_VALIDATOR_SQL_LEX_H
#define HUSTINGS_VALIDATE_VALIDATOR_SQL_LEX_H

#include "base/dialect.h"
#include "base/slice.h"

enum sql_dialect {
	SQL_POSTGRES, /* nested comments, $tag$, E'\'' */
	SQL_MYSQL,    /* # comments, backslashes, code in comments */
	SQL_OTHER,    /* SQLite and SQL Server: [names] */
	SQL_DIALECTS
};

enum sql_token_type {
	SQL_END,
	SQL_WORD,    /* a keyword or a plain name */
	SQL_LITERAL, /* a string, a number, a quoted name */
	SQL_MARK,    /* one octet of punctuation */
};

struct sql_token {
	enum sql_token_type type;
	struct slice text;
};

struct sql_lex {
	const char *at;
	const char *end;
	enum sql_dialect dialect;
	bool ignores_quotes; /* the text begins somewhere inside a statement */
	bool is_open;        /* a string did not end */
};

void sql_lex_open(struct sql_lex *lex, struct slice text, enum sql_dialect dialect, bool ignores_quotes);
struct sql_token sql_lex_next(struct sql_lex *lex);
bool sql_token_is(const struct sql_token *token, const char *word); /* without regard to case */
bool sql_token_is_mark(const struct sql_token *token, char mark);

#endif
