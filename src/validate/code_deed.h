/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code deed: what one command of a shell does by itself: to files, to secrets, through options that run
 * something. Who it runs is code_command.h's matter. Plain values that borrow everything.
 */
#ifndef HUSTINGS_VALIDATE_CODE_DEED_H
#define HUSTINGS_VALIDATE_CODE_DEED_H

#include "validate/code_judge.h"

struct code_command {
	const struct slice *words; /* each with CODE_SHELL_FROM and CODE_SHELL_TO where it is not known */
	size_t count;
	bool is_piped;      /* its input is another command's output */
	struct slice input; /* of a here-document or a here-string; SLICE_NONE: neither */
	bool is_process;    /* one of the words is <(...) */
	unsigned depth;     /* of commands in commands */
	/* Names that the code itself defines. */
	bool (*is_own)(void *context, struct slice name);
	/* Assigned in the code, though not to something known. */
	bool (*is_assigned)(void *context, struct slice variable);
	void (*inner)(void *context, enum code_language language, struct slice code);
	void *context;
};

struct code_deed {
	struct code_judge *judge;
	const struct code_command *command;
	const struct slice *words; /* the command's and its arguments */
	size_t count;
	struct slice name; /* without its folder */
};

void code_deed_judge(const struct code_deed *deed);
/* A file that output goes to. */
void code_deed_output(struct code_judge *judge, struct slice file);
/* Any word: files and addresses that nobody harmless asks for. */
void code_deed_word(struct code_judge *judge, struct slice word);
bool code_deed_is_known(struct slice word); /* nothing in it is an expansion */

/* "-x", "-" alone left out. */
bool code_deed_is_option(struct slice word);
/* "-rf" has 'r'; long options have none. */
bool code_deed_has_letter(struct slice word, char letter);
bool code_deed_is_in(struct slice word, const char *const *words, size_t count);
bool code_deed_has_option(const struct code_deed *deed, const char *const *options, size_t count);
#define CODE_DEED_IS_IN(word, words) code_deed_is_in((word), (words), COUNT_OF(words))
#define CODE_DEED_HAS_OPTION(deed, options) code_deed_has_option((deed), (options), COUNT_OF(options))

#endif
