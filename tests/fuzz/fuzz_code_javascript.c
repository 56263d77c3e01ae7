/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: JavaScript code, its tokens and the verdict. The tokens end once and lie within the code; code
 * that can be read and is rejected stays rejected when a comment follows it.
 */
#include "fuzz_code.h"
#include "validate/code_token_javascript.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	AUTO_TEXT struct text longer = {0};
	struct slice code = slice_make(data, size);
	if (size > 16 * 1024) return 0;
	bool is_readable = check_tokens(code, code_token_javascript);
	bool was_rejected = is_rejected(code, CODE_JAVASCRIPT, CODE_STANDARD);
	require(is_readable || was_rejected);
	require(!was_rejected || is_rejected(code, CODE_JAVASCRIPT, CODE_READONLY)); /* what is stricter lets no more through */
	text_init(&longer, 0);
	text_add(&longer, code);
	text_add_cstr(&longer, "\n// eval(");
	if (is_readable && was_rejected) require(is_rejected(text_slice(&longer), CODE_JAVASCRIPT, CODE_STANDARD));
	return 0;
}
