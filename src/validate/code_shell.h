/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code shell: judges shell code: the commands it runs, those within commands (env, xargs, find -exec), what
 * is handed to interpreters, and where output goes. Code in substitutions, and strings and documents that
 * are run, are handed to `nested` with their language. Strings made by the check lie in the arena. False:
 * no memory.
 */
#ifndef HUSTINGS_VALIDATE_CODE_SHELL_H
#define HUSTINGS_VALIDATE_CODE_SHELL_H

#include "base/map.h"
#include "validate/code_judge.h"

/* What all pieces of shell code of one check define: variables and functions. Its tables alone are its
 * own. */
struct code_shell_names {
	struct map variables;
	struct map functions;
};
void code_shell_names_init(struct code_shell_names *names);
void code_shell_names_finish(struct code_shell_names *names);

typedef void code_shell_inner(void *context, enum code_language language, struct slice code);

bool code_shell_check(struct code_judge *judge, struct slice code, struct arena *arena,
	struct code_shell_names *names, code_shell_inner *inner, void *context) MUST_USE;

#endif
