/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Peer: the other side of a JSON-RPC conversation, over any transport that carries whole messages
 * both ways: a child's pipes, an HTTP session, the envelopes of a room (MCPx v0 4.1).
 *
 * A call is what we ask: it gets an id of its own, a deadline, and one end: the answer, the
 * deadline (which also tells the other side, by notifications/cancelled), or the peer's close; the
 * first wins. A question is what we are asked: whoever gets one answers it once, now or later.
 * Ids of calls are whole numbers that begin at a random one, so that two conversations of one
 * identity do not meet.
 *
 * Transports that label messages (envelopes have an id) pass labels through as tags: the one under
 * which a request came goes back with its answer, the one under which a call left is compared with
 * the one that its answer names.
 *
 * Owned: peer_open() and peer_close(). One thread. Callbacks may close the peer. Bounded:
 * PEER_CALLS and PEER_QUESTIONS at a time.
 */
#ifndef HUSTINGS_MCP_PEER_H
#define HUSTINGS_MCP_PEER_H

#include "mcp/peer_call.h"
#include "mcp/peer_question.h"
#include "mcp/peer_send.h"
#include "net/loop.h"

struct peer *peer_open(struct loop *loop, const struct peer_events *events, void *context,
	struct fault *why) MUST_USE;
/* Every open call ends with `why`, every open question is cancelled; nothing is sent. NULL is fine. */
void peer_close(struct peer *peer, const struct fault *why);

/* A message came. `tag`: its label; `about`: the label it names as the one it answers. Both may be
 * SLICE_NONE. What fits no call is dropped. */
void peer_take(struct peer *peer, const struct jsonrpc *message, struct slice tag,
	struct slice about);
/* The same for the text of one message; what is no JSON-RPC is answered with an error. */
void peer_read(struct peer *peer, struct slice text);

size_t peer_questions(const struct peer *peer); /* open ones */
void *peer_context(const struct peer *peer);

#endif
