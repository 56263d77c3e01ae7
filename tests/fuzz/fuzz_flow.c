/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: guided sessions as others write them: records, prompts and answers, the params of clients, tokens. What
 * is read is written as JSON of one line, and reads the same; a token that nobody signed opens nothing.
 */
#include "flow/flow_message.h"
#include "flow/flow_token.h"
#include "flow/prompt_schema.h"

#include <stdlib.h>

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

/* ---- Sessions ---- */

static void try_session(const struct flow_session *session) {
	AUTO_TEXT struct text state = {0}, again = {0}, prompt = {0};
	flow_write_state(&state, session, slice_of(session->id));
	(void)scanned(&state);
	flow_write_prompt(&prompt, session, slice_of(session->id));
	(void)scanned(&prompt);
	flow_record_write(&again, session);
	(void)scanned(&again);
	struct flow_session *other = flow_record_read(text_slice(&again), NULL);
	require(other && other->state == session->state && other->turns == session->turns && strcmp(other->id, session->id) == 0);
	require(slice_equal(text_slice(&other->given), text_slice(&session->given)));
	flow_session_free(other);
}

static void try_record(struct slice json, const struct scan_value *root, struct arena *arena) {
	struct flow_session *session = flow_record_read(json, NULL);
	struct flow_response response;
	struct prompt_verdict verdict;
	struct flow_refusal refusal;
	struct scan_value value;
	if (!session) return;
	try_session(session);
	/* A record may bring the answer to its own prompt along. */
	if (!scan_find(root, "params", &value) || !flow_message_respond(&value, arena, &response, &refusal)) {
		flow_session_free(session);
		return;
	}
	enum flow_state before = session->state;
	unsigned turns = session->turns;
	if (flow_session_respond(session, &response, session->active_at, &verdict, &refusal)) {
		require(before == FLOW_WAITING_USER);
		if (verdict.is_valid) {
			require(session->state == FLOW_PROCESSING && session->turns == turns + 1);
			try_session(session);
			require(flow_session_back(session, session->active_at, &refusal) && session->turns == turns);
		}
	}
	try_session(session);
	flow_session_free(session);
}

/* ---- Prompts ---- */

static void try_prompt(const struct scan_value *root, struct arena *arena) {
	struct prompt prompt, again;
	struct prompt_verdict verdict;
	struct scan_value answer = {.type = SCAN_NONE};
	AUTO_TEXT struct text text = {0}, words = {0};
	if (!prompt_read(root, arena, &prompt, NULL)) return;
	prompt_write(&text, &prompt);
	const struct scan_value other = scanned(&text);
	require(prompt_read(&other, arena, &again, NULL) || text.length > PROMPT_OCTETS);
	if (scan_find(root, "answer", &answer) && !prompt_check(&prompt, &answer, arena, &verdict)) return;
	if (answer.type == SCAN_NONE) return;
	require(verdict.is_valid == !verdict.error[0]);
	prompt_write_verdict(&words, &verdict);
	(void)scanned(&words);
}

/* Every prompt of a schema can be put. */
static void try_schema(const struct scan_value *root, struct arena *arena) {
	struct scan_value schema, given = {.type = SCAN_NONE};
	struct prompt prompt;
	AUTO_TEXT struct text text = {0};
	unsigned missing;
	if (!scan_find(root, "inputSchema", &schema)) return;
	if (scan_find(root, "arguments", &given) && given.type != SCAN_OBJECT) return;
	if (prompt_schema_find(&schema, &given, arena, &prompt, &missing) != PROMPT_SCHEMA_ASKS) return;
	require(missing > 0);
	prompt_write(&text, &prompt);
	(void)scanned(&text);
}

/* ---- Params ---- */

static void try_params(const struct scan_value *root, struct arena *arena) {
	struct flow_start start;
	struct flow_refusal refusal = {0};
	struct slice id;
	bool is_start = flow_message_start(root, arena, &start, &refusal);
	require(is_start == (refusal.code == 0));
	if (is_start) require(start.tool.length && start.tool.length <= FLOW_NAME);
	if (!flow_message_session(root, arena, &id, &refusal)) return;
	(void)flow_message_reason(root, arena);
	static const uint8_t octets[FLOW_KEY] = {9};
	struct flow_key key;
	uint8_t spent[SECRET_HASH_SIZE];
	require(flow_key_make(&key, octets));
	require(!flow_token_read(id, &key, SLICE("ann"), 0, spent, &refusal) && refusal.code);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	struct slice json = slice_make((const char *)data, size);
	struct scan_value root;
	struct scan_fault fault;
	struct arena arena;
	if (!scan_check(json, SCAN_DEPTH, &root, &fault) || root.type != SCAN_OBJECT) return 0;
	arena_init(&arena, NULL, 0, 0);
	try_record(json, &root, &arena);
	try_prompt(&root, &arena);
	try_schema(&root, &arena);
	try_params(&root, &arena);
	arena_finish(&arena);
	return 0;
}
