/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validator command rules: programs and what of them is dangerous. Constant data.
 */
#ifndef HUSTINGS_VALIDATE_VALIDATOR_COMMAND_RULES_H
#define HUSTINGS_VALIDATE_VALIDATOR_COMMAND_RULES_H

#include "base/dialect.h"

enum command_when {
	COMMAND_ALWAYS,
	COMMAND_WITH,   /* a later word fits one of the needles */
	COMMAND_UNLESS, /* none does; "." fits no words at all */
};

/*
 * Needles are separated by blanks. "-x": a cluster of short options with that letter, as it is written;
 * "--word": the option, also with "=..."; "^text": begins with; "~text": contains; "+text": ends with; all
 * else: equal. All but the first without regard to case.
 */
struct command_rule {
	const char *name; /* "git clean": the program and the words that follow it, options left out */
	enum command_when when;
	bool is_word; /* of ordinary language too: outside commands only where options follow */
	const char *needles;
	const char *what; /* "deletes recursively" */
};

extern const struct command_rule command_rules[]; /* ends with a row without a name */

/* Programs that run what follows them. */
extern const char *const command_wrappers[];
/* Options that make programs run something, as a whole argument. */
extern const char *const command_options[];
/* Programs that run the word behind -c as a command line. */
extern const char *const command_shells[];
/* Programs that run a word as code: the option is one of `letters` or `words`. */
struct command_interpreter {
	const char *name; /* a beginning: "python" is "python3.11" too */
	const char *letters;
	const char *words;
};
extern const struct command_interpreter command_interpreters[];
/* What such code does not hold. */
extern const char *const command_code[];
/* Variables that make programs load or run something. */
extern const char *const command_variables[];

#endif
