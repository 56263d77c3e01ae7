/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validator word: the validators of MGP 4.5 by name. Constant data; any thread.
 */
#ifndef HUSTINGS_VALIDATE_VALIDATOR_WORD_H
#define HUSTINGS_VALIDATE_VALIDATOR_WORD_H

#include "base/dialect.h"
#include "base/slice.h"

enum validator {
	VALIDATOR_NONE,
	VALIDATOR_READONLY,
	VALIDATOR_NETWORK_RESTRICTED,
	VALIDATOR_CODE_SAFETY,
	VALIDATOR_SANDBOX,
	VALIDATORS
};

const char *validator_word(enum validator validator); /* "network_restricted"; static */
bool validator_word_read(struct slice word, enum validator *validator) MUST_USE;

#endif
