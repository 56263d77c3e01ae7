/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzz target: capabilities with what they say of MGP. What is written again is JSON, without a word of it unless it
 * was agreed on, and then it reads as that. */
#include "mcp/mgp.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static void write_again(struct slice capabilities, bool is_modern, struct mgp_agreed agreed, struct arena *arena) {
	AUTO_TEXT struct text to = {0};
	struct mgp_said said;
	struct scan_value root;
	struct scan_fault fault;
	const struct mgp_shown shown = {.agreed = agreed, .server_id = SLICE("house"), .trust = MGP_STANDARD};
	text_init(&to, 0);
	mgp_write_capabilities(&to, capabilities, is_modern, &shown);
	require(scan_check(text_slice(&to), SCAN_DEPTH, &root, &fault) && root.type == SCAN_OBJECT);
	require(mgp_read(text_slice(&to), is_modern, arena, &said));
	require((said.version.bytes != NULL) == agreed.is_active && said.extensions == agreed.extensions);
	require(mgp_read(text_slice(&to), !is_modern, arena, &said) && !said.version.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct scan_value root;
	struct scan_fault fault;
	/* The house adds three levels of its own to what a peer may nest. */
	if (!scan_check(slice_make(data, size), SCAN_DEPTH - 3, &root, &fault) || root.type != SCAN_OBJECT) return 0;
	for (int is_modern = 0; is_modern < 2; is_modern++) {
		struct arena arena;
		struct mgp_said said;
		arena_init(&arena, NULL, 0, 0);
		require(mgp_read(root.text, is_modern, &arena, &said));
		struct mgp_agreed agreed = mgp_agree(&said, MGP_SPOKEN);
		require(!agreed.is_active || (said.version.bytes && !mgp_is_foreign(&said)));
		require((agreed.extensions & ~(unsigned)MGP_SPOKEN) == 0 && said.server_id.length <= MGP_SERVER_ID);
		write_again(root.text, is_modern, agreed, &arena);
		write_again(root.text, is_modern, (struct mgp_agreed){0}, &arena);
		arena_finish(&arena);
	}
	return 0;
}
