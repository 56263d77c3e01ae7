/* SPDX-License-Identifier: Apache-2.0 */
/* Validator word: one array. */
#include "validate/validator_word.h"

static const char *const words[VALIDATORS] = {
	[VALIDATOR_NONE] = "none",
	[VALIDATOR_READONLY] = "readonly",
	[VALIDATOR_NETWORK_RESTRICTED] = "network_restricted",
	[VALIDATOR_CODE_SAFETY] = "code_safety",
	[VALIDATOR_SANDBOX] = "sandbox",
};

const char *validator_word(enum validator validator) { return words[validator]; }

bool validator_word_read(struct slice word, enum validator *validator) {
	for (size_t i = 0; i < VALIDATORS; i++) {
		if (!slice_is(word, words[i])) continue;
		*validator = (enum validator)i;
		return true;
	}
	return false;
}
