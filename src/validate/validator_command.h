/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validator command: whether a command line does what a sandboxed tool may not (MGP 4.5): deletes
 * recursively, writes to disks, asks for privileges, gives away a shell, runs what it fetches. Commands
 * inside commands (sh -c, find -exec, xargs, env) are looked at too. Pure.
 */
#ifndef HUSTINGS_VALIDATE_VALIDATOR_COMMAND_H
#define HUSTINGS_VALIDATE_VALIDATOR_COMMAND_H

#include "validate/validator_shell.h"

struct command_finding {
	char program[SHELL_PROGRAM]; /* "" where none is named */
	const char *what;            /* "deletes more than one file"; static */
};

/* The first thing found. `is_command`: the words are a command for certain, not perhaps prose. */
bool validator_command_judge(const struct shell_words *words, bool is_command, struct arena *arena,
	struct command_finding *finding) MUST_USE;
/* Whether a name, in lower case and without marks ("ldpreload"), is of a variable that makes programs load or
 * run something. */
bool validator_command_is_variable(const char *name);

#endif
