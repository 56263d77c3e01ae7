/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Peer call: what we ask the other side. Each gets an id of its own, a deadline, and one end: the
 * answer, the deadline (which the other side hears of), or the peer's close; the first wins.
 */
#ifndef HUSTINGS_MCP_PEER_CALL_H
#define HUSTINGS_MCP_PEER_CALL_H

#include "mcp/peer_events.h"

/* result: JSON text, or bytes NULL when it is an error. All borrowed during the callback. */
struct peer_reply {
	struct slice result;
	int64_t code;         /* of the error */
	struct slice message; /* of the error */
	struct slice data;    /* of the error, JSON text; bytes NULL: none */
};

/* Exactly once, never before peer_ask() has returned. One of the two is NULL. Any answer is a
 * reply; why: FAULT_TIMEOUT, or what peer_close() or peer_fail() said. */
typedef void peer_answered(void *context, const struct peer_reply *reply, const struct fault *why);
/* notifications/progress of that call; its params, borrowed. */
typedef void peer_progressed(void *context, const struct scan_value *params);
/* A notification of MGP's about that call, whose request_id names it (MGP 12.4, 12.6, 13.4); borrowed. */
typedef void peer_streamed(void *context, struct slice method, const struct scan_value *params);

struct peer_request {
	struct slice method;
	struct slice params;  /* JSON text of an object; bytes NULL: none */
	struct slice about;   /* the label it refers to, passed to `send`; bytes NULL: none */
	uint64_t deadline_ms; /* 0: PEER_PATIENCE; UINT64_MAX: none */
	peer_answered *answered;
	peer_progressed *progressed; /* not NULL: a progress token is put into params._meta */
	peer_streamed *streamed;     /* NULL: such notifications are the peer's as all others */
	void *context;
};

/* The call is valid until `answered` was called. */
struct peer_call *peer_ask(struct peer *peer, const struct peer_request *request,
	struct fault *why) MUST_USE;
/* Gives up, telling the other side; `answered` is not called any more. */
void peer_cancel(struct peer_call *call, struct slice reason);
/* It has that long from now on. */
void peer_extend(struct peer_call *call, uint64_t deadline_ms);
/* Whoever asked does so no more, without a word to the other side: the answer is another's, within that time. */
void peer_leave(struct peer_call *call, uint64_t deadline_ms, peer_answered *answered, void *context);
/* Ends the call that left under that tag, as if it had been answered so. False: there is none. */
bool peer_fail(struct peer *peer, struct slice sent, const struct peer_reply *reply,
	const struct fault *why);
/* The label under which it left; empty where the transport has none. */
struct slice peer_call_tag(const struct peer_call *call);
/* Its JSON-RPC id, by which the other side may speak of it. */
int64_t peer_call_id(const struct peer_call *call);
/* The context of the open call of that id, if it is one whose answer goes to `answered`; NULL: there is none. */
void *peer_call_context(const struct peer *peer, const struct scan_value *id, peer_answered *answered);
size_t peer_calls(const struct peer *peer);                      /* open ones */
bool peer_waits_for(const struct peer *peer, struct slice sent); /* for the one that left under that tag */

/* For mcp/peer.c alone. */
void peer_call_answered(struct peer *peer, const struct jsonrpc *message, struct slice about);
void peer_call_progressed(struct peer *peer, const struct scan_value *params);
bool peer_call_streamed(struct peer *peer, const struct jsonrpc *notification); /* false: about none of ours */
void peer_calls_end(struct peer *peer, const struct fault *why);                /* at its close */

#endif
