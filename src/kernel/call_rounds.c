/* SPDX-License-Identifier: Apache-2.0 */
/* Call rounds: hashes of who, what and the state that the next round has to bring. */
#include "kernel/call_rounds.h"

#include "base/map.h"
#include "mcp/mcp_modern.h"

#include <stdlib.h>

struct round {
	struct link link; /* the oldest first */
	uint64_t until;   /* loop ms */
	uint8_t hash[SECRET_HASH_SIZE];
};

struct call_rounds {
	struct map by_hash;
	struct link order;
};

struct call_rounds *call_rounds_open(struct fault *why) {
	struct call_rounds *rounds = calloc(1, sizeof *rounds);
	if (!rounds) return fault_null(why, FAULT_NO_MEMORY, "no memory for calls");
	map_init(&rounds->by_hash);
	list_init(&rounds->order);
	return rounds;
}

static void forget(struct call_rounds *rounds, struct round *round) {
	(void)map_remove(&rounds->by_hash, slice_make(round->hash, sizeof round->hash));
	list_remove(&round->link);
	free(round);
}

void call_rounds_close(struct call_rounds *rounds) {
	if (!rounds) return;
	while (!list_is_empty(&rounds->order)) forget(rounds, CONTAINER_OF(rounds->order.next, struct round, link));
	map_finish(&rounds->by_hash);
	free(rounds);
}

static bool digest_of(const struct call *call, uint8_t digest[SECRET_HASH_SIZE]) {
	static const char end = '\0';
	const struct slice between = slice_make(&end, 1);
	const struct slice parts[] = {call->asker.principal, between, hosted_id(call->hosted), between, call->name, between,
		call->arguments.text};
	return secret_hash_parts(parts, COUNT_OF(parts), digest);
}

/* `state`: requestState as JSON text. */
static bool hash_of(const uint8_t digest[SECRET_HASH_SIZE], struct slice state, uint8_t hash[SECRET_HASH_SIZE]) {
	const struct slice parts[] = {slice_make(digest, SECRET_HASH_SIZE), state};
	return secret_hash_parts(parts, COUNT_OF(parts), hash);
}

void call_rounds_mark(struct call *call) { call->is_marked = digest_of(call, call->approved); }

void call_rounds_note(struct call_rounds *rounds, const struct call *call, struct slice result) {
	const struct scan_value value = {.text = result, .type = result.length ? SCAN_OBJECT : SCAN_NONE};
	struct scan_value state;
	uint64_t now = loop_now(call->governed->means->loop);
	if (!call->is_marked || value.type == SCAN_NONE || !mcp_modern_wants_input(&value) ||
		!scan_find(&value, "requestState", &state))
		return;
	while (!list_is_empty(&rounds->order)) {
		struct round *oldest = CONTAINER_OF(rounds->order.next, struct round, link);
		if (oldest->until > now && rounds->by_hash.count < CALL_ROUNDS) break;
		forget(rounds, oldest);
	}
	struct round *round = calloc(1, sizeof *round);
	if (!round) return;
	round->until = now + CALL_ROUND_MS;
	/* The same again is there already; without memory the next round is asked about. */
	if (hash_of(call->approved, state.text, round->hash) &&
		map_add(&rounds->by_hash, slice_make(round->hash, sizeof round->hash), round, NULL))
		list_append(&rounds->order, &round->link);
	else
		free(round);
}

bool call_rounds_take(struct call_rounds *rounds, const struct call *call) {
	const struct scan_value params = {.text = call->inner.params, .type = call->inner.params.length ? SCAN_OBJECT : SCAN_NONE};
	struct scan_value state;
	uint8_t digest[SECRET_HASH_SIZE], hash[SECRET_HASH_SIZE];
	if (!rounds->by_hash.count || params.type == SCAN_NONE || !scan_find(&params, "requestState", &state) ||
		!digest_of(call, digest) || !hash_of(digest, state.text, hash))
		return false;
	struct round *round = map_find(&rounds->by_hash, slice_make(hash, sizeof hash));
	if (!round) return false;
	bool is_good = round->until > loop_now(call->governed->means->loop);
	forget(rounds, round);
	return is_good;
}
