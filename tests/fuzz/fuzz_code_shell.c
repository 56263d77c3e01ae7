/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: Shell code, its tokens and the verdict. The tokens end once and lie within the code; code
 * that can be read and is rejected stays rejected when a comment follows it.
 */
#include "fuzz_code.h"
#include "validate/code_token_shell.h"

/* What runs within it lies in the code or in the arena. */
static void see(void *context, struct slice code) {
	size_t *octets = context;
	for (size_t i = 0; i < code.length; i++) *octets += code.bytes[i] != 0;
}

static void read_tokens(struct code_tokens *tokens) {
	size_t octets = 0;
	code_token_shell(tokens, see, &octets);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	AUTO_TEXT struct text longer = {0};
	struct slice code = slice_make(data, size);
	if (size > 16 * 1024) return 0;
	bool is_readable = check_tokens(code, read_tokens);
	bool was_rejected = is_rejected(code, CODE_SHELL, CODE_STANDARD);
	require(is_readable || was_rejected);
	require(!was_rejected || is_rejected(code, CODE_SHELL, CODE_READONLY)); /* what is stricter lets no more through */
	text_init(&longer, 0);
	text_add(&longer, code);
	text_add_cstr(&longer, "\n# eval");
	bool is_open = size > 0 && memmem(data, size, "<<", 2); /* the comment is a document's */
	if (is_readable && was_rejected && !is_open) require(is_rejected(text_slice(&longer), CODE_SHELL, CODE_STANDARD));
	return 0;
}
