/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Peer events: how a peer (mcp/peer.h) sends, and what it tells whoever opened it.
 */
#ifndef HUSTINGS_MCP_PEER_EVENTS_H
#define HUSTINGS_MCP_PEER_EVENTS_H

#include "base/fault.h"
#include "base/slice.h"
#include "wire/jsonrpc.h"

#define PEER_CALLS 4096
#define PEER_QUESTIONS 1024
#define PEER_TAG 257        /* octets of a tag, and NUL */
#define PEER_ID 1024        /* octets of an id, or of a progress token, that the other side chose */
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

#endif
