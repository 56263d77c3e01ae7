/* SPDX-License-Identifier: Apache-2.0 */
/* Code safety: finds the code, reads it and what it holds as code in turn, writes what is to be said. */
#include "validate/code_safety.h"

#include "validate/code_guess.h"
#include "validate/code_javascript.h"
#include "validate/code_python.h"
#include "validate/code_report.h"
#include "validate/code_shell.h"
#include "validate/code_token.h"
#include "wire/scan.h"

#define MEMORY (96 * 1024 * 1024) /* of one check, at most: some 300 octets for each of code */
#define PIECES 256                /* of code within code */
#define LEVELS 12                 /* of it within one another */
#define WITHIN 4                  /* times the code's own size, all of it together */

struct piece {
	struct slice code;
	enum code_language language;
	unsigned level;
};

struct check {
	const struct code_rules *rules;
	struct arena arena; /* of the check itself */
	struct code_report report;
	struct code_shell_names names;
	struct piece pieces[PIECES];
	size_t count, done;
	size_t size, within; /* octets of the arguments' code, of the code found in it */
	unsigned level;
	enum code_language language; /* as it was read first, for the hints */
	bool is_guessing;
	bool is_out_of_memory;
};

/* ---- Code in code ---- */

static void add_piece(struct check *check, enum code_language language, struct slice code) {
	check->within += code.length;
	bool is_too_much = check->count == PIECES || check->level == LEVELS ||
		check->within > (size_t)WITHIN * LEVELS * (check->size + 1024);
	if (is_too_much) {
		code_report_say(&check->report, "Unreadable code: there is too much code within code");
		return;
	}
	check->pieces[check->count++] = (struct piece){code, language, check->level + 1};
}

static void add_inner(void *context, enum code_language language, struct slice code) {
	add_piece(context, language, code);
}

static void add_python(void *context, struct slice code) { add_piece(context, CODE_PYTHON, code); }

/* ---- One piece, in one language ---- */

static void read_as(
	struct check *check, const struct code_rules *rules, enum code_language language, struct slice code) {
	struct code_judge judge;
	bool is_fine = code_judge_init(&judge, rules, language, &check->report, &check->arena);
	judge.is_guessed = check->is_guessing;
	if (!check->language) check->language = language;
	if (is_fine && language == CODE_PYTHON)
		is_fine = code_python_check(&judge, code, &check->arena, add_python, check);
	else if (is_fine && language == CODE_JAVASCRIPT)
		is_fine = code_javascript_check(&judge, code, &check->arena);
	else if (is_fine && language == CODE_SHELL)
		is_fine = code_shell_check(&judge, code, &check->arena, &check->names, add_inner, check);
	else if (is_fine) code_judge_text(&judge, code, code);
	if (!is_fine) check->is_out_of_memory = true;
}

static bool is_unreadable(const struct check *check, struct code_report_mark since) {
	for (size_t i = since.count; i < check->report.count; i++)
		if (slice_starts_with(check->report.items[i], "Unreadable code")) return true;
	return false;
}

/* As every language that it may be; what cannot be read as one of them is not written in it, unless it can
 * be read as none. */
static void read_as_any(struct check *check, const struct code_guess *guess, struct slice code) {
	struct code_rules standard = *check->rules;
	bool is_strict = check->rules->level >= CODE_STRICT;
	bool is_read = false;
	enum code_language troubled = CODE_UNSAID;
	standard.level = CODE_STANDARD;
	for (unsigned language = CODE_PYTHON; language <= CODE_SHELL; language++) {
		if (!guess->may_be[language]) continue;
		struct code_report_mark before = code_report_here(&check->report);
		size_t pieces = check->count;
		bool is_whole = !is_strict || language == guess->clear;
		read_as(check, is_whole ? check->rules : &standard, language, code);
		if (!is_unreadable(check, before)) {
			is_read = true;
			continue;
		}
		code_report_back(&check->report, before);
		check->count = pieces;
		troubled = language;
	}
	if (!is_read && troubled) read_as(check, check->rules, troubled, code);
}

static void read_piece(struct check *check, const struct piece *piece) {
	check->level = piece->level;
	if (piece->language != CODE_UNSAID) {
		if (piece->language == CODE_OTHER && check->rules->level >= CODE_STRICT)
			code_report_say(&check->report,
				"Unknown language: only python, javascript and shell can be checked at this level");
		read_as(check, check->rules, piece->language, piece->code);
		return;
	}
	struct code_guess guess = code_guess_of(piece->code);
	if (guess.clear == CODE_UNSAID && check->rules->level >= CODE_STRICT)
		code_report_say(&check->report, "Unknown language: say python, javascript or shell in `language`");
	check->is_guessing = true;
	read_as_any(check, &guess, piece->code);
	check->is_guessing = false;
}

/* ---- What no language needs ---- */

static void check_characters(struct check *check, struct slice code) {
	size_t at = 0;
	while (at < code.length) {
		uint32_t character;
		size_t octets = slice_character(slice_make(code.bytes + at, code.length - at), &character);
		bool is_turning = (character >= 0x202a && character <= 0x202e) ||
			(character >= 0x2066 && character <= 0x2069) || (character >= 0xe0000 && character <= 0xe007f);
		if (octets == 0 || character == 0 || is_turning) {
			code_report_say(&check->report, "Hidden character: U+%04X, at line %zu",
				octets ? (unsigned)character : 0xfffdu, code_token_line(code, at));
			return;
		}
		at += octets;
	}
}

static void add_code(struct check *check, enum code_language language, struct slice code) {
	size_t limit = code_rules_max_size(check->rules);
	check->size += code.length;
	if (check->size > limit) {
		code_report_say(&check->report, "Code too large: over %zu octets (max_code_size_bytes)", limit);
		return;
	}
	check_characters(check, code);
	if (check->count < PIECES) check->pieces[check->count++] = (struct piece){code, language, 0};
	else code_report_say(&check->report, "Unreadable code: more than %d pieces", PIECES);
}

/* ---- The code in the arguments ---- */

static bool add_string(struct check *check, enum code_language language, const struct scan_value *value) {
	struct slice code;
	if (!scan_string(value, &check->arena, &code)) return false;
	add_code(check, language, code);
	return true;
}

/* Every string of the text, keys too; it was checked before, so that a quotation mark is a string's. */
static bool add_strings(struct check *check, enum code_language language, struct slice text) {
	for (size_t at = 0; at < text.length; at++) {
		if (text.bytes[at] != '"') continue;
		size_t end = at + 1;
		struct scan_value value = {.type = SCAN_STRING};
		for (; end < text.length && text.bytes[end] != '"'; end++) {
			if (text.bytes[end] != '\\') continue;
			value.escaped = true;
			end++;
		}
		if (end >= text.length) return true;
		value.text = slice_make(text.bytes + at, end + 1 - at);
		if (!add_string(check, language, &value)) return false;
		at = end;
	}
	return true;
}

/* A string, or the strings in what is given in its place. */
static bool add_value(struct check *check, enum code_language language, const struct scan_value *value) {
	if (value->type == SCAN_STRING) return add_string(check, language, value);
	return add_strings(check, language, value->text);
}

static bool find_named(
	const struct check *check, const struct scan_value *root, const char *name, struct scan_value *value) {
	struct slice wanted = name ? slice_of(name) : check->rules->argument;
	struct scan_walk walk;
	struct scan_member member;
	char key[CODE_LIST_ENTRY + 1];
	if (wanted.length >= sizeof key) return false;
	memcpy(key, wanted.bytes, wanted.length);
	key[wanted.length] = '\0';
	for (scan_open(&walk, root); scan_next(&walk, &member);) {
		if (!scan_key_is(&member, key)) continue;
		*value = member.value;
		return true;
	}
	return false;
}

static enum code_language language_of(struct check *check, const struct scan_value *root) {
	struct scan_value value;
	struct slice word;
	if (check->rules->language != CODE_UNSAID) return check->rules->language;
	if (!find_named(check, root, "language", &value) && !find_named(check, root, "lang", &value))
		return CODE_UNSAID;
	if (value.type != SCAN_STRING || !scan_string(&value, &check->arena, &word)) return CODE_UNSAID;
	enum code_language language = code_language_read(word);
	return language == CODE_OTHER ? CODE_UNSAID : language; /* the caller's word switches nothing off */
}

static bool collect(struct check *check, struct slice arguments) {
	static const char *const names[] = {"code", "source", "script"};
	struct scan_value root, value;
	struct scan_fault fault;
	bool is_found = false;
	if (slice_trim(arguments).length == 0) return true;
	if (!scan_check(arguments, SCAN_DEPTH, &root, &fault) || root.type != SCAN_OBJECT) {
		code_report_say(&check->report, "Unreadable code: the arguments are no object");
		return true;
	}
	enum code_language language = language_of(check, &root);
	if (check->rules->argument.length) {
		is_found = find_named(check, &root, NULL, &value);
		return !is_found || add_value(check, language, &value);
	}
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		if (!find_named(check, &root, names[i], &value)) continue;
		is_found = true;
		if (!add_value(check, language, &value)) return false;
	}
	return is_found || add_strings(check, language, root.text);
}

/* ---- The verdict ---- */

static bool copy_items(
	struct arena *arena, const struct slice *items, size_t count, struct code_list *list) {
	struct slice *copies = count ? arena_alloc(arena, count * sizeof *copies) : NULL;
	if (count && !copies) return false;
	for (size_t i = 0; i < count; i++)
		if (!arena_copy(arena, items[i], &copies[i])) return false;
	*list = (struct code_list){copies, count};
	return true;
}

/* The rules' own names with those of the house that were met; where the rules have none, the house's. */
static bool hint_blocked(const struct check *check, struct arena *arena, struct code_list *list) {
	struct code_list own = check->rules->blocked_imports;
	if (own.count == 0) {
		*list = code_defaults_list(code_defaults_of(check->language)->blocked_imports);
		return true;
	}
	struct slice *items = arena_alloc(arena, (own.count + check->report.hint_count) * sizeof *items);
	if (!items) return false;
	memcpy(items, own.items, own.count * sizeof *items);
	size_t count = own.count;
	for (size_t i = 0; i < check->report.hint_count; i++) items[count++] = check->report.hints[i];
	*list = (struct code_list){items, count};
	return true;
}

static bool give_verdict(const struct check *check, struct arena *arena, struct code_verdict *verdict) {
	struct code_verdict given = {.is_rejected = check->report.found > 0,
		.violations_found = check->report.found,
		.max_size = code_rules_max_size(check->rules)};
	if (given.is_rejected) {
		if (!copy_items(arena, check->report.items, check->report.count, &given.violations)) return false;
		if (!hint_blocked(check, arena, &given.hint_blocked)) return false;
		given.hint_allowed = check->rules->has_allowed
			? check->rules->allowed_imports
			: code_defaults_list(code_defaults_of(check->language)->allowed_imports);
	}
	*verdict = given;
	return true;
}

static bool finish(
	struct check *check, struct arena *arena, struct code_verdict *verdict, struct fault *why) {
	while (check->done < check->count && !check->is_out_of_memory) {
		struct piece piece = check->pieces[check->done++];
		read_piece(check, &piece);
	}
	bool is_fine = !check->is_out_of_memory && !check->report.is_out_of_memory &&
		give_verdict(check, arena, verdict);
	code_shell_names_finish(&check->names);
	arena_finish(&check->arena);
	return is_fine || fault_set(why, FAULT_NO_MEMORY, "no memory for checking the code of a call");
}

static void begin(struct check *check, const struct code_rules *rules) {
	*check = (struct check){.rules = rules};
	arena_init(&check->arena, NULL, 0, MEMORY);
	code_report_init(&check->report, &check->arena);
	code_shell_names_init(&check->names);
}

bool code_safety_check(const struct code_rules *rules, struct slice arguments, struct arena *arena,
	struct code_verdict *verdict, struct fault *why) {
	struct check check;
	if (rules->level == CODE_UNRESTRICTED) {
		*verdict = (struct code_verdict){.max_size = code_rules_max_size(rules)};
		return true;
	}
	begin(&check, rules);
	if (!collect(&check, arguments)) check.is_out_of_memory = true;
	return finish(&check, arena, verdict, why);
}

bool code_safety_check_code(const struct code_rules *rules, struct slice code, enum code_language language,
	struct arena *arena, struct code_verdict *verdict, struct fault *why) {
	struct check check;
	if (rules->level == CODE_UNRESTRICTED) {
		*verdict = (struct code_verdict){.max_size = code_rules_max_size(rules)};
		return true;
	}
	begin(&check, rules);
	add_code(&check, language != CODE_UNSAID ? language : rules->language, code);
	return finish(&check, arena, verdict, why);
}

static void write_list(struct text *to, const struct code_list *list) {
	text_add_char(to, '[');
	for (size_t i = 0; i < list->count; i++) {
		if (i > 0) text_add_char(to, ',');
		text_json(to, list->items[i]);
	}
	text_add_char(to, ']');
}

void code_safety_write_rejection(struct text *to, const struct code_verdict *verdict) {
	text_add_cstr(to, "{\"status\":\"rejected\",\"reason\":\"Code validation failed\",\"violations\":");
	write_list(to, &verdict->violations);
	text_add_cstr(to, ",\"hints\":{\"blocked_imports\":");
	write_list(to, &verdict->hint_blocked);
	text_add_cstr(to, ",\"allowed_imports\":");
	write_list(to, &verdict->hint_allowed);
	text_add_cstr(to, ",\"max_code_size_bytes\":");
	text_number(to, (int64_t)verdict->max_size);
	text_add_cstr(to, "}}");
}
