/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: a request of an MCP client. What is passed on is JSON again and has nothing of the
 * client's era left in its `_meta`; what a held call is bound to is JSON as well; and a key that
 * stands twice is seen.
 */
#include "gateway/mcp_request.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static bool is_object(struct slice text, struct scan_value *root) {
	struct scan_fault fault;
	return scan_check(text, SCAN_DEPTH, root, &fault) && root->type == SCAN_OBJECT;
}

static void check_params(const struct mcp_request *request) {
	static const char *const own[] = {"progressToken", "io.modelcontextprotocol/protocolVersion",
		"io.modelcontextprotocol/clientInfo", "io.modelcontextprotocol/clientCapabilities",
		"io.modelcontextprotocol/logLevel"};
	struct scan_value root, meta, value;
	if (!request->params.bytes) return;
	require(is_object(request->params, &root));
	if (request->twice || !scan_find(&root, "_meta", &meta) || meta.type != SCAN_OBJECT) return;
	for (size_t i = 0; i < COUNT_OF(own); i++) require(!scan_find(&meta, own[i], &value));
}

static void check_twice(const struct mcp_request *request, struct arena *arena) {
	const struct scan_value *params = &request->message.params;
	bool twins = false;
	if (params->type != SCAN_OBJECT || !request->twice) return;
	require(scan_has_duplicates(params->text, arena, &twins) && twins);
}

static void check_abilities(const struct mcp_request *request) {
	AUTO_TEXT struct text text = {0};
	struct scan_value root;
	text_init(&text, 0);
	unsigned abilities = mcp_request_abilities(request->capabilities);
	mcp_request_write_abilities(&text, abilities);
	require(!text_failed(&text) && is_object(text_slice(&text), &root));
	unsigned again = mcp_request_abilities(text_slice(&text));
	require(!(again & ~abilities) && !again == !abilities);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct mcp_request request;
	struct arena arena;
	struct scan_value root;
	int64_t code;
	arena_init(&arena, NULL, 0, 0);
	if (jsonrpc_read(&request.message, slice_make(data, size), &arena, &code, NULL)) {
		AUTO_TEXT struct text bound = {0};
		text_init(&bound, 0);
		require(mcp_request_read(&request, &arena));
		check_params(&request);
		check_twice(&request, &arena);
		check_abilities(&request);
		mcp_request_write_bound(&bound, &request);
		require(!text_failed(&bound) && is_object(text_slice(&bound), &root));
	}
	arena_finish(&arena);
	return 0;
}
