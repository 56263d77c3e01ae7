/* SPDX-License-Identifier: Apache-2.0 */
/* Peer: sorts what comes: answers to calls, requests to questions, the rest to the owner. */
#include "mcp/peer.h"
#include "mcp/peer_parts.h"

#include "base/ident.h"

#include <stdlib.h>

#define FIRST_ID_BITS 47 /* every JSON reader keeps whole numbers of 53 bits */

static int64_t first_id(void) {
	uint64_t drawn;
	ident_random(&drawn, sizeof drawn);
	return (int64_t)(drawn >> (64 - FIRST_ID_BITS)) + 1;
}

struct peer *peer_open(struct loop *loop, const struct peer_events *events, void *context,
	struct fault *why) {
	struct peer *peer = calloc(1, sizeof *peer);
	if (!peer) return fault_null(why, FAULT_NO_MEMORY, "no memory for another peer");

	peer->loop = loop;
	peer->events = events;
	peer->context = context;
	peer->next_id = first_id();
	list_init(&peer->calls);
	list_init(&peer->questions);
	return peer;
}

void peer_close(struct peer *peer, const struct fault *why) {
	if (!peer) return;
	peer->is_closing = true;
	peer_questions_end(peer);
	peer_calls_end(peer, why);
	free(peer);
}

static void take_notification(struct peer *peer, const struct jsonrpc *message) {
	if (slice_is(message->method, "notifications/cancelled"))
		peer_question_cancelled(peer, &message->params);
	else if (slice_is(message->method, "notifications/progress"))
		peer_call_progressed(peer, &message->params);
	else if (!peer_call_streamed(peer, message) && peer->events->told)
		peer->events->told(peer->context, message);
}

void peer_take(struct peer *peer, const struct jsonrpc *message, struct slice tag,
	struct slice about) {
	switch (message->kind) {
	case JSONRPC_REQUEST: peer_question_asked(peer, message, tag, about); break;
	case JSONRPC_NOTIFICATION: take_notification(peer, message); break;
	case JSONRPC_RESULT:
	case JSONRPC_ERROR: peer_call_answered(peer, message, about); break;
	}
}

/* An error that answers nothing must not be answered: two sides would do so for ever. */
static void complain(struct peer *peer, const struct jsonrpc *message, int64_t code,
	const struct fault *why) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	jsonrpc_write_error(&text, message->id.text, code, slice_of(why->text), JSONRPC_PLAIN);
	(void)!peer_send(peer, &text, SLICE_NONE, NULL, NULL);
}

void peer_read(struct peer *peer, struct slice text) {
	char lent[PEER_SCRATCH];
	struct arena arena;
	struct jsonrpc message;
	struct fault why;
	int64_t code = 0;
	arena_init(&arena, lent, sizeof lent, 0);
	if (jsonrpc_read(&message, text, &arena, &code, &why))
		peer_take(peer, &message, SLICE_NONE, SLICE_NONE);
	else
		complain(peer, &message, code, &why);
	arena_finish(&arena);
}

size_t peer_questions(const struct peer *peer) { return peer->question_count; }
void *peer_context(const struct peer *peer) { return peer->context; }
