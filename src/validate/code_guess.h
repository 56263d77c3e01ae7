/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code guess: which languages a text may be written in. It errs towards more of them: who hides one
 * language behind the signs of another is read as both. Linear; any thread.
 */
#ifndef HUSTINGS_VALIDATE_CODE_GUESS_H
#define HUSTINGS_VALIDATE_CODE_GUESS_H

#include "validate/code_rules.h"

struct code_guess {
	bool may_be[CODE_LANGUAGES];
	enum code_language clear; /* the only one with a sign that no other language has; CODE_UNSAID: none */
};

struct code_guess code_guess_of(struct slice code);

#endif
