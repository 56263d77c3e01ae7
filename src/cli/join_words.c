/* SPDX-License-Identifier: Apache-2.0 */
/* Join words: one table of commands, which is the help as well. */
#include "cli/join_words.h"

#include "cli/nearest.h"

static const struct verb {
	const char *name;
	enum join_verb verb;
	unsigned words; /* that stand apart */
	unsigned least; /* of them, and then of the rest */
	const char *usage;
	const char *help;
} verbs[] = {
	{"help", JOIN_HELP, 0, 0, "", "this list"},
	{"who", JOIN_WHO, 0, 0, "", "who is here"},
	{"tools", JOIN_TOOLS, 1, 0, "[PARTICIPANT]", "what they offer"},
	{"call", JOIN_CALL, 2, 2, "PARTICIPANT TOOL [JSON]", "calls a tool"},
	{"propose", JOIN_PROPOSE, 2, 2, "PARTICIPANT TOOL [JSON]", "proposes a call to those who may make it"},
	{"proposals", JOIN_PROPOSALS, 0, 0, "", "those that wait"},
	{"approve", JOIN_APPROVE, 1, 1, "ID", "makes the proposed call in your name"},
	{"reject", JOIN_REJECT, 1, 1, "ID [REASON]", "says no to a proposal"},
	{"withdraw", JOIN_WITHDRAW, 1, 1, "ID", "takes a proposal of yours back"},
	{"raw", JOIN_RAW, 0, 0, "[ENVELOPE]", "sends an envelope; alone: shows them as they are, or no more"},
	{"quit", JOIN_QUIT, 0, 0, "", "leaves, as Ctrl-D does"},
};

static const struct verb *find(struct slice name, struct fault *why) {
	struct nearest nearest;
	nearest_init(&nearest, name);
	for (size_t i = 0; i < COUNT_OF(verbs); i++) {
		if (slice_is(name, verbs[i].name)) return &verbs[i];
		nearest_try(&nearest, verbs[i].name);
	}
	return fault_null(why, FAULT_BAD_INPUT, "there is no /%.*s%s%s: /help lists all", SLICE_ARGS(name),
		nearest.best ? "; did you mean /" : "", nearest.best ? nearest.best : "");
}

/* The next word of `rest`, blanks around it gone; length 0: there is none. */
static struct slice take_word(struct slice *rest) {
	size_t length = 0;
	*rest = slice_trim(*rest);
	while (length < rest->length && rest->bytes[length] != ' ' && rest->bytes[length] != '\t') length++;
	struct slice word = slice_make(rest->bytes, length);
	*rest = slice_trim(slice_make(rest->bytes + length, rest->length - length));
	return word;
}

static bool read_command(struct slice rest, struct join_words *read, struct fault *why) {
	struct join_words found = {.verb = JOIN_NOTHING};
	const struct verb *verb = find(take_word(&rest), why);
	if (!verb) return false;
	found.verb = verb->verb;
	for (unsigned i = 0; i < verb->words; i++) {
		found.words[i] = take_word(&rest);
		if (found.words[i].length == 0 && i < verb->least)
			return fault_set(why, FAULT_BAD_INPUT, "it goes: /%s %s", verb->name, verb->usage);
	}
	found.rest = rest;
	*read = found;
	return true;
}

bool join_words_read(struct slice line, struct join_words *words, struct fault *why) {
	struct slice trimmed = slice_trim(line);
	if (slice_starts_with(trimmed, "/") && !slice_starts_with(trimmed, "//"))
		return read_command(slice_make(trimmed.bytes + 1, trimmed.length - 1), words, why);
	size_t skipped = slice_starts_with(trimmed, "//") ? 1 : 0;
	*words = (struct join_words){
		.verb = trimmed.length ? JOIN_SAY : JOIN_NOTHING,
		.rest = slice_make(trimmed.bytes + skipped, trimmed.length - skipped),
	};
	return true;
}

void join_words_help(struct text *to) {
	text_add_cstr(to, "What you type is said to everybody. Commands:\n");
	for (size_t i = 0; i < COUNT_OF(verbs); i++)
		text_printf(to, "  /%s %-*s %s\n", verbs[i].name, (int)(34 - strlen(verbs[i].name)),
			verbs[i].usage, verbs[i].help);
	text_add_cstr(to, "An ID may be cut, as long as it is clear which one is meant.\n");
}
