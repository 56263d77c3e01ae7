/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code token: what a piece of Python or JavaScript consists of, comments and blanks left out.
 *
 * A name is spelled as its language reads it (escapes and foreign letters resolved), a string is what it
 * holds. Strings with expressions in them become what they mean, ( "part" + ( expression ) + "part" ), so
 * that who reads tokens needs no second language for them. The vector owns its items; what they show lies
 * in the code or in the arena, both the caller's, which have to outlive it.
 */
#ifndef HUSTINGS_VALIDATE_CODE_TOKEN_H
#define HUSTINGS_VALIDATE_CODE_TOKEN_H

#include "base/arena.h"

#define CODE_NESTING 100 /* brackets inside one another, those of strings' expressions included */

enum code_token_type {
	CODE_END, /* always the last */
	CODE_NAME,
	CODE_STRING,
	CODE_NUMBER, /* and every value that is no string's: regular expressions */
	CODE_MARK,
	CODE_LINE, /* the end of a line where it may end a statement */
};

/* `mark` of an operator: its character, or one of these. */
enum code_mark {
	CODE_MARK_COMPARE = 1, /* == != <= >= === !== */
	CODE_MARK_CHANGE,      /* += and its like */
	CODE_MARK_ARROW,       /* => -> */
	CODE_MARK_SPREAD,      /* ... */
	CODE_MARK_WIDE,        /* any other of several characters */
	CODE_MARK_TEMPLATE,    /* of a string: a template without expressions */
};

struct code_token {
	struct slice text;
	uint32_t at; /* octet in the code */
	uint8_t type;
	uint8_t mark;
	bool is_open_ended; /* a string of which a piece is not known */
};

struct code_tokens {
	struct code_token *items;
	size_t count;
	size_t capacity;
	struct slice code;
	struct arena *arena;
	const char *trouble; /* the first: what cannot be read; NULL: nothing */
	size_t trouble_at;   /* octet in the code */
	bool is_deceptive;   /* it is read as something else than what it shows */
	bool is_out_of_memory;
};

void code_token_init(struct code_tokens *tokens, struct slice code, struct arena *arena);
void code_token_finish(struct code_tokens *tokens);

/* For the tokenizers. A failure is noted in the vector; further tokens are then not kept. */
void code_token_add(struct code_tokens *tokens, enum code_token_type type, unsigned mark, struct slice text,
	size_t at);
void code_token_trouble(struct code_tokens *tokens, const char *trouble, size_t at);
/* Whether nothing has failed so far. */
bool code_token_is_sound(const struct code_tokens *tokens);
/* The line of an octet, from 1. */
size_t code_token_line(struct slice code, size_t at);
/* A character as UTF-8; one that is none becomes U+FFFD. */
void code_token_character(struct text *to, uint32_t character);
/* `digits` hexadecimal digits at `at`; -1: they are not there. */
int64_t code_token_hex(struct slice code, size_t at, size_t digits);
/* Copies what a builder holds into the arena; what fails is noted. */
struct slice code_token_keep(struct code_tokens *tokens, const struct text *text);

/* The tokens in a row, a blank between two names, "" for a string. */
void code_token_write(const struct code_tokens *tokens, struct text *to);

static inline bool code_token_is(const struct code_token *token, unsigned mark) {
	return token->type == CODE_MARK && token->mark == mark;
}
static inline bool code_token_is_name(const struct code_token *token, const char *name) {
	return token->type == CODE_NAME && slice_is(token->text, name);
}

#endif
