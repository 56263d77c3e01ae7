/* SPDX-License-Identifier: Apache-2.0 */
/* Validator command: words against tables; lines inside a line wait in a short queue. */
#include "validate/validator_command.h"

#include "validate/validator_command_rules.h"

#include <stdio.h>
#include <strings.h>

#define LINES 8    /* inside one another */
#define WRAPPED 12 /* words behind a wrapper at which its command may begin, options not counted */
#define NESTED 2   /* wrappers in one another, find -exec included */

struct judging {
	struct slice lines[LINES]; /* still to be looked at */
	unsigned first, last;
	bool is_full; /* there were more */
	bool is_command;
	unsigned depth; /* of wrappers */
	bool is_mass;   /* behind find -exec or xargs: every file that is found */
	struct command_finding *finding;
};

/* The words of one command: words[0] is the program. */
struct command {
	const struct shell_word *words;
	size_t count;
	char program[SHELL_PROGRAM];
};

static bool found(struct judging *judging, const char *program, const char *what) {
	snprintf(judging->finding->program, sizeof judging->finding->program, "%s", program);
	judging->finding->what = what;
	return true;
}

static bool contains(struct slice text, const char *part, size_t length) {
	for (size_t i = 0; i + length <= text.length; i++)
		if (strncasecmp(text.bytes + i, part, length) == 0) return true;
	return false;
}

static bool equals(struct slice text, const char *other, size_t length) {
	return text.length == length && strncasecmp(text.bytes, other, length) == 0;
}

static bool is_letters(struct slice text) {
	for (size_t i = 0; i < text.length; i++) {
		char octet = (char)(text.bytes[i] | 0x20);
		if (octet < 'a' || octet > 'z') return false;
	}
	return text.length > 0;
}

static bool has_letter(struct slice word, char letter) {
	if (word.length < 2 || word.bytes[0] != '-') return false;
	struct slice letters = slice_make(word.bytes + 1, word.length - 1);
	/* "-e/bin/sh", "-n5" */
	if (letters.bytes[0] == letter) return true;
	return letters.length <= 6 && is_letters(letters) && memchr(letters.bytes, letter, letters.length);
}

static bool fits(struct slice word, struct slice needle) {
	const char *rest = needle.bytes + 1;
	size_t length = needle.length - 1;
	if (needle.length == 1) return equals(word, needle.bytes, 1);
	switch (needle.bytes[0]) {
	case '^': return word.length >= length && strncasecmp(word.bytes, rest, length) == 0;
	case '~': /* "~/" is a path */
		return *rest == '/' ? equals(word, needle.bytes, needle.length)
				    : contains(word, rest, length);
	case '+':
		return word.length >= length &&
			strncasecmp(word.bytes + word.length - length, rest, length) == 0;
	case '-':
		if (needle.length == 2 && *rest != '1') return has_letter(word, *rest);
		if (*rest == '-' && word.length > needle.length && word.bytes[needle.length] == '=')
			return strncasecmp(word.bytes, needle.bytes, needle.length) == 0;
		return equals(word, needle.bytes, needle.length);
	default: return equals(word, needle.bytes, needle.length);
	}
}

static bool fits_any(const struct command *command, size_t from, const char *needles) {
	struct slice rest = slice_of(needles), needle;
	while (needles[0] && slice_split(&rest, ' ', &needle)) {
		if (slice_is(needle, ".") && command->count <= from) return true;
		for (size_t i = from; needle.length && i < command->count; i++)
			if (fits(command->words[i].text, needle)) return true;
	}
	return false;
}

/* ---- One rule ---- */

static bool is_option(struct slice word) {
	return word.length > 1 && strchr("-/.~+", word.bytes[0]) != NULL;
}

/* "git clean": each word in turn, options left out. *behind: the words after them begin there. */
static bool is_named(const struct command *command, const char *name, size_t *behind) {
	struct slice rest = slice_of(name), part;
	size_t at = 0;
	if (!slice_split(&rest, ' ', &part) || !slice_is(part, command->program)) return false;
	while (slice_split(&rest, ' ', &part)) {
		bool was_short = false; /* "-C folder": the word behind may belong to it */
		for (at++; at < command->count; at++) {
			struct slice word = command->words[at].text;
			bool is_an_option = word.length && word.bytes[0] == '-';
			if (!is_an_option && (equals(word, part.bytes, part.length) || !was_short)) break;
			was_short = is_an_option && word.length == 2;
		}
		if (at >= command->count || !equals(command->words[at].text, part.bytes, part.length))
			return false;
	}
	*behind = at + 1;
	return true;
}

/* Words that are also of ordinary language: "mount the camera", "kill the process". */
static bool is_meant(const struct judging *judging, const struct command *command, size_t behind) {
	if (judging->is_command) return true;
	return behind < command->count && is_option(command->words[behind].text);
}

static bool judge_rules(struct judging *judging, const struct command *command) {
	size_t behind = 1;
	for (const struct command_rule *rule = command_rules; rule->name; rule++) {
		if (rule->name[0] != command->program[0] || !is_named(command, rule->name, &behind))
			continue;
		if (rule->is_word && !is_meant(judging, command, behind)) continue;
		if (rule->when == COMMAND_WITH && !fits_any(command, behind, rule->needles)) continue;
		if (rule->when == COMMAND_UNLESS && fits_any(command, behind, rule->needles)) continue;
		return found(judging, rule->name, rule->what);
	}
	return false;
}

/* ---- What runs something else ---- */

static void look_later(struct judging *judging, struct slice line) {
	if (judging->last < LINES) judging->lines[judging->last++] = line;
	else judging->is_full = true;
}

static bool judge_shell(struct judging *judging, const struct command *command) {
	if (!strcmp(command->program, "su") && command->count == 1 && judging->is_command)
		return found(judging, "su", "asks for privileges");
	bool takes_names = !strcmp(command->program, "su") || !strcmp(command->program, "script");
	for (size_t i = 1; i < command->count; i++) {
		struct slice word = command->words[i].text;
		bool is_option = word.length && word.bytes[0] == '-';
		if (!is_option && !takes_names) break; /* a file and its arguments */
		if (has_letter(word, 'c') && i + 1 < command->count)
			look_later(judging, command->words[i + 1].text);
		if (has_letter(word, 'i') && word.length <= 4 && !takes_names)
			return found(judging, command->program, "gives away a shell");
	}
	return false;
}

static bool judge_code(struct judging *judging, const struct command *command) {
	for (size_t i = 1; i < command->count; i++)
		for (const char *const *part = command_code; *part; part++)
			if (contains(command->words[i].text, *part, strlen(*part)))
				return found(judging, command->program, "runs code that reaches out of it");
	return false;
}

static bool runs_code(const struct command *command, const struct command_interpreter *interpreter) {
	if (fits_any(command, 1, interpreter->words)) return true;
	for (size_t i = 1; i < command->count; i++)
		for (const char *letter = interpreter->letters; *letter; letter++)
			if (has_letter(command->words[i].text, *letter)) return true;
	return false;
}

static bool judge_interpreter(struct judging *judging, const struct command *command) {
	for (const struct command_interpreter *each = command_interpreters; each->name; each++)
		if (strncmp(command->program, each->name, strlen(each->name)) == 0 &&
			runs_code(command, each))
			return judge_code(judging, command);
	return false;
}

static bool is_one_of(const char *word, const char *const *words) {
	for (; *words; words++)
		if (strcmp(word, *words) == 0) return true;
	return false;
}

static bool judge_command(struct judging *judging, struct command *command);

/* Which words are a wrapper's own options is not known: its command may begin at any of the next ones. */
static bool judge_wrapped(
	struct judging *judging, const struct command *command, size_t from, bool is_mass) {
	bool was_mass = judging->is_mass, is_found = false;
	if (judging->depth == NESTED) return found(judging, command->program, "nests commands too deep");
	judging->is_mass = is_mass || was_mass;
	judging->depth++;
	size_t end = from + WRAPPED;
	for (size_t i = from; i < command->count && i < end && !is_found; i++) {
		struct slice word = command->words[i].text;
		struct command inner = {.words = command->words + i, .count = command->count - i};
		shell_program(word, inner.program);
		if (word.length && memchr(word.bytes, ' ', word.length)) look_later(judging, word);
		if (!strcmp(inner.program, "xargs") || !strcmp(inner.program, "parallel"))
			judging->is_mass = true;
		bool is_wrapper = is_one_of(inner.program, command_wrappers); /* its words are among ours */
		if (is_wrapper || !word.length || word.bytes[0] == '-' ||
			memchr(word.bytes, '=', word.length))
			end++;
		is_found = judge_command(judging, &inner);
	}
	judging->depth--;
	judging->is_mass = was_mass;
	return is_found;
}

static bool judge_found(struct judging *judging, const struct command *command) {
	for (size_t i = 1; i < command->count; i++) {
		struct slice word = command->words[i].text;
		if (!slice_is(word, "-exec") && !slice_is(word, "-execdir") && !slice_is(word, "-ok") &&
			!slice_is(word, "-okdir"))
			continue;
		return judge_wrapped(judging, command, i + 1, true);
	}
	return false;
}

/* ---- One command ---- */

static bool is_pattern(const struct shell_word *word) {
	return word->is_glob && word->text.length && word->text.bytes[0] == '/';
}

/* Four digits with a first one that gives the owner's rights to who runs it. */
static bool is_setuid(const struct command *command) {
	for (size_t i = 1; i < command->count; i++) {
		struct slice word = command->words[i].text;
		uint64_t mode;
		if (slice_number(word, 99999, &mode) && mode >= 2000) return true;
	}
	return false;
}

static bool judge_command(struct judging *judging, struct command *command) {
	static const char *const mass[] = {"rm", "unlink", "shred", "rmdir", "del", NULL};
	if (judging->is_command && is_pattern(&command->words[0]) && command->count > 1)
		return found(judging, "", "names its program by a pattern");
	for (const char *const *option = command_options; *option; option++)
		if (slice_starts_with(command->words[0].text, *option))
			return found(judging, *option, "runs another command inside");
	if (judging->is_mass && is_one_of(command->program, mass))
		return found(judging, command->program, "deletes more than one file");
	if (strncmp(command->program, "mkfs", 4) == 0)
		return found(judging, "mkfs", "writes to a disk itself");
	if (!strcmp(command->program, "chmod") && is_setuid(command))
		return found(judging, "chmod", "asks for privileges");
	if (judge_rules(judging, command)) return true;
	if (is_one_of(command->program, command_shells) && judge_shell(judging, command)) return true;
	if (strcmp(command->program, "find") == 0 && judge_found(judging, command)) return true;
	return judge_interpreter(judging, command);
}

bool validator_command_is_variable(const char *name) { return is_one_of(name, command_variables); }

/* NAME=value before a program. */
static bool is_assignment(struct slice word, char name[SHELL_PROGRAM]) {
	size_t length = 0, i = 0;
	for (; i < word.length && word.bytes[i] != '='; i++) {
		char octet = word.bytes[i];
		bool is_letter = (octet >= 'A' && octet <= 'Z') || (octet >= 'a' && octet <= 'z');
		if (!is_letter && octet != '_' && !(i > 0 && octet >= '0' && octet <= '9')) return false;
		if (octet != '_' && length < SHELL_PROGRAM - 1)
			name[length++] = is_letter ? (char)(octet | 0x20) : octet;
	}
	name[length] = '\0';
	return i > 0 && i < word.length;
}

static bool judge_one(struct judging *judging, const struct shell_word *words, size_t count) {
	char name[SHELL_PROGRAM];
	static const char *const setters[] = {"env", "export", "set", "declare", "typeset", "setx", NULL};
	struct command command = {.words = words, .count = count};
	while (command.count && is_assignment(command.words[0].text, name)) {
		if (validator_command_is_variable(name))
			return found(
				judging, "", "sets a variable that makes programs load or run something");
		command.words++;
		command.count--;
	}
	if (!command.count) return false;
	shell_program(command.words[0].text, command.program);
	for (size_t i = 1; is_one_of(command.program, setters) && i < command.count; i++)
		if (is_assignment(command.words[i].text, name) && validator_command_is_variable(name))
			return found(
				judging, "", "sets a variable that makes programs load or run something");
	if (judge_command(judging, &command)) return true;
	if (!is_one_of(command.program, command_wrappers)) return false;
	/* "Time to go": prose begins like that, commands do not. */
	char first = command.words[0].text.bytes[0];
	if (!judging->is_command && first >= 'A' && first <= 'Z') return false;
	bool is_mass = !strcmp(command.program, "xargs") || !strcmp(command.program, "parallel");
	return judge_wrapped(judging, &command, 1, is_mass);
}

static bool judge_words(struct judging *judging, const struct shell_words *words) {
	size_t from = 0;
	for (size_t i = 1; i <= words->count; i++) {
		if (i < words->count && !words->items[i].begins) continue;
		if (judge_one(judging, words->items + from, i - from)) return true;
		from = i;
	}
	if (!words->has_failed && !(words->is_cut && judging->is_command)) return false;
	return found(judging, "", "is too long to be looked at");
}

bool validator_command_judge(const struct shell_words *words, bool is_command, struct arena *arena,
	struct command_finding *finding) {
	struct judging judging = {.is_command = is_command, .finding = finding};
	if (judge_words(&judging, words)) return true;
	while (judging.first < judging.last) {
		struct shell_words inner;
		shell_words_clear(&inner);
		judging.is_command = true;
		judging.is_mass = false;
		shell_words_add(&inner, judging.lines[judging.first++], arena);
		if (judge_words(&judging, &inner)) return true;
	}
	return judging.is_full && found(&judging, "", "nests commands too deep");
}
