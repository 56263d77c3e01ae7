/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turn: one request to an MCP server, from asking to its one answer. It waits for the handshake, and
 * goes out in the era of the conversation; a modern server's wish for input becomes questions, and
 * the request goes out again with the replies; a request that the server has not looked at, since
 * it has forgotten our session, goes out once more.
 *
 * Owned by its conversation until `answered` was called or turn_cancel(). As long as questions are
 * open the deadline does not come.
 */
#ifndef HUSTINGS_CLIENT_TURN_H
#define HUSTINGS_CLIENT_TURN_H

#include "mcp/peer_call.h"

#define TURN_ROUNDS 16 /* of wishes for input */

struct conversation;
struct turn;

struct turn_request {
	struct slice method;
	struct slice params;         /* JSON text of an object, checked; bytes NULL: none */
	uint64_t deadline_ms;        /* 0: the conversation's; UINT64_MAX: none */
	peer_answered *answered;     /* exactly once, unless it was cancelled or the conversation closed */
	peer_progressed *progressed; /* may be NULL */
	void *context;
};

/* FAULT_CLOSED: the conversation has ended. */
struct turn *turn_open(struct conversation *conversation, const struct turn_request *request,
	struct fault *why) MUST_USE;
void turn_cancel(struct turn *turn, struct slice reason);

/* For conversation.c alone. */
void turns_start(struct conversation *conversation); /* it is ready */
void turns_end(struct conversation *conversation, const struct fault *why);
void turns_drop(struct conversation *conversation); /* without a word */

#endif
