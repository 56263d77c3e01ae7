/* SPDX-License-Identifier: Apache-2.0 */
/* Code token: the growing vector, and what every tokenizer needs of characters. */
#include "validate/code_token.h"

#include <stdlib.h>

void code_token_init(struct code_tokens *tokens, struct slice code, struct arena *arena) {
	*tokens = (struct code_tokens){.code = code, .arena = arena};
}

void code_token_finish(struct code_tokens *tokens) {
	free(tokens->items);
	tokens->items = NULL;
	tokens->count = tokens->capacity = 0;
}

static bool make_room(struct code_tokens *tokens) {
	if (tokens->count < tokens->capacity) return true;
	size_t capacity = tokens->capacity ? tokens->capacity * 2 : 256;
	struct code_token *items = realloc(tokens->items, capacity * sizeof *items);
	if (!items) return false;
	tokens->items = items;
	tokens->capacity = capacity;
	return true;
}

void code_token_add(
	struct code_tokens *tokens, enum code_token_type type, unsigned mark, struct slice text, size_t at) {
	if (tokens->is_out_of_memory) return;
	if (at > tokens->code.length) at = tokens->code.length; /* behind what has no end */
	if (!make_room(tokens)) {
		tokens->is_out_of_memory = true;
		return;
	}
	tokens->items[tokens->count++] = (struct code_token){
		.text = text, .at = (uint32_t)at, .type = type, .mark = (uint8_t)mark};
}

void code_token_trouble(struct code_tokens *tokens, const char *trouble, size_t at) {
	if (tokens->trouble) return;
	tokens->trouble = trouble;
	tokens->trouble_at = at;
}

bool code_token_is_sound(const struct code_tokens *tokens) {
	return !tokens->trouble && !tokens->is_out_of_memory;
}

size_t code_token_line(struct slice code, size_t at) {
	size_t line = 1;
	for (size_t i = 0; i < at && i < code.length; i++) line += code.bytes[i] == '\n';
	return line;
}

void code_token_character(struct text *to, uint32_t character) {
	if (character > 0x10ffff || (character >= 0xd800 && character <= 0xdfff)) character = 0xfffd;
	if (character < 0x80) {
		text_add_char(to, (char)character);
		return;
	}
	if (character < 0x800) {
		text_add_char(to, (char)(0xc0 | character >> 6));
	} else {
		if (character < 0x10000) {
			text_add_char(to, (char)(0xe0 | character >> 12));
		} else {
			text_add_char(to, (char)(0xf0 | character >> 18));
			text_add_char(to, (char)(0x80 | (character >> 12 & 0x3f)));
		}
		text_add_char(to, (char)(0x80 | (character >> 6 & 0x3f)));
	}
	text_add_char(to, (char)(0x80 | (character & 0x3f)));
}

int64_t code_token_hex(struct slice code, size_t at, size_t digits) {
	int64_t number = 0;
	if (at + digits > code.length || digits == 0) return -1;
	for (size_t i = at; i < at + digits; i++) {
		char c = code.bytes[i];
		bool is_letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
		if (!is_letter && (c < '0' || c > '9')) return -1;
		number = number << 4 | (is_letter ? (c | 0x20) - 'a' + 10 : c - '0');
	}
	return number;
}

struct slice code_token_keep(struct code_tokens *tokens, const struct text *text) {
	struct slice kept = SLICE_NONE;
	if (text_failed(text) || !arena_copy(tokens->arena, text_slice(text), &kept))
		tokens->is_out_of_memory = true;
	return kept;
}

static void write_mark(struct text *to, const struct code_token *token) {
	if (token->text.length) text_add(to, token->text);
	else text_add_char(to, token->mark >= ' ' ? (char)token->mark : ' ');
}

void code_token_write(const struct code_tokens *tokens, struct text *to) {
	bool was_name = false;
	for (size_t i = 0; i < tokens->count; i++) {
		const struct code_token *token = &tokens->items[i];
		bool is_name = token->type == CODE_NAME || token->type == CODE_NUMBER;
		if (is_name && was_name) text_add_char(to, ' ');
		if (is_name) text_add(to, token->text);
		else if (token->type == CODE_STRING) text_add_cstr(to, "\"\"");
		else if (token->type == CODE_MARK) write_mark(to, token);
		else text_add_char(to, '\n');
		was_name = is_name;
	}
}
