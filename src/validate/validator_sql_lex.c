/* SPDX-License-Identifier: Apache-2.0 */
/* Validator SQL lex: what each dialect skips. */
#include "validate/validator_sql_lex.h"

#include <strings.h>

static bool is_letter(char octet) {
	return (octet >= 'a' && octet <= 'z') || (octet >= 'A' && octet <= 'Z') || octet == '_' ||
		(unsigned char)octet >= 0x80;
}
static bool is_digit(char octet) { return octet >= '0' && octet <= '9'; }
static bool is_blank(char octet) { return (unsigned char)octet <= ' '; }

void sql_lex_open(struct sql_lex *lex, struct slice text, enum sql_dialect dialect, bool ignores_quotes) {
	*lex = (struct sql_lex){.at = text.bytes,
		.end = text.bytes + text.length,
		.dialect = dialect,
		.ignores_quotes = ignores_quotes};
}

bool sql_token_is(const struct sql_token *token, const char *word) {
	if (token->type != SQL_WORD || (token->text.bytes[0] | 0x20) != (word[0] | 0x20)) return false;
	return token->text.length == strlen(word) &&
		strncasecmp(token->text.bytes, word, token->text.length) == 0;
}

bool sql_token_is_mark(const struct sql_token *token, char mark) {
	return token->type == SQL_MARK && token->text.bytes[0] == mark;
}

static size_t left(const struct sql_lex *lex) { return (size_t)(lex->end - lex->at); }

static bool has(const struct sql_lex *lex, const char *text) {
	size_t length = strlen(text);
	return left(lex) >= length && memcmp(lex->at, text, length) == 0;
}

static void skip_line(struct sql_lex *lex) {
	const char *end = memchr(lex->at, '\n', left(lex));
	lex->at = end ? end + 1 : lex->end;
}

static void skip_comment(struct sql_lex *lex) {
	size_t depth = 1;
	lex->at += 2;
	while (lex->at < lex->end && depth) {
		if (has(lex, "*/")) {
			depth--;
			lex->at += 2;
		} else if (lex->dialect == SQL_POSTGRES && has(lex, "/*")) {
			depth++;
			lex->at += 2;
		} else {
			lex->at++;
		}
	}
}

/* MySQL runs what stands in them: only the sign and the version are skipped. */
static bool skip_executable(struct sql_lex *lex) {
	if (lex->dialect != SQL_MYSQL || !(has(lex, "/*!") || has(lex, "/*M!"))) return false;
	lex->at += has(lex, "/*!") ? 3 : 4;
	while (lex->at < lex->end && is_digit(*lex->at)) lex->at++;
	return true;
}

static bool is_line_comment(const struct sql_lex *lex) {
	if (lex->dialect == SQL_MYSQL)
		return *lex->at == '#' || (has(lex, "--") && (left(lex) == 2 || is_blank(lex->at[2])));
	return has(lex, "--");
}

static void skip_blank(struct sql_lex *lex) {
	while (lex->at < lex->end) {
		if (is_blank(*lex->at)) lex->at++;
		else if (is_line_comment(lex)) skip_line(lex);
		else if (lex->dialect == SQL_MYSQL && has(lex, "*/"))
			lex->at += 2; /* of an executable one */
		else if (!has(lex, "/*")) return;
		else if (!skip_executable(lex)) skip_comment(lex);
	}
}

/* Doubled quotes stand for one. */
static struct sql_token take_quoted(struct sql_lex *lex, char quote, bool has_backslashes) {
	const char *start = lex->at++;
	lex->is_open = true;
	while (lex->at < lex->end && lex->is_open) {
		char octet = *lex->at++;
		if (octet == '\\' && has_backslashes && lex->at < lex->end) lex->at++;
		if (octet != quote) continue;
		if (lex->at < lex->end && *lex->at == quote) lex->at++;
		else lex->is_open = false;
	}
	return (struct sql_token){SQL_LITERAL, slice_make(start, (size_t)(lex->at - start))};
}

/* $tag$ ... $tag$; false: it is no such thing. */
static bool take_dollar(struct sql_lex *lex, struct sql_token *token) {
	const char *start = lex->at, *tag = start + 1;
	if (lex->dialect != SQL_POSTGRES) return false;
	while (tag < lex->end && (is_letter(*tag) || (is_digit(*tag) && tag > start + 1))) tag++;
	if (tag == lex->end || *tag != '$') return false;
	size_t length = (size_t)(tag + 1 - start);
	const char *close = memmem(tag + 1, (size_t)(lex->end - tag - 1), start, length);
	lex->at = close ? close + length : lex->end;
	*token = (struct sql_token){SQL_LITERAL, slice_make(start, (size_t)(lex->at - start))};
	return true;
}

/* Oracle's q'[it's]'. */
static struct sql_token take_alternative(struct sql_lex *lex) {
	const char *start = lex->at;
	if (left(lex) < 3) return take_quoted(lex, '\'', false);
	static const char pairs[] = "[]{}()<>";
	const char *pair = lex->at[1] ? strchr(pairs, lex->at[1]) : NULL;
	const char close[2] = {pair && (pair - pairs) % 2 == 0 ? pair[1] : lex->at[1], '\''};
	const char *end = memmem(lex->at + 2, left(lex) - 2, close, sizeof close);
	lex->is_open = !end;
	lex->at = end ? end + sizeof close : lex->end;
	return (struct sql_token){SQL_LITERAL, slice_make(start, (size_t)(lex->at - start))};
}

static struct sql_token take_word(struct sql_lex *lex) {
	const char *start = lex->at;
	bool is_number = is_digit(*start);
	while (lex->at < lex->end && (is_letter(*lex->at) || is_digit(*lex->at) || *lex->at == '$'))
		lex->at++;
	struct slice text = slice_make(start, (size_t)(lex->at - start));
	/* E'...' has backslashes in PostgreSQL. */
	if (text.length == 1 && (*start | 0x20) == 'e' && lex->at < lex->end && *lex->at == '\'' &&
		lex->dialect == SQL_POSTGRES && !lex->ignores_quotes)
		return take_quoted(lex, '\'', true);
	if (text.length == 1 && (*start | 0x20) == 'q' && lex->at < lex->end && *lex->at == '\'' &&
		lex->dialect == SQL_OTHER && !lex->ignores_quotes)
		return take_alternative(lex);
	return (struct sql_token){is_number ? SQL_LITERAL : SQL_WORD, text};
}

struct sql_token sql_lex_next(struct sql_lex *lex) {
	struct sql_token token = {SQL_END, SLICE_NONE};
	skip_blank(lex);
	if (lex->at >= lex->end) return token;
	char octet = *lex->at;
	if (is_letter(octet) || is_digit(octet)) return take_word(lex);
	if (lex->ignores_quotes && (octet == '\'' || octet == '"' || octet == '`')) {
		lex->at++;
		return (struct sql_token){SQL_MARK, slice_make(lex->at - 1, 1)};
	}
	if (octet == '\'') return take_quoted(lex, octet, lex->dialect == SQL_MYSQL);
	if (octet == '"') return take_quoted(lex, octet, lex->dialect == SQL_MYSQL);
	if (octet == '`') return take_quoted(lex, octet, false);
	if (octet == '[' && lex->dialect == SQL_OTHER) return take_quoted(lex, ']', false);
	if (octet == '$' && take_dollar(lex, &token)) return token;
	lex->at++;
	return (struct sql_token){SQL_MARK, slice_make(lex->at - 1, 1)};
}
