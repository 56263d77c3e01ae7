/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validator shell: a command line as words, with quotes and backslashes taken away as a shell would.
 *
 * Separators (; | & ` ( ) and line ends) begin a new command. Words are spans of the text, or copies
 * in the arena where something was taken away. Pure.
 */
#ifndef HUSTINGS_VALIDATE_VALIDATOR_SHELL_H
#define HUSTINGS_VALIDATE_VALIDATOR_SHELL_H

#include "base/arena.h"
#include "base/slice.h"

#define SHELL_WORDS 256 /* of one command line; what follows is not read */

struct shell_word {
	struct slice text;
	bool begins;    /* the first of its command */
	bool is_quoted; /* some of it was */
	bool is_glob;   /* has * ? [ outside quotes */
};

struct shell_words {
	struct shell_word items[SHELL_WORDS];
	size_t count;
	bool is_cut;     /* there were more */
	bool has_failed; /* no memory: not all was seen */
};

void shell_words_clear(struct shell_words *words); /* first */
/* Adds the words of a line. */
void shell_words_add(struct shell_words *words, struct slice line, struct arena *arena);
/* Adds one word as it is, as an element of an argument list. */
void shell_words_add_whole(struct shell_words *words, struct slice word, bool begins);

/* "/usr/bin/RM.exe" is "rm": the last part of a path in lower case, without .exe; cut to the room. */
#define SHELL_PROGRAM 32
void shell_program(struct slice word, char program[SHELL_PROGRAM]);

#endif
