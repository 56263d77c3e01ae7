/* SPDX-License-Identifier: Apache-2.0 */
/* Code closing: a stack of what is open, one step a character. */
#include "validate/code_closing.h"

struct looking {
	struct code_tokens *tokens;
	const char *code;
	size_t length;
};

static bool is_name_octet(char c) {
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool is_word_here(const char *code, size_t length, size_t at, const char *word) {
	size_t size = strlen(word);
	if (at + size > length || memcmp(code + at, word, size) != 0) return false;
	bool is_begin = at == 0 || !is_name_octet(code[at - 1]);
	return is_begin && (at + size == length || !is_name_octet(code[at + size]));
}

static size_t skip_single(const struct looking *looking, size_t at) {
	const char *end = memchr(looking->code + at, '\'', looking->length - at);
	return end ? (size_t)(end - looking->code) + 1 : looking->length;
}

/* The quotation marks that are open while brackets are counted: a stack of letters. */
struct closing {
	char stack[CODE_NESTING];
	size_t depth;
	size_t cases;
};

static bool close_push(const struct looking *looking, struct closing *closing, char c) {
	if (closing->depth == CODE_NESTING) {
		code_token_trouble(looking->tokens, "brackets are nested too deep", 0);
		return false;
	}
	closing->stack[closing->depth++] = c;
	return true;
}

/* One step of find_end() outside double quotation marks. */
static size_t close_step(const struct looking *looking, struct closing *closing, size_t at) {
	char c = looking->code[at];
	if (c == '\'') return skip_single(looking, at + 1);
	if (c == '"' || c == '(' || c == '{' || c == '`') {
		if (c == '`' && closing->depth && closing->stack[closing->depth - 1] == '`') closing->depth--;
		else close_push(looking, closing, c);
		return at + 1;
	}
	bool is_first = closing->depth == 1;
	bool is_case = c == 'c' && is_word_here(looking->code, looking->length, at, "case");
	if (is_case && !is_first) code_token_trouble(looking->tokens, "a case within brackets", at);
	if (is_case && is_first) closing->cases++;
	if (is_first && closing->cases && is_word_here(looking->code, looking->length, at, "esac"))
		closing->cases--;
	bool is_pattern = c == ')' && is_first && closing->cases > 0;
	char open = c == ')' ? '(' : c == '}' ? '{'
					      : '\0';
	if (open && !is_pattern && closing->depth && closing->stack[closing->depth - 1] == open)
		closing->depth--;
	bool is_comment = c == '#' && at > 0 && strchr(" \t\n;(", looking->code[at - 1]);
	if (is_comment && closing->depth && closing->stack[closing->depth - 1] == '(')
		while (at + 1 < looking->length && looking->code[at + 1] != '\n') at++;
	return at + 1;
}

static size_t quoted_step(const struct looking *looking, struct closing *closing, size_t at) {
	char c = looking->code[at], next = at + 1 < looking->length ? looking->code[at + 1] : '\0';
	if (c == '"') closing->depth--;
	else if (c == '`') close_push(looking, closing, c);
	else if (c == '$' && (next == '(' || next == '{') && close_push(looking, closing, next)) return at + 2;
	return at + 1;
}

size_t code_closing_find(struct code_tokens *tokens, size_t length, size_t at, char open) {
	struct looking whole = {tokens, tokens->code.bytes, length};
	const struct looking *looking = &whole;
	struct closing closing = {.stack = {open}, .depth = 1};
	while (at < looking->length && closing.depth > 0 && code_token_is_sound(looking->tokens)) {
		bool is_quoted = closing.stack[closing.depth - 1] == '"';
		if (looking->code[at] == '\\') at += at + 1 < looking->length ? 2 : 1;
		else at = is_quoted ? quoted_step(looking, &closing, at) : close_step(looking, &closing, at);
	}
	if (closing.depth > 0) {
		code_token_trouble(looking->tokens, "a substitution without an end", at);
		return looking->length;
	}
	return at - 1;
}
