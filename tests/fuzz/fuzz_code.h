/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz code: what the fuzz targets of code in each language hold it to. */
#ifndef HUSTINGS_FUZZ_CODE_H
#define HUSTINGS_FUZZ_CODE_H

#include "validate/code_safety.h"
#include "validate/code_token.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

/* Fills the tokens, as the language's own function does. */
typedef void fuzz_code_read(struct code_tokens *tokens);

/* The tokens end once and lie within the code. True: the code can be read. */
static bool check_tokens(struct slice code, fuzz_code_read *read) {
	struct code_tokens tokens;
	struct arena arena;
	arena_init(&arena, NULL, 0, 0);
	code_token_init(&tokens, code, &arena);
	read(&tokens);
	require(tokens.count > 0 && tokens.items[tokens.count - 1].type == CODE_END);
	for (size_t i = 0; i < tokens.count; i++) {
		require(tokens.items[i].at <= code.length);
		require(tokens.items[i].type != CODE_END || i + 1 == tokens.count);
	}
	bool is_readable = !tokens.trouble;
	code_token_finish(&tokens);
	arena_finish(&arena);
	return is_readable;
}

static bool is_rejected(struct slice code, enum code_language language, enum code_level level) {
	struct code_rules rules;
	struct code_verdict verdict;
	struct arena arena;
	arena_init(&arena, NULL, 0, 0);
	code_rules_init(&rules);
	rules.level = level;
	rules.max_size = CODE_OCTETS;
	require(code_safety_check_code(&rules, code, language, &arena, &verdict, NULL));
	require(verdict.is_rejected == (verdict.violations.count > 0));
	arena_finish(&arena);
	return verdict.is_rejected;
}

#endif
