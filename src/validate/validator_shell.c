/* SPDX-License-Identifier: Apache-2.0 */
/* Validator shell: one pass over a line; a word is copied only when it has quotes, backslashes or braces. */
#include "validate/validator_shell.h"

static bool is_blank(char octet) { return octet == ' ' || octet == '\t' || octet == '\v' || octet == '\f'; }

static bool is_separator(char octet) { return octet && strchr(";|&`()\n\r", octet) != NULL; }

static bool ends_word(char octet) {
	return is_blank(octet) || is_separator(octet) || octet == '<' || octet == '>';
}

static void add(struct shell_words *words, struct shell_word word) {
	if (words->count == SHELL_WORDS) words->is_cut = true;
	else words->items[words->count++] = word;
}

void shell_words_add_whole(struct shell_words *words, struct slice word, bool begins) {
	add(words, (struct shell_word){.text = word, .begins = begins});
}

struct taking {
	const char *at;
	const char *end;
	char *to; /* NULL: only looked at */
	size_t length;
	struct shell_word word;
};

static void put(struct taking *taking, char octet) {
	if (taking->to) taking->to[taking->length] = octet;
	taking->length++;
}

/* `at` is behind the opening quote. */
static void take_quoted(struct taking *taking, char quote) {
	taking->word.is_quoted = true;
	while (taking->at < taking->end && *taking->at != quote) {
		if (quote == '"' && *taking->at == '\\' && taking->end - taking->at > 1 &&
			strchr("\"\\$`", taking->at[1]))
			taking->at++;
		put(taking, *taking->at++);
	}
	if (taking->at < taking->end) taking->at++;
}

static void take_word(struct taking *taking) {
	while (taking->at < taking->end && !ends_word(*taking->at)) {
		char octet = *taking->at++;
		if (octet == '\'' || octet == '"') {
			take_quoted(taking, octet);
		} else if (octet == '\\' && taking->at < taking->end) {
			taking->word.is_quoted = true;
			put(taking, *taking->at++);
		} else {
			if (octet == '*' || octet == '?' || octet == '[') taking->word.is_glob = true;
			put(taking, octet);
		}
	}
}

/* A whole word like {rm,-rf,/} is what a shell makes of it: several words. False: it is none. */
static bool add_braces(struct shell_words *words, const struct shell_word *word) {
	struct slice text = word->text;
	if (text.length < 3 || text.bytes[0] != '{' || text.bytes[text.length - 1] != '}' ||
		!memchr(text.bytes, ',', text.length) || memchr(text.bytes, ':', text.length))
		return false;
	struct slice rest = slice_make(text.bytes + 1, text.length - 2), part;
	bool begins = word->begins;
	while (slice_split(&rest, ',', &part)) {
		add(words, (struct shell_word){.text = part, .begins = begins, .is_glob = word->is_glob});
		begins = false;
	}
	return true;
}

static const char *add_word(
	struct shell_words *words, const char *at, const char *end, bool begins, struct arena *arena) {
	struct taking look = {.at = at, .end = end, .word.begins = begins};
	take_word(&look);
	look.word.text = slice_make(at, (size_t)(look.at - at));
	if (look.word.is_quoted) {
		struct taking copy = {.at = at, .end = end, .to = arena_alloc(arena, look.length + 1)};
		if (!copy.to) {
			words->has_failed = true;
			return look.at;
		}
		take_word(&copy);
		look.word.text = slice_make(copy.to, copy.length);
	}
	if (!add_braces(words, &look.word)) add(words, look.word);
	return look.at;
}

void shell_words_clear(struct shell_words *words) {
	words->count = 0;
	words->is_cut = words->has_failed = false;
}

void shell_words_add(struct shell_words *words, struct slice line, struct arena *arena) {
	const char *at = line.bytes, *end = at + line.length;
	bool begins = true;
	while (at < end && !words->is_cut) {
		if (is_blank(*at) || *at == '<' || *at == '>') {
			at++;
		} else if (is_separator(*at)) {
			begins = true;
			at++;
		} else {
			at = add_word(words, at, end, begins, arena);
			begins = false;
		}
	}
}

void shell_program(struct slice word, char program[SHELL_PROGRAM]) {
	size_t start = 0, length = 0;
	for (size_t i = 0; i < word.length; i++)
		if (word.bytes[i] == '/' || word.bytes[i] == '\\') start = i + 1;
	for (size_t i = start; i < word.length && length < SHELL_PROGRAM - 1; i++) {
		char octet = word.bytes[i];
		program[length++] = octet >= 'A' && octet <= 'Z' ? (char)(octet | 0x20) : octet;
	}
	program[length] = '\0';
	if (length > 4 && strcmp(program + length - 4, ".exe") == 0) program[length - 4] = '\0';
}
