/* SPDX-License-Identifier: Apache-2.0 */
/* Code token shell: words are put together piece by piece; what runs within them is handed on. */
#include "validate/code_token_shell.h"

#include "validate/code_closing.h"

#define HERE_DOCUMENTS 16 /* that wait for the end of one line */

struct waiting {
	size_t token; /* of its delimiter */
	bool is_quoted;
	bool is_indented;
};

struct reader {
	struct code_tokens *tokens;
	const char *code;
	size_t length;
	size_t at;
	struct text word;
	bool has_word;
	unsigned mark;
	size_t from;
	struct waiting waiting[HERE_DOCUMENTS];
	size_t waiting_count;
	bool is_here; /* the next word is a delimiter */
	code_shell_nested *nested;
	void *context;
};

static char here(const struct reader *reader, size_t more) {
	return reader->at + more < reader->length ? reader->code[reader->at + more] : '\0';
}

static bool is_name_octet(char c) {
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static void begin_word(struct reader *reader) {
	if (!reader->has_word) reader->from = reader->at;
	reader->has_word = true;
}

static void add_octet(struct reader *reader, char c) {
	text_add_char(&reader->word, c == CODE_SHELL_FROM || c == CODE_SHELL_TO ? ' ' : c);
}

static void add_expansion(struct reader *reader, struct slice name) {
	text_add_char(&reader->word, CODE_SHELL_FROM);
	text_add(&reader->word, name);
	text_add_char(&reader->word, CODE_SHELL_TO);
}

static void end_word(struct reader *reader) {
	if (!reader->has_word) return;
	struct slice text = code_token_keep(reader->tokens, &reader->word);
	code_token_add(reader->tokens, CODE_NAME, reader->mark, text, reader->from);
	if (reader->is_here && reader->waiting_count > 0) {
		reader->waiting[reader->waiting_count - 1].token = reader->tokens->count - 1;
		reader->waiting[reader->waiting_count - 1].is_quoted = reader->mark & CODE_WORD_QUOTED;
	}
	reader->is_here = false;
	reader->has_word = false;
	reader->mark = 0;
	text_clear(&reader->word);
}

static size_t skip_single(const struct reader *reader, size_t at) {
	const char *end = memchr(reader->code + at, '\'', reader->length - at);
	return end ? (size_t)(end - reader->code) + 1 : reader->length;
}

/* ---- Expansions ---- */

/* Two words beside one another, or no sign that something is counted: it may be commands. */
static bool may_be_commands(struct slice text) {
	bool was_word = false, was_blank = false, is_counted = false;
	for (size_t i = 0; i < text.length; i++) {
		char c = text.bytes[i];
		bool is_word = is_name_octet(c) || c == '$' || c == '{' || c == '}';
		if (!is_word && (c == '\0' || !strchr("+-*/%<>=!&|^~?:,()[]@# \t\n;", c))) return true;
		if (c && strchr("+*/%<>=!^~?", c)) is_counted = true;
		if (is_word && was_word && was_blank) return true;
		if (c == ' ' || c == '\t' || c == '\n') was_blank = true;
		else was_blank = false, was_word = is_word;
	}
	return !is_counted && !(text.length && memchr("0123456789", text.bytes[0], 10));
}

static bool read_dollar(struct reader *reader);

static void read_backticks(struct reader *reader) {
	AUTO_TEXT struct text code = {0};
	size_t from = reader->at++;
	text_init(&code, 0);
	for (; reader->at < reader->length && here(reader, 0) != '`'; reader->at++) {
		char next = here(reader, 1);
		if (here(reader, 0) == '\\' && (next == '`' || next == '\\' || next == '$')) reader->at++;
		text_add_char(&code, here(reader, 0));
	}
	if (reader->at >= reader->length)
		code_token_trouble(reader->tokens, "a backtick without another", from);
	reader->at++;
	add_expansion(reader, SLICE_NONE);
	reader->nested(reader->context, code_token_keep(reader->tokens, &code));
}

/* Behind "$(", or "<(": the code up to its end. */
static void read_substitution(struct reader *reader) {
	size_t end = code_closing_find(reader->tokens, reader->length, reader->at, '(');
	struct slice code = slice_make(reader->code + reader->at, end - reader->at);
	bool is_arithmetic = code.length > 1 && code.bytes[0] == '(' && code.bytes[code.length - 1] == ')' &&
		!may_be_commands(slice_make(code.bytes + 1, code.length - 2));
	if (!is_arithmetic) reader->nested(reader->context, code);
	reader->at = end + (end < reader->length);
	add_expansion(reader, SLICE_NONE);
}

/* "${name}", or anything else in braces, whose own substitutions run. */
static void read_braces(struct reader *reader) {
	size_t end = code_closing_find(reader->tokens, reader->length, reader->at, '{'), name = reader->at;
	while (name < end && is_name_octet(reader->code[name])) name++;
	bool is_plain = name == end && name > reader->at;
	struct slice all = slice_make(reader->code + reader->at, end - reader->at);
	size_t length = reader->length;
	if (!is_plain) {
		struct text kept = reader->word; /* what is inside does not belong to the word */
		reader->word = (struct text){0};
		text_init(&reader->word, 0);
		for (reader->length = end; reader->at < end && code_token_is_sound(reader->tokens);) {
			char c = here(reader, 0);
			if (c == '\\') reader->at += 2;
			else if (c == '`') read_backticks(reader);
			else if (c == '$' && here(reader, 1) == '(') {
				reader->at += 2;
				read_substitution(reader);
			} else reader->at++;
		}
		text_finish(&reader->word);
		reader->word = kept;
	}
	reader->length = length;
	reader->at = end + (end < length);
	add_expansion(reader, is_plain ? all : SLICE_NONE);
}

static void add_code_point(struct reader *reader, size_t digits_at_most) {
	size_t digits = 0;
	while (digits < digits_at_most &&
		code_token_hex(slice_make(reader->code, reader->length), reader->at + digits, 1) >= 0)
		digits++;
	int64_t value = code_token_hex(slice_make(reader->code, reader->length), reader->at, digits);
	if (value >= 0x80) code_token_character(&reader->word, value > 0x10ffff ? 0xfffd : (uint32_t)value);
	else if (value >= 0) add_octet(reader, (char)value);
	reader->at += digits;
}

/* $'...': `at` behind the first quotation mark. */
static void read_escaped_quotes(struct reader *reader) {
	static const char names[] = "abeEfnrtv", values[] = "\a\b\033\033\f\n\r\t\v";
	for (; reader->at < reader->length && here(reader, 0) != '\'';) {
		char c = reader->code[reader->at++], kind = here(reader, 0);
		if (c != '\\') {
			add_octet(reader, c);
			continue;
		}
		const char *named = kind ? strchr(names, kind) : NULL;
		reader->at += kind < '0' || kind > '7';
		if (named) text_add_char(&reader->word, values[named - names]);
		else if (kind == 'x') add_code_point(reader, 2);
		else if (kind == 'u') add_code_point(reader, 4);
		else if (kind == 'U') add_code_point(reader, 8);
		else if (kind >= '0' && kind <= '7') {
			unsigned value = 0;
			for (size_t i = 0; i < 3 && here(reader, 0) >= '0' && here(reader, 0) <= '7'; i++)
				value = value * 8 + (unsigned)(reader->code[reader->at++] - '0');
			add_octet(reader, (char)value);
		} else add_octet(reader, kind);
	}
	if (reader->at >= reader->length)
		code_token_trouble(reader->tokens, "a string without an end", reader->from);
	reader->at++;
}

/* At a dollar sign; false: it is just one. */
static bool read_dollar(struct reader *reader) {
	char next = here(reader, 1);
	if (next == '(') {
		reader->at += 2;
		read_substitution(reader);
	} else if (next == '{') {
		reader->at += 2;
		read_braces(reader);
	} else if (is_name_octet(next)) {
		size_t from = ++reader->at;
		bool is_digit = next >= '0' && next <= '9';
		do reader->at++;
		while (!is_digit && is_name_octet(here(reader, 0)));
		add_expansion(reader, slice_make(reader->code + from, reader->at - from));
	} else if (next && strchr("@*#?!-", next)) {
		reader->at += 2;
		add_expansion(reader, SLICE_NONE);
	} else {
		return false;
	}
	return true;
}

static void read_double_quotes(struct reader *reader) {
	size_t from = reader->at++;
	while (reader->at < reader->length && here(reader, 0) != '"' && code_token_is_sound(reader->tokens)) {
		char c = here(reader, 0), next = here(reader, 1);
		if (c == '\\' && next == '\n') {
			reader->at += 2;
		} else if (c == '\\' && next && strchr("$`\"\\", next)) {
			add_octet(reader, next);
			reader->at += 2;
		} else if (c == '`') {
			read_backticks(reader);
		} else if (c != '$' || !read_dollar(reader)) {
			add_octet(reader, c);
			reader->at++;
		}
	}
	if (reader->at >= reader->length) code_token_trouble(reader->tokens, "a string without an end", from);
	reader->at++;
}

/* ---- Here-documents ---- */

/* In a body whose delimiter was not quoted, substitutions run. */
static void read_body(struct reader *reader, size_t end) {
	size_t length = reader->length;
	for (reader->length = end; reader->at < end && code_token_is_sound(reader->tokens);) {
		char c = here(reader, 0);
		if (c == '\\') reader->at += 2;
		else if (c == '`') read_backticks(reader);
		else if (c != '$' || !read_dollar(reader)) reader->at++;
	}
	text_clear(&reader->word);
	reader->length = length;
	reader->at = end;
}

static void read_here_document(struct reader *reader, const struct waiting *waiting) {
	struct code_token *token = &reader->tokens->items[waiting->token];
	size_t from = reader->at, end = from, behind = reader->length;
	for (size_t at = from; at < reader->length;) {
		const char *line_end = memchr(reader->code + at, '\n', reader->length - at);
		size_t next = line_end ? (size_t)(line_end - reader->code) : reader->length, begin = at;
		while (waiting->is_indented && begin < next && reader->code[begin] == '\t') begin++;
		end = at;
		behind = next + (next < reader->length);
		if (slice_equal(slice_make(reader->code + begin, next - begin), token->text)) break;
		end = at = behind;
	}
	token->type = CODE_STRING;
	token->text = slice_make(reader->code + from, end - from);
	if (!waiting->is_quoted) read_body(reader, end);
	reader->at = behind;
}

static void read_line_end(struct reader *reader) {
	end_word(reader);
	reader->at++;
	for (size_t i = 0; i < reader->waiting_count && code_token_is_sound(reader->tokens); i++)
		if (reader->waiting[i].token) read_here_document(reader, &reader->waiting[i]);
	reader->waiting_count = 0;
	code_token_add(reader->tokens, CODE_LINE, 0, SLICE_NONE, reader->at - 1);
}

/* ---- Operators ---- */

static const struct operator{
	const char *text;
	unsigned mark;
}
operators[] = {
	{"<<<", CODE_SHELL_STRING},
	{"<<-", CODE_SHELL_HERE},
	{"&>>", CODE_SHELL_OUT},
	{";;&", CODE_SHELL_CASE},
	{"<<", CODE_SHELL_HERE},
	{">>", CODE_SHELL_OUT},
	{">|", CODE_SHELL_OUT},
	{"<>", CODE_SHELL_OUT},
	{"&>", CODE_SHELL_OUT},
	{">&", CODE_SHELL_COPY},
	{"<&", CODE_SHELL_COPY},
	{"&&", CODE_SHELL_AND},
	{"||", CODE_SHELL_AND},
	{"|&", CODE_SHELL_PIPE},
	{";;", CODE_SHELL_CASE},
	{";&", CODE_SHELL_CASE},
	{">", CODE_SHELL_OUT},
	{"<", CODE_SHELL_IN},
	{"|", CODE_SHELL_PIPE},
	{";", CODE_SHELL_END},
	{"&", CODE_SHELL_END},
	{"(", CODE_SHELL_OPEN},
	{")", CODE_SHELL_CLOSE},
};

/* "2>": the number belongs to the operator. */
static void drop_number(struct reader *reader) {
	struct slice word = text_slice(&reader->word);
	uint64_t number;
	if (!reader->has_word || reader->mark || !slice_number(word, 999, &number)) {
		end_word(reader);
		return;
	}
	reader->has_word = false;
	text_clear(&reader->word);
}

static void wait_for_body(struct reader *reader, bool is_indented) {
	if (reader->waiting_count == HERE_DOCUMENTS) {
		code_token_trouble(reader->tokens, "too many here-documents in one line", reader->at);
		return;
	}
	reader->waiting[reader->waiting_count++] = (struct waiting){.is_indented = is_indented};
	reader->is_here = true;
}

/* "((": counted, not run, unless it may be commands (code_shell.c reads the brackets then). */
static bool read_arithmetic(struct reader *reader) {
	if (here(reader, 0) != '(' || here(reader, 1) != '(') return false;
	size_t at = reader->at;
	reader->at += 2;
	size_t end = code_closing_find(reader->tokens, reader->length, reader->at, '(');
	reader->at = at;
	if (end + 1 >= reader->length || reader->code[end + 1] != ')') return false;
	if (may_be_commands(slice_make(reader->code + at + 2, end - at - 2))) return false;
	end_word(reader);
	code_token_add(reader->tokens, CODE_NAME, CODE_WORD_QUOTED, SLICE("(("), at);
	reader->at = end + 2;
	return true;
}

static bool read_operator(struct reader *reader) {
	char c = here(reader, 0);
	if ((c == '<' || c == '>') && here(reader, 1) == '(') { /* a process whose output is a file */
		begin_word(reader);
		reader->mark |= CODE_WORD_PROCESS;
		reader->at += 2;
		read_substitution(reader);
		return true;
	}
	if (!reader->has_word && read_arithmetic(reader)) return true;
	for (size_t i = 0; i < COUNT_OF(operators); i++) {
		size_t length = strlen(operators[i].text);
		if (reader->at + length > reader->length) continue;
		if (memcmp(reader->code + reader->at, operators[i].text, length) != 0) continue;
		if (c == '<' || c == '>') drop_number(reader);
		else end_word(reader);
		code_token_add(
			reader->tokens, CODE_MARK, operators[i].mark, slice_of(operators[i].text), reader->at);
		if (operators[i].mark == CODE_SHELL_HERE) wait_for_body(reader, length == 3);
		reader->at += length;
		return true;
	}
	return false;
}

/* ---- Words ---- */

static void read_backslash(struct reader *reader) {
	if (here(reader, 1) == '\n') {
		reader->at += 2;
		return;
	}
	begin_word(reader);
	reader->mark |= CODE_WORD_QUOTED;
	if (reader->at + 1 < reader->length) add_octet(reader, here(reader, 1));
	reader->at += 2;
}

static void read_quotes(struct reader *reader, char c) {
	begin_word(reader);
	reader->mark |= CODE_WORD_QUOTED;
	if (c == '"') {
		read_double_quotes(reader);
		return;
	}
	size_t from = reader->at + 1, end = skip_single(reader, from);
	bool is_closed = end > from && reader->code[end - 1] == '\'';
	if (!is_closed) code_token_trouble(reader->tokens, "a string without an end", reader->at);
	for (size_t i = from; i < end - is_closed; i++) add_octet(reader, reader->code[i]);
	reader->at = end;
}

static void read_plain(struct reader *reader, char c) {
	begin_word(reader);
	if (c == '*' || c == '?' || c == '[') reader->mark |= CODE_WORD_GLOB;
	if (c == '{') reader->mark |= CODE_WORD_OPENED;
	if ((c == ',' || c == '.') && reader->mark & CODE_WORD_OPENED) reader->mark |= CODE_WORD_BRACE;
	add_octet(reader, c);
	reader->at++;
}

static void read_dollar_word(struct reader *reader) {
	begin_word(reader);
	char next = here(reader, 1);
	if (next == '\'') {
		reader->mark |= CODE_WORD_QUOTED;
		reader->at += 2;
		read_escaped_quotes(reader);
	} else if (next == '"') {
		reader->at++;
		read_quotes(reader, '"');
	} else if (!read_dollar(reader)) {
		read_plain(reader, '$');
	}
}

static void read_one(struct reader *reader) {
	char c = here(reader, 0);
	if (c == '\n') read_line_end(reader);
	else if (c == ' ' || c == '\t' || c == '\r') {
		end_word(reader);
		reader->at++;
	} else if (c == '#' && !reader->has_word) {
		while (reader->at < reader->length && here(reader, 0) != '\n') reader->at++;
	} else if (c == '\\') read_backslash(reader);
	else if (c == '\'' || c == '"') read_quotes(reader, c);
	else if (c == '$') read_dollar_word(reader);
	else if (c == '`') {
		begin_word(reader);
		read_backticks(reader);
	} else if (!c || !strchr("<>&|;()", c) || !read_operator(reader)) read_plain(reader, c);
}

void code_token_shell(struct code_tokens *tokens, code_shell_nested *nested, void *context) {
	struct reader reader = {.tokens = tokens,
		.code = tokens->code.bytes,
		.length = tokens->code.length,
		.nested = nested,
		.context = context};
	text_init(&reader.word, 0);
	while (reader.at < reader.length && code_token_is_sound(tokens)) read_one(&reader);
	end_word(&reader);
	code_token_add(tokens, CODE_LINE, 0, SLICE_NONE, reader.length);
	code_token_add(tokens, CODE_END, 0, SLICE_NONE, reader.length);
	text_finish(&reader.word);
}
