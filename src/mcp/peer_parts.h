/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Peer parts: what the files of a peer share; for mcp/peer*.c alone.
 */
#ifndef HUSTINGS_MCP_PEER_PARTS_H
#define HUSTINGS_MCP_PEER_PARTS_H

#include "base/list.h"
#include "mcp/peer.h"

#define PEER_SCRATCH 2048 /* octets of an arena's lent block on the stack */

struct peer {
	struct loop *loop;
	const struct peer_events *events;
	void *context;
	struct link calls;     /* in the order they left */
	struct link questions;
	size_t call_count;
	size_t question_count;
	int64_t next_id;
	bool is_closing;     /* nothing leaves any more */
};

struct peer_call {
	struct link link;
	struct peer *peer;
	struct deadline deadline;
	int64_t id;
	peer_answered *answered;
	peer_progressed *progressed;
	void *context;
	bool may_cancel;     /* `initialize` must not be (MCP lifecycle) */
	char sent[PEER_TAG];
};

struct peer_question {
	struct link link;
	struct peer *peer;           /* NULL: it was closed */
	bool is_cancelled;
	struct slice id;             /* JSON text; these three lie behind the struct */
	struct slice tag;
	struct slice progress_token; /* JSON text; bytes NULL: none wanted */
	void *context;
};

bool peer_send(struct peer *peer, const struct text *message, struct slice about, char *sent,
	struct fault *why) MUST_USE;
void peer_call_answered(struct peer *peer, const struct jsonrpc *message, struct slice about);
void peer_call_progressed(struct peer *peer, const struct scan_value *params);
void peer_question_asked(struct peer *peer, const struct jsonrpc *request, struct slice tag);
void peer_question_cancelled(struct peer *peer, const struct scan_value *params);
/* At the peer's close. */
void peer_calls_end(struct peer *peer, const struct fault *why);
void peer_questions_end(struct peer *peer);

#endif
