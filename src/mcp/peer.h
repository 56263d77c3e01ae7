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

#include "net/loop.h"
#include "wire/jsonrpc.h"

#define PEER_CALLS 4096
#define PEER_QUESTIONS 1024
#define PEER_TAG 257        /* octets of a tag, and NUL */
#define PEER_PATIENCE 30000 /* ms of a call that names no deadline */

struct peer;
struct peer_call;
struct peer_question;

struct peer_events {
	/* One message leaves now, or is queued. `about`: the tag of the question that it answers or
	 * tells about, or what the request says it is about, else SLICE_NONE. `sent`, PEER_TAG octets,
	 * takes the tag under which it leaves; it is an empty string before. False: it was not sent,
	 * and why says so. */
	bool (*send)(void *context, struct slice message, struct slice about, char *sent,
		struct fault *why);
	/* A call of ours ends unanswered. True: the message of that tag had not left yet and never will,
	 * so the other side need not hear of a cancel. May be NULL. */
	bool (*recalled)(void *context, struct slice sent);
	/* A request: the question is the callee's until it answers it; `request` is borrowed until the
	 * return. */
	void (*asked)(void *context, struct peer_question *question, const struct jsonrpc *request);
	/* A notification that is neither a cancel nor the progress of a call; may be NULL. */
	void (*told)(void *context, const struct jsonrpc *notification);
	/* Nobody waits for that question any more; it is still to be answered (and its answer goes
	 * nowhere). May be NULL. */
	void (*cancelled)(void *context, struct peer_question *question);
};

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

/* ---- Calls ---- */

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

struct peer_request {
	struct slice method;
	struct slice params;         /* JSON text of an object; bytes NULL: none */
	struct slice about;          /* the label it refers to, passed to `send`; bytes NULL: none */
	uint64_t deadline_ms;        /* 0: PEER_PATIENCE; UINT64_MAX: none */
	peer_answered *answered;
	peer_progressed *progressed; /* not NULL: a progress token is put into params._meta */
	void *context;
};

/* The call is valid until `answered` was called. */
struct peer_call *peer_ask(struct peer *peer, const struct peer_request *request,
	struct fault *why) MUST_USE;
/* Gives up, telling the other side; `answered` is not called any more. */
void peer_cancel(struct peer_call *call, struct slice reason);
/* Ends the call that left under that tag, as if it had been answered so. False: there is none. */
bool peer_fail(struct peer *peer, struct slice sent, const struct peer_reply *reply,
	const struct fault *why);
bool peer_tell(struct peer *peer, struct slice method, struct slice params,
	struct fault *why) MUST_USE;
size_t peer_calls(const struct peer *peer); /* open ones */
size_t peer_questions(const struct peer *peer);
void *peer_context(const struct peer *peer);

/* ---- Questions ---- */

/* Each takes the question. `result` and `data` are JSON text. */
void peer_answer(struct peer_question *question, struct slice result);
void peer_refuse(struct peer_question *question, int64_t code, struct slice message,
	struct slice data);
/* Progress toward who asked, where it wants any. total 0: not known; message may be SLICE_NONE. */
void peer_progress(struct peer_question *question, double progress, double total,
	struct slice message);
bool peer_is_cancelled(const struct peer_question *question);
struct slice peer_question_tag(const struct peer_question *question);
struct peer *peer_question_peer(const struct peer_question *question); /* NULL: it was closed */
/* A pointer of whoever answers. */
void peer_question_set(struct peer_question *question, void *context);
void *peer_question_context(const struct peer_question *question);

#endif
