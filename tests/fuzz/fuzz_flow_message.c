/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: the messages of MCP Flow, of clients and of servers that lead sessions by themselves. What is refused
 * has a code and a sentence; a message that is passed on is JSON, has the id it was given and not the one it had, and
 * everything else as it came.
 */
#include "flow/flow_message.h"

#include <stdlib.h>

#define OURS "session_ours"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds) {
	if (!holds) abort();
}

static struct scan_value scanned(const struct text *text) {
	struct scan_value root = {.type = SCAN_NONE};
	struct scan_fault fault;
	require(!text_failed(text) && scan_check(text_slice(text), SCAN_DEPTH + 4, &root, &fault));
	return root;
}

static void try_client(const struct scan_value *root, struct arena *arena) {
	struct flow_start start;
	struct flow_response response;
	struct flow_refusal refusal = {0};
	struct slice id;
	AUTO_TEXT struct text sent = {0};
	if (flow_message_start(root, arena, &start, &refusal)) {
		flow_write_start(&sent, &start, start.tool);
		const struct scan_value other = scanned(&sent);
		struct flow_start again;
		require(flow_message_start(&other, arena, &again, &refusal) && slice_equal(again.tool, start.tool));
		require(again.timeout_ms == start.timeout_ms && slice_equal(again.initial_params, start.initial_params));
	} else require(refusal.code && refusal.message[0]);
	refusal = (struct flow_refusal){0};
	require(flow_message_session(root, arena, &id, &refusal) == (refusal.code == 0));
	refusal = (struct flow_refusal){0};
	require(flow_message_respond(root, arena, &response, &refusal) == (refusal.code == 0));
	(void)flow_message_reason(root, arena);
}

static void try_renamed(const struct scan_value *root, struct arena *arena) {
	AUTO_TEXT struct text renamed = {0};
	struct scan_value id, value;
	struct scan_walk walk;
	struct scan_member member;
	flow_write_renamed(&renamed, root, SLICE(OURS));
	const struct scan_value other = scanned(&renamed);
	require(other.type == SCAN_OBJECT);
	bool had_id = scan_find(root, "sessionId", &id);
	require(had_id == scan_find(&other, "sessionId", &value));
	if (had_id) require(slice_is(value.text, "\"" OURS "\""));
	require(!scan_find(&other, "_meta", &value) && !scan_find(&other, "resultType", &value));
	for (scan_open(&walk, root); scan_next(&walk, &member);) {
		if (scan_key_is(&member, "prompt")) require(scan_find(&other, "prompt", &value));
		if (scan_key_is(&member, "result")) require(scan_find(&other, "result", &value));
	}
	(void)arena;
}

/* Of words in which an id stands nothing of it is left, unless ours brings it in again. */
static void try_words(const struct scan_value *root, struct arena *arena) {
	struct slice id, words;
	struct scan_value value;
	AUTO_TEXT struct text clean = {0};
	if (!flow_message_server_id(root, arena, &id)) return;
	require(id.length && id.length <= FLOW_SERVER_ID);
	if (!scan_find(root, "message", &value) || value.type != SCAN_STRING || !scan_string(&value, arena, &words)) return;
	flow_write_words(&clean, words, id, SLICE("\x01"));
	require(!text_failed(&clean) && clean.length <= words.length + words.length / id.length);
	if (!memchr(id.bytes, 1, id.length) && clean.length)
		require(memmem(clean.bytes, clean.length, id.bytes, id.length) == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct slice json = slice_make((const char *)data, size);
	struct scan_value root;
	struct scan_fault fault;
	struct arena arena;
	enum flow_method method;
	if (flow_method_read(json, &method)) require(slice_is(json, flow_method_name(method)));
	if (!scan_check(json, SCAN_DEPTH, &root, &fault) || root.type != SCAN_OBJECT) return 0;
	arena_init(&arena, NULL, 0, 0);
	try_client(&root, &arena);
	try_renamed(&root, &arena);
	try_words(&root, &arena);
	arena_finish(&arena);
	return 0;
}
