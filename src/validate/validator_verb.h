/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validator verb: words of operations, methods, modes and commands by what they do. Pure.
 */
#ifndef HUSTINGS_VALIDATE_VALIDATOR_VERB_H
#define HUSTINGS_VALIDATE_VALIDATOR_VERB_H

#include "base/slice.h"
#include "validate/validator_shell.h"

enum verb_kind {
	VERB_UNKNOWN,
	VERB_READS,
	VERB_WRITES,
};

/* "listUsers", "get_item", "DELETE", "findOneAndUpdate", "r+": by the first word, and by any later one that
 * can only mean writing. */
enum verb_kind validator_verb_judge(struct slice text) MUST_USE;
/* The name of a member (in lower case, without marks) that writes when it is true: "overwrite". */
bool validator_verb_is_writing_name(const char *name);
/* Command lines: reads when every command in it is known to read. */
enum verb_kind validator_verb_judge_words(const struct shell_words *words) MUST_USE;

#endif
