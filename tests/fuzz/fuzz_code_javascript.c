/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: JavaScript code, its tokens and the verdict. The tokens end once and lie within the code; code
 * that can be read and is rejected stays rejected when a comment follows it.
 */
#include "kernel/code_safety.h"
#include "kernel/code_token_javascript.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static bool check_tokens(struct slice code) {
	struct code_tokens tokens;
	struct arena arena;
	arena_init(&arena, NULL, 0, 0);
	code_token_init(&tokens, code, &arena);
	code_token_javascript(&tokens);
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

static bool is_rejected(struct slice code, enum code_level level) {
	struct code_rules rules;
	struct code_verdict verdict;
	struct arena arena;
	arena_init(&arena, NULL, 0, 0);
	code_rules_init(&rules);
	rules.level = level;
	rules.max_size = CODE_OCTETS;
	require(code_safety_check_code(&rules, code, CODE_JAVASCRIPT, &arena, &verdict, NULL));
	require(verdict.is_rejected == (verdict.violations.count > 0));
	arena_finish(&arena);
	return verdict.is_rejected;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	AUTO_TEXT struct text longer = {0};
	struct slice code = slice_make(data, size);
	if (size > 16 * 1024) return 0;
	bool is_readable = check_tokens(code);
	bool was_rejected = is_rejected(code, CODE_STANDARD);
	require(is_readable || was_rejected);
	require(!was_rejected || is_rejected(code, CODE_READONLY)); /* what is stricter lets no more through */
	text_init(&longer, 0);
	text_add(&longer, code);
	text_add_cstr(&longer, "\n// eval(");
	if (is_readable && was_rejected) require(is_rejected(text_slice(&longer), CODE_STANDARD));
	return 0;
}
