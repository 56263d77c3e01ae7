/* SPDX-License-Identifier: Apache-2.0 */
/* Code token JavaScript: one loop over the code; a stack tells brackets from interrupted templates. */
#include "validate/code_token_javascript.h"

struct level {
	char kind;         /* ( [ { or ` for an expression in a template */
	bool is_condition; /* of if, while, for, with: what follows is a statement */
	bool is_object;    /* certainly no block */
};

enum slash {
	SLASH_DIVIDES,
	SLASH_BEGINS,
	SLASH_UNSURE
};

struct reader {
	struct code_tokens *tokens;
	const char *code;
	size_t length;
	size_t at;
	size_t depth;
	struct level levels[CODE_NESTING];
	struct level closed; /* by the bracket that was read last */
	size_t line_tokens;  /* that were there when the line began */
	struct text text;
};

static char here(const struct reader *reader, size_t more) {
	return reader->at + more < reader->length ? reader->code[reader->at + more] : '\0';
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) {
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
		(unsigned char)c >= 0x80;
}

/* Octets of the character at `at`. */
static size_t character_here(const struct reader *reader, uint32_t *character) {
	size_t octets = slice_character(
		slice_make(reader->code + reader->at, reader->length - reader->at), character);
	if (octets) return octets;
	*character = (unsigned char)here(reader, 0);
	return 1;
}

/* Octets of a line end; 0: none is here. */
static size_t line_end_here(const struct reader *reader) {
	uint32_t character;
	char c = here(reader, 0);
	if (reader->at >= reader->length) return 0;
	if (c == '\r') return here(reader, 1) == '\n' ? 2 : 1;
	if (c == '\n') return 1;
	if ((unsigned char)c != 0xe2) return 0;
	size_t octets = character_here(reader, &character);
	return character == 0x2028 || character == 0x2029 ? octets : 0;
}

static size_t blank_here(const struct reader *reader) {
	uint32_t character;
	char c = here(reader, 0);
	size_t octets = line_end_here(reader);
	if (octets || (unsigned char)c < 0x80)
		return octets ? octets : c == ' ' || c == '\t' || c == '\v' || c == '\f';
	octets = character_here(reader, &character);
	bool is_blank = character == 0xa0 || character == 0xfeff || character == 0x1680 ||
		character == 0x202f || character == 0x205f || character == 0x3000 ||
		(character >= 0x2000 && character <= 0x200a);
	return is_blank ? octets : 0;
}

static void add(
	struct reader *reader, enum code_token_type type, unsigned mark, struct slice text, size_t at) {
	code_token_add(reader->tokens, type, mark, text, at);
}

static void add_mark(struct reader *reader, char mark) {
	add(reader, CODE_MARK, (unsigned char)mark, SLICE_NONE, reader->at);
}

static const struct code_token *last_token(const struct reader *reader, size_t back) {
	static const struct code_token none = {.type = CODE_END};
	size_t count = reader->tokens->count;
	return count > back ? &reader->tokens->items[count - 1 - back] : &none;
}

static bool is_word(const struct code_token *token, const char *const *words, size_t count) {
	for (size_t i = 0; i < count; i++)
		if (code_token_is_name(token, words[i])) return true;
	return false;
}

static bool is_before_object(const struct reader *reader) {
	const struct code_token *last = last_token(reader, 0);
	bool is_word_before = code_token_is_name(last, "return") && !code_token_is(last_token(reader, 1), '.');
	return is_word_before || (last->type == CODE_MARK && strchr("([,=?&|+-*%!~^", last->mark)) ||
		code_token_is(last, CODE_MARK_COMPARE) || code_token_is(last, CODE_MARK_SPREAD);
}

static bool is_before_condition(const struct reader *reader) {
	static const char *const words[] = {"if", "while", "for", "with"};
	const struct code_token *last = last_token(reader, 0);
	if (code_token_is_name(last, "await")) return code_token_is_name(last_token(reader, 1), "for");
	return is_word(last, words, COUNT_OF(words)) && !code_token_is(last_token(reader, 1), '.');
}

static void push(struct reader *reader, char kind) {
	if (reader->depth == CODE_NESTING) {
		code_token_trouble(reader->tokens, "brackets are nested too deep", reader->at);
		return;
	}
	reader->levels[reader->depth++] = (struct level){.kind = kind,
		.is_condition = kind == '(' && is_before_condition(reader),
		.is_object = kind == '{' && is_before_object(reader)};
}

/* ---- Strings, templates, regular expressions ---- */

/* "\u0065" and "\u{65}" behind the backslash at `at`; false: neither. */
static bool read_unicode(struct reader *reader) {
	struct slice code = slice_make(reader->code, reader->length);
	size_t digits = 4, from = reader->at + 2, behind = from + 4;
	if (here(reader, 1) != 'u') return false;
	if (here(reader, 2) == '{') {
		for (digits = 0, from++; here(reader, 3 + digits) == '0'; from++) reader->at++;
		while (digits < 7 && here(reader, 3 + digits) != '}') digits++;
		behind = from + digits + 1;
	}
	int64_t character = digits ? code_token_hex(code, from, digits) : 0;
	if (character < 0) return false;
	code_token_character(&reader->text, (uint32_t)character);
	reader->at = behind;
	return true;
}

static void read_octal(struct reader *reader) {
	uint32_t value = 0;
	for (size_t i = 0; i < 3 && here(reader, 0) >= '0' && here(reader, 0) <= '7'; i++, reader->at++)
		value = value * 8 + (uint32_t)(here(reader, 0) - '0');
	code_token_character(&reader->text, value);
}

/* `at` is the backslash. */
static void read_escape(struct reader *reader) {
	static const char names[] = "bfnrtv", values[] = "\b\f\n\r\t\v";
	char kind = here(reader, 1);
	const char *named = kind ? strchr(names, kind) : NULL;
	int64_t octet = kind == 'x'
		? code_token_hex(slice_make(reader->code, reader->length), reader->at + 2, 2)
		: -1;
	if (octet >= 0) {
		code_token_character(&reader->text, (uint32_t)octet);
		reader->at += 4;
		return;
	}
	if (read_unicode(reader)) return;
	reader->at++;
	if (named) {
		text_add_char(&reader->text, values[named - names]);
		reader->at++;
	} else if (kind >= '0' && kind <= '7') {
		read_octal(reader);
	} else if (line_end_here(reader)) {
		reader->at += line_end_here(reader);
	} else if (reader->at < reader->length) {
		text_add_char(&reader->text, kind);
		reader->at++;
	}
}

static void add_string(struct reader *reader, unsigned mark, size_t from) {
	struct slice text = code_token_keep(reader->tokens, &reader->text);
	add(reader, CODE_STRING, mark, text, from);
	text_clear(&reader->text);
}

static void read_string(struct reader *reader, char quote) {
	size_t from = reader->at++;
	for (;;) {
		char c = here(reader, 0);
		if (reader->at >= reader->length || c == '\n' || c == '\r') {
			code_token_trouble(reader->tokens, "a string without an end", from);
			return;
		}
		if (c == quote) break;
		if (c == '\\') {
			read_escape(reader);
		} else {
			text_add_char(&reader->text, c);
			reader->at++;
		}
	}
	reader->at++;
	add_string(reader, 0, from);
}

/* From inside a template to its end, or into its next expression. */
static void read_template(struct reader *reader, bool is_first) {
	size_t from = reader->at;
	for (;;) {
		char c = here(reader, 0);
		if (reader->at >= reader->length) {
			code_token_trouble(reader->tokens, "a template without an end", from);
			return;
		}
		if (c == '`') break;
		if (c == '\\') {
			read_escape(reader);
		} else if (c == '$' && here(reader, 1) == '{') {
			if (is_first) add_mark(reader, '(');
			add_string(reader, 0, from);
			add_mark(reader, '+');
			add_mark(reader, '(');
			push(reader, '`');
			reader->at += 2;
			return;
		} else {
			text_add_char(&reader->text, c);
			reader->at++;
		}
	}
	reader->at++;
	add_string(reader, is_first ? CODE_MARK_TEMPLATE : 0, from);
	if (!is_first) add_mark(reader, ')');
}

static void close_expression(struct reader *reader) {
	reader->depth--;
	add_mark(reader, ')');
	add_mark(reader, '+');
	reader->at++;
	read_template(reader, false);
}

static void read_regular(struct reader *reader) {
	size_t from = reader->at++;
	bool is_in_class = false;
	for (; here(reader, 0) != '/' || is_in_class; reader->at++) {
		if (reader->at >= reader->length || line_end_here(reader)) {
			code_token_trouble(reader->tokens, "a regular expression without an end", from);
			return;
		}
		char c = here(reader, 0);
		if (c == '\\') reader->at++;
		else if (c == '[') is_in_class = true;
		else if (c == ']') is_in_class = false;
		if (c == '\\' && line_end_here(reader)) reader->at--;
	}
	for (reader->at++; is_letter(here(reader, 0));) reader->at++;
	add(reader, CODE_NUMBER, '/', slice_make(reader->code + from, reader->at - from), from);
}

/* ---- Slashes ---- */

static enum slash name_before_slash(const struct reader *reader) {
	static const char *const begins[] = {
		"return", "typeof", "instanceof", "in", "new", "delete", "void", "throw", "case", "do", "else"};
	static const char *const unsure[] = {"yield", "await", "of", "let", "async"};
	const struct code_token *last = last_token(reader, 0);
	if (code_token_is(last_token(reader, 1), '.')) return SLASH_DIVIDES;
	if (is_word(last, begins, COUNT_OF(begins))) return SLASH_BEGINS;
	return is_word(last, unsure, COUNT_OF(unsure)) ? SLASH_UNSURE : SLASH_DIVIDES;
}

static enum slash judge_slash(const struct reader *reader) {
	const struct code_token *last = last_token(reader, 0);
	switch (last->type) {
	case CODE_END: return SLASH_BEGINS;
	case CODE_NAME: return name_before_slash(reader);
	case CODE_NUMBER:
	case CODE_STRING: return SLASH_DIVIDES;
	default: break;
	}
	if (last->mark == ')') return reader->closed.is_condition ? SLASH_BEGINS : SLASH_DIVIDES;
	if (last->mark == '}') return reader->closed.is_object ? SLASH_DIVIDES : SLASH_UNSURE;
	if (last->mark == ']') return SLASH_DIVIDES;
	bool is_step = last->mark == CODE_MARK_WIDE &&
		(slice_is(last->text, "++") || slice_is(last->text, "--"));
	return is_step ? SLASH_UNSURE : SLASH_BEGINS;
}

static void read_line_comment(struct reader *reader) {
	while (reader->at < reader->length && !line_end_here(reader)) reader->at++;
}

static void read_block_comment(struct reader *reader) {
	const char *end = reader->length - reader->at < 4
		? NULL
		: memmem(reader->code + reader->at + 2, reader->length - reader->at - 2, "*/", 2);
	if (!end) code_token_trouble(reader->tokens, "a comment without an end", reader->at);
	reader->at = end ? (size_t)(end - reader->code) + 2 : reader->length;
	reader->line_tokens = reader->tokens->count; /* it may have held a line end */
}

static void read_slash(struct reader *reader) {
	enum slash slash = judge_slash(reader);
	bool is_change = here(reader, 1) == '=';
	if (here(reader, 1) == '/') {
		read_line_comment(reader);
	} else if (here(reader, 1) == '*') {
		read_block_comment(reader);
	} else if (slash == SLASH_BEGINS) {
		read_regular(reader);
	} else {
		if (slash == SLASH_UNSURE)
			code_token_trouble(
				reader->tokens, "a slash that may divide or begin a regular expression", reader->at);
		add(reader, CODE_MARK, is_change ? CODE_MARK_CHANGE : '/', SLICE_NONE, reader->at);
		reader->at += is_change ? 2 : 1;
	}
}

/* ---- Names, numbers, marks ---- */

static void read_name(struct reader *reader) {
	size_t from = reader->at;
	bool is_escaped = false;
	text_clear(&reader->text);
	if (here(reader, 0) == '#') text_add_char(&reader->text, reader->code[reader->at++]);
	while (reader->at < reader->length && !blank_here(reader)) {
		char c = here(reader, 0);
		if (is_letter(c) || is_digit(c)) {
			text_add_char(&reader->text, c);
			reader->at++;
			continue;
		}
		if (c != '\\' || !read_unicode(reader)) break;
		is_escaped = true;
	}
	if (reader->at == from) { /* a backslash that escapes nothing */
		code_token_trouble(reader->tokens, "a backslash outside a string", from);
		reader->at++;
		return;
	}
	struct slice name = slice_make(reader->code + from, reader->at - from);
	add(reader, CODE_NAME, 0, is_escaped ? code_token_keep(reader->tokens, &reader->text) : name, from);
	text_clear(&reader->text);
}

static void skip_alike(struct reader *reader, bool is_hexadecimal) {
	for (;; reader->at++) {
		char c = here(reader, 0), low = c | 0x20;
		if (!is_digit(c) && c != '_' && !(is_hexadecimal && low >= 'a' && low <= 'f')) return;
	}
}

static void read_number(struct reader *reader) {
	size_t from = reader->at;
	char base = here(reader, 0) == '0' ? here(reader, 1) | 0x20 : '\0';
	if (base == 'x' || base == 'o' || base == 'b') {
		reader->at += 2;
		skip_alike(reader, base == 'x');
	} else {
		skip_alike(reader, false);
		if (here(reader, 0) == '.') reader->at++;
		skip_alike(reader, false);
		size_t sign = here(reader, 1) == '+' || here(reader, 1) == '-';
		if ((here(reader, 0) | 0x20) == 'e' && is_digit(here(reader, 1 + sign))) {
			reader->at += 1 + sign;
			skip_alike(reader, false);
		}
	}
	if (here(reader, 0) == 'n') reader->at++;
	add(reader, CODE_NUMBER, 0, slice_make(reader->code + from, reader->at - from), from);
}

static const struct operator{
	const char *text;
	unsigned mark;
}
operators[] = {
	{">>>=", CODE_MARK_CHANGE},
	{"...", CODE_MARK_SPREAD},
	{"===", CODE_MARK_COMPARE},
	{"!==", CODE_MARK_COMPARE},
	{"**=", CODE_MARK_CHANGE},
	{">>=", CODE_MARK_CHANGE},
	{"<<=", CODE_MARK_CHANGE},
	{"&&=", CODE_MARK_CHANGE},
	{"||=", CODE_MARK_CHANGE},
	{"\?\?=", CODE_MARK_CHANGE},
	{">>>", CODE_MARK_WIDE},
	{"=>", CODE_MARK_ARROW},
	{"==", CODE_MARK_COMPARE},
	{"!=", CODE_MARK_COMPARE},
	{"<=", CODE_MARK_COMPARE},
	{">=", CODE_MARK_COMPARE},
	{"+=", CODE_MARK_CHANGE},
	{"-=", CODE_MARK_CHANGE},
	{"*=", CODE_MARK_CHANGE},
	{"%=", CODE_MARK_CHANGE},
	{"&=", CODE_MARK_CHANGE},
	{"|=", CODE_MARK_CHANGE},
	{"^=", CODE_MARK_CHANGE},
	{"++", CODE_MARK_WIDE},
	{"--", CODE_MARK_WIDE},
	{"**", CODE_MARK_WIDE},
	{"&&", CODE_MARK_WIDE},
	{"||", CODE_MARK_WIDE},
	{"??", CODE_MARK_WIDE},
	{"<<", CODE_MARK_WIDE},
	{">>", CODE_MARK_WIDE},
};

static void read_bracket(struct reader *reader, char c) {
	if (strchr("([{", c)) {
		push(reader, c);
		add_mark(reader, c);
		reader->at++;
		return;
	}
	bool is_open = reader->depth > 0;
	if (is_open && c == '}' && reader->levels[reader->depth - 1].kind == '`') {
		close_expression(reader);
		return;
	}
	bool is_template = is_open && reader->levels[reader->depth - 1].kind == '`';
	reader->closed = is_open && !is_template ? reader->levels[--reader->depth] : (struct level){0};
	add_mark(reader, c);
	reader->at++;
}

/* "?." alone is a dot; before a bracket it adds nothing; before a digit it is no such thing. */
static bool read_optional(struct reader *reader) {
	char next = here(reader, 2);
	if (here(reader, 0) != '?' || here(reader, 1) != '.' || is_digit(next)) return false;
	if (next != '(' && next != '[' && next != '`') add_mark(reader, '.');
	reader->at += 2;
	return true;
}

static bool is_here(const struct reader *reader, const char *text) {
	size_t length = strlen(text);
	return reader->at + length <= reader->length && memcmp(reader->code + reader->at, text, length) == 0;
}

static void read_mark(struct reader *reader) {
	char c = here(reader, 0);
	if (is_here(reader, "<!--"))
		code_token_trouble(reader->tokens, "'<!--', which may be a comment or not", reader->at);
	if (strchr("()[]{}", c)) {
		read_bracket(reader, c);
		return;
	}
	if (read_optional(reader)) return;
	for (size_t i = 0; i < COUNT_OF(operators); i++) {
		if (!is_here(reader, operators[i].text)) continue;
		add(reader, CODE_MARK, operators[i].mark, slice_of(operators[i].text), reader->at);
		reader->at += strlen(operators[i].text);
		return;
	}
	add_mark(reader, c);
	reader->at++;
}

static void read_one(struct reader *reader) {
	char c = here(reader, 0);
	size_t blank = blank_here(reader);
	if (line_end_here(reader)) reader->line_tokens = reader->tokens->count;
	if (c == '-' && reader->line_tokens == reader->tokens->count && is_here(reader, "-->"))
		code_token_trouble(reader->tokens, "'-->', which may be a comment or not", reader->at);
	if (blank) reader->at += blank;
	else if (c == '/') read_slash(reader);
	else if (c == '"' || c == '\'') read_string(reader, c);
	else if (c == '`') {
		reader->at++;
		read_template(reader, true);
	} else if (is_letter(c) || c == '\\' || (c == '#' && is_letter(here(reader, 1)))) read_name(reader);
	else if (is_digit(c) || (c == '.' && is_digit(here(reader, 1)))) read_number(reader);
	else {
		if (c == '#') code_token_trouble(reader->tokens, "a number sign that begins no name", reader->at);
		read_mark(reader);
	}
}

void code_token_javascript(struct code_tokens *tokens) {
	struct reader reader = {.tokens = tokens, .code = tokens->code.bytes, .length = tokens->code.length};
	text_init(&reader.text, 0);
	if (slice_starts_with(tokens->code, "#!")) read_line_comment(&reader);
	while (reader.at < reader.length && code_token_is_sound(tokens)) read_one(&reader);
	for (size_t i = 0; i < reader.depth; i++)
		if (reader.levels[i].kind == '`')
			code_token_trouble(tokens, "a template without an end", reader.length);
	code_token_add(tokens, CODE_LINE, 0, SLICE_NONE, reader.length);
	code_token_add(tokens, CODE_END, 0, SLICE_NONE, reader.length);
	text_finish(&reader.text);
}
