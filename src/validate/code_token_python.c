/* SPDX-License-Identifier: Apache-2.0 */
/* Code token Python: one loop over the code; a stack tells brackets from strings that are interrupted. */
#include "validate/code_token_python.h"

#include "validate/code_fold.h"

/* A bracket, or a string that an expression interrupts ('f'), or its format ('s'). */
struct level {
	char kind;
	char quote;
	bool is_triple;
	bool is_raw;
};

struct reader {
	struct code_tokens *tokens;
	const char *code;
	size_t length;
	size_t at;
	size_t depth;
	struct level levels[CODE_NESTING];
	struct text text; /* the string or name at hand */
	bool is_open_ended;
};

static char here(const struct reader *reader, size_t more) {
	return reader->at + more < reader->length ? reader->code[reader->at + more] : '\0';
}

static bool is_letter(char c) {
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static void add(
	struct reader *reader, enum code_token_type type, unsigned mark, struct slice text, size_t at) {
	code_token_add(reader->tokens, type, mark, text, at);
}

static void add_mark(struct reader *reader, char mark) {
	add(reader, CODE_MARK, (unsigned char)mark, SLICE_NONE, reader->at);
}

static void push(struct reader *reader, struct level level) {
	if (reader->depth == CODE_NESTING) {
		code_token_trouble(reader->tokens, "brackets are nested too deep", reader->at);
		return;
	}
	reader->levels[reader->depth++] = level;
}

/* ---- Strings ---- */

static void add_octal(struct reader *reader) {
	uint32_t value = 0;
	for (size_t i = 0; i < 3 && here(reader, 0) >= '0' && here(reader, 0) <= '7'; i++, reader->at++)
		value = value * 8 + (uint32_t)(here(reader, 0) - '0');
	code_token_character(&reader->text, value);
}

static bool add_hex(struct reader *reader, size_t digits) {
	int64_t value = code_token_hex(slice_make(reader->code, reader->length), reader->at + 2, digits);
	if (value < 0) return false;
	code_token_character(&reader->text, value > 0x10ffff ? 0xfffd : (uint32_t)value);
	reader->at += 2 + digits;
	return true;
}

/* `at` is the backslash. */
static void read_escape(struct reader *reader) {
	static const char names[] = "abfnrtv\\'\"", values[] = "\a\b\f\n\r\t\v\\'\"";
	char kind = here(reader, 1);
	const char *named = kind ? strchr(names, kind) : NULL;
	if (named) {
		text_add_char(&reader->text, values[named - names]);
		reader->at += 2;
	} else if (kind >= '0' && kind <= '7') {
		reader->at++;
		add_octal(reader);
	} else if (kind == '\r' || kind == '\n') {
		reader->at += kind == '\r' && here(reader, 2) == '\n' ? 3 : 2;
	} else if ((kind == 'x' && add_hex(reader, 2)) || (kind == 'u' && add_hex(reader, 4)) ||
		(kind == 'U' && add_hex(reader, 8))) {
		return;
	} else {
		reader->is_open_ended |= kind == 'N'; /* a character by its name */
		text_add_char(&reader->text, '\\');
		reader->at++;
	}
}

static bool is_end(const struct reader *reader, const struct level *string) {
	if (here(reader, 0) != string->quote) return false;
	return !string->is_triple || (here(reader, 1) == string->quote && here(reader, 2) == string->quote);
}

static void add_string(struct reader *reader, size_t from) {
	size_t count = reader->tokens->count;
	struct slice text = code_token_keep(reader->tokens, &reader->text);
	add(reader, CODE_STRING, 0, text, from);
	if (reader->tokens->count > count) reader->tokens->items[count].is_open_ended = reader->is_open_ended;
	text_clear(&reader->text);
	reader->is_open_ended = false;
}

/* One character of a string that is none of its ends. False: the line ended where it may not. */
static bool read_character(struct reader *reader, const struct level *string) {
	char c = here(reader, 0);
	char next = here(reader, 1);
	if (c == '\\' && string->is_raw && (next == string->quote || next == '\\')) {
		text_add(&reader->text, slice_make(reader->code + reader->at, 2));
		reader->at += 2;
	} else if (c == '\\' && !string->is_raw) {
		read_escape(reader);
	} else if ((c == '\n' || c == '\r') && !string->is_triple) {
		code_token_trouble(reader->tokens, "a string without an end", reader->at);
		return false;
	} else {
		text_add_char(&reader->text, c);
		reader->at++;
	}
	return true;
}

static void read_plain_string(struct reader *reader, const struct level *string) {
	size_t from = reader->at;
	reader->at += string->is_triple ? 3 : 1;
	while (reader->at < reader->length && !is_end(reader, string))
		if (!read_character(reader, string)) return;
	if (reader->at >= reader->length) code_token_trouble(reader->tokens, "a string without an end", from);
	reader->at += string->is_triple ? 3 : 1;
	add_string(reader, from);
}

/* From inside a string with expressions to its end, or into its next expression. */
static void read_part(struct reader *reader, struct level string) {
	size_t from = reader->at;
	while (reader->at < reader->length && !is_end(reader, &string)) {
		char c = here(reader, 0);
		if ((c == '{' || c == '}') && here(reader, 1) == c) {
			text_add_char(&reader->text, c);
			reader->at += 2;
		} else if (c == '{') {
			add_string(reader, from);
			add_mark(reader, '+');
			add_mark(reader, '(');
			push(reader, string);
			reader->at++;
			return;
		} else if (!read_character(reader, &string)) {
			return;
		}
	}
	if (reader->at >= reader->length) code_token_trouble(reader->tokens, "a string without an end", from);
	reader->at += string.is_triple ? 3 : 1;
	add_string(reader, from);
	add_mark(reader, ')');
}

/* "{value:>{width}}": the format behind the colon, to its end or into an expression of its own. */
static void read_format(struct reader *reader) {
	struct level string = reader->levels[reader->depth - 1];
	string.kind = 's';
	while (reader->at < reader->length && !is_end(reader, &string)) {
		char c = here(reader, 0);
		if (c == '{') {
			add_mark(reader, '+');
			add_mark(reader, '(');
			push(reader, string);
			reader->at++;
			return;
		}
		if (c == '}') return;
		reader->at++;
	}
}

/* The end of an expression inside a string: '}' at `at`. */
static void close_expression(struct reader *reader) {
	struct level string = reader->levels[--reader->depth];
	add_mark(reader, ')');
	reader->at++;
	if (string.kind == 's') {
		read_format(reader);
		return;
	}
	add_mark(reader, '+');
	read_part(reader, string);
}

/* ---- Names and numbers ---- */

static bool read_prefixed_string(struct reader *reader, size_t from) {
	char quote = here(reader, 0);
	size_t length = reader->at - from;
	struct level string = {'f', quote, here(reader, 1) == quote && here(reader, 2) == quote, false};
	bool has_expressions = false;
	if ((quote != '"' && quote != '\'') || length > 2) return false;
	for (size_t i = from; i < reader->at; i++) {
		char letter = reader->code[i] | 0x20;
		if (!strchr("rbuft", letter)) return false;
		string.is_raw |= letter == 'r';
		has_expressions |= letter == 'f' || letter == 't';
	}
	if (!has_expressions) {
		read_plain_string(reader, &string);
		return true;
	}
	add_mark(reader, '(');
	reader->at += string.is_triple ? 3 : 1;
	read_part(reader, string);
	return true;
}

/* As the language spells it: letters that fold become the ones they stand for. */
static struct slice fold_name(struct reader *reader, struct slice name) {
	text_clear(&reader->text);
	while (name.length > 0) {
		char letters[CODE_FOLD_OCTETS + 1];
		uint32_t character;
		size_t octets = slice_character(name, &character);
		if (octets == 0) octets = 1;
		if (octets > 1 && code_fold_character(character, letters)) text_add_cstr(&reader->text, letters);
		else text_add(&reader->text, slice_make(name.bytes, octets));
		name = slice_make(name.bytes + octets, name.length - octets);
	}
	struct slice folded = code_token_keep(reader->tokens, &reader->text);
	text_clear(&reader->text);
	return folded;
}

static void read_name(struct reader *reader) {
	size_t from = reader->at;
	bool is_foreign = false;
	while (reader->at < reader->length && (is_letter(here(reader, 0)) || is_digit(here(reader, 0))))
		is_foreign |= (unsigned char)reader->code[reader->at++] >= 0x80;
	if (read_prefixed_string(reader, from)) return;
	struct slice name = slice_make(reader->code + from, reader->at - from);
	add(reader, CODE_NAME, 0, is_foreign ? fold_name(reader, name) : name, from);
}

static void skip_digits(struct reader *reader, bool is_hexadecimal) {
	for (;; reader->at++) {
		char c = here(reader, 0), low = c | 0x20;
		if (!is_digit(c) && c != '_' && !(is_hexadecimal && low >= 'a' && low <= 'f')) return;
	}
}

/* Ends where the language ends it, so that "1or eval()" has its name. */
static void read_number(struct reader *reader) {
	size_t from = reader->at;
	char base = here(reader, 0) == '0' ? here(reader, 1) | 0x20 : '\0';
	if (base == 'x' || base == 'o' || base == 'b') {
		reader->at += 2;
		skip_digits(reader, base == 'x');
	} else {
		skip_digits(reader, false);
		if (here(reader, 0) == '.') reader->at++;
		skip_digits(reader, false);
		size_t sign = here(reader, 1) == '+' || here(reader, 1) == '-';
		if ((here(reader, 0) | 0x20) == 'e' && is_digit(here(reader, 1 + sign))) {
			reader->at += 1 + sign;
			skip_digits(reader, false);
		}
		if ((here(reader, 0) | 0x20) == 'j') reader->at++;
	}
	add(reader, CODE_NUMBER, 0, slice_make(reader->code + from, reader->at - from), from);
}

/* ---- Marks, lines, comments ---- */

static const struct operator{
	const char *text;
	unsigned mark;
}
operators[] = {
	{"...", CODE_MARK_SPREAD},
	{"**=", CODE_MARK_CHANGE},
	{"//=", CODE_MARK_CHANGE},
	{">>=", CODE_MARK_CHANGE},
	{"<<=", CODE_MARK_CHANGE},
	{":=", '='},
	{"->", CODE_MARK_ARROW},
	{"==", CODE_MARK_COMPARE},
	{"!=", CODE_MARK_COMPARE},
	{"<=", CODE_MARK_COMPARE},
	{">=", CODE_MARK_COMPARE},
	{"<>", CODE_MARK_COMPARE},
	{"+=", CODE_MARK_CHANGE},
	{"-=", CODE_MARK_CHANGE},
	{"*=", CODE_MARK_CHANGE},
	{"/=", CODE_MARK_CHANGE},
	{"%=", CODE_MARK_CHANGE},
	{"&=", CODE_MARK_CHANGE},
	{"|=", CODE_MARK_CHANGE},
	{"^=", CODE_MARK_CHANGE},
	{"@=", CODE_MARK_CHANGE},
	{"**", CODE_MARK_WIDE},
	{"//", CODE_MARK_WIDE},
	{"<<", CODE_MARK_WIDE},
	{">>", CODE_MARK_WIDE},
};

static bool is_in_expression(const struct reader *reader) {
	return reader->depth > 0 && strchr("fs", reader->levels[reader->depth - 1].kind);
}

static void read_bracket(struct reader *reader, char c) {
	if (strchr("([{", c)) {
		add_mark(reader, c);
		push(reader, (struct level){.kind = c});
		reader->at++;
	} else if (c == '}' && is_in_expression(reader)) {
		close_expression(reader);
	} else {
		if (reader->depth > 0 && !is_in_expression(reader)) reader->depth--;
		add_mark(reader, c);
		reader->at++;
	}
}

static void read_mark(struct reader *reader) {
	char c = here(reader, 0);
	if (strchr("()[]{}", c)) {
		read_bracket(reader, c);
		return;
	}
	if (is_in_expression(reader) && (c == ':' || (c == '!' && here(reader, 1) != '='))) {
		add_mark(reader, '+'); /* what is formatted is no longer known */
		add(reader, CODE_NUMBER, 0, SLICE_NONE, reader->at);
		read_format(reader);
		return;
	}
	for (size_t i = 0; i < COUNT_OF(operators); i++) {
		size_t length = strlen(operators[i].text);
		if (reader->at + length > reader->length) continue;
		if (memcmp(reader->code + reader->at, operators[i].text, length) != 0) continue;
		add(reader, CODE_MARK, operators[i].mark, slice_of(operators[i].text), reader->at);
		reader->at += length;
		return;
	}
	add_mark(reader, c);
	reader->at++;
}

static bool is_line_end(char c) { return c == '\n' || c == '\r'; }

static void read_comment(struct reader *reader) {
	while (reader->at < reader->length && !is_line_end(reader->code[reader->at])) reader->at++;
}

static void read_one(struct reader *reader) {
	char c = here(reader, 0);
	if (is_line_end(c)) {
		if (reader->depth == 0) add(reader, CODE_LINE, 0, SLICE_NONE, reader->at);
		reader->at++;
	} else if (c == ' ' || c == '\t' || c == '\f') {
		reader->at++;
	} else if (c == '\\' && is_line_end(here(reader, 1))) {
		reader->at += here(reader, 1) == '\r' && here(reader, 2) == '\n' ? 3 : 2;
	} else if (c == '#') {
		read_comment(reader);
	} else if (is_letter(c)) {
		read_name(reader);
	} else if (is_digit(c) || (c == '.' && is_digit(here(reader, 1)))) {
		read_number(reader);
	} else if (c == '"' || c == '\'') {
		read_prefixed_string(reader, reader->at);
	} else {
		read_mark(reader);
	}
}

/* ---- The encoding that a comment of the first two lines declares ---- */

static bool is_plain_encoding(struct slice name) {
	static const char *const plain[] = {"utf-8", "utf8", "utf_8", "utf-8-sig", "ascii", "us-ascii",
		"latin-1", "latin1", "iso-8859-1", "iso-8859-15", "cp1252", "utf-8-unix", "u8"};
	for (size_t i = 0; i < COUNT_OF(plain); i++)
		if (slice_equal_ignoring_case(name, slice_of(plain[i]))) return true;
	return false;
}

static bool is_encoding_letter(char c) {
	return is_digit(c) || strchr("-_.", c) || (is_letter(c) && c > 0);
}

static void check_encoding(struct reader *reader, struct slice line) {
	const char *coding = memmem(line.bytes, line.length, "coding", 6);
	line = slice_trim(line);
	if (!coding || line.length == 0 || line.bytes[0] != '#') return;
	const char *at = coding + 6, *end = line.bytes + line.length;
	if (at >= end || (*at != ':' && *at != '=')) return;
	for (at++; at < end && (*at == ' ' || *at == '\t');) at++;
	const char *from = at;
	while (at < end && *at && is_encoding_letter(*at)) at++;
	if (at > from && !is_plain_encoding(slice_make(from, (size_t)(at - from))))
		reader->tokens->is_deceptive = true;
}

static void check_encodings(struct reader *reader) {
	size_t at = 0;
	for (int lines = 0; lines < 2; lines++) {
		size_t from = at;
		while (at < reader->length && !is_line_end(reader->code[at])) at++;
		check_encoding(reader, slice_make(reader->code + from, at - from));
		bool is_pair = at + 1 < reader->length && reader->code[at] == '\r' && reader->code[at + 1] == '\n';
		if (at < reader->length) at += is_pair ? 2 : 1;
	}
}

void code_token_python(struct code_tokens *tokens) {
	struct reader reader = {.tokens = tokens, .code = tokens->code.bytes, .length = tokens->code.length};
	text_init(&reader.text, 0);
	if (slice_starts_with(tokens->code, "\xef\xbb\xbf")) reader.at = 3;
	check_encodings(&reader);
	while (reader.at < reader.length && code_token_is_sound(tokens)) read_one(&reader);
	if (is_in_expression(&reader)) code_token_trouble(tokens, "a string without an end", reader.length);
	code_token_add(tokens, CODE_LINE, 0, SLICE_NONE, reader.length);
	code_token_add(tokens, CODE_END, 0, SLICE_NONE, reader.length);
	text_finish(&reader.text);
}
