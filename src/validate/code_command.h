/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code command: what one simple command of a shell does: its name and words, quotes gone and variables that
 * are known put in. Commands that run others are looked through. It borrows everything.
 */
#ifndef HUSTINGS_VALIDATE_CODE_COMMAND_H
#define HUSTINGS_VALIDATE_CODE_COMMAND_H

#include "validate/code_deed.h"

/* The command and, in turn, those within it. */
void code_command_judge(struct code_judge *judge, const struct code_command *command);
/* "/usr/bin/rm" as "rm". */
struct slice code_command_name(struct slice word);

#endif
