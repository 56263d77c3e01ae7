/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errand: something to be had from another participant: its list of tools, a call of one, any other
 * request. It waits until we are in the room, until the handshake is done, then asks; one deadline
 * over all of it. At the deadline the other side hears notifications/cancelled.
 *
 * Owned by its guest until `done` was called or errand_cancel(); guest_close() frees all of them.
 */
#ifndef HUSTINGS_CLIENT_ERRAND_H
#define HUSTINGS_CLIENT_ERRAND_H

#include "client/guest_options.h"
#include "mcp/mcp_listing.h"
#include "mcp/mgp.h"
#include "mcp/peer.h"

enum errand_kind {
	ERRAND_LIST, /* all pages of tools/list, or what is remembered of it */
	ERRAND_CALL, /* tools/call */
	ERRAND_ASK,  /* any method */
};

struct errand;

/* What came of it; borrowed. reply is set for CALL and ASK (any answer counts, errors too), listing
 * for LIST. */
struct errand_result {
	const struct peer_reply *reply;
	struct mcp_listing *listing;
	struct mgp_agreed mgp; /* with whom was asked */
	int64_t call_id;       /* under which it was asked, by which the other side may still be spoken to */
};
/* Exactly once, never before errand_open() returned, unless errand_cancel() or guest_close() came.
 * One of the two is NULL. why: FAULT_NOT_FOUND (nobody of that id is in the room), FAULT_TIMEOUT,
 * FAULT_CLOSED (it or we left), FAULT_REFUSED (by the gateway, or the handshake by the peer), ... */
typedef void errand_done(void *context, const struct errand_result *result,
	const struct fault *why);

struct errand_options {
	enum errand_kind kind;
	struct slice to;      /* copied, as all that follows */
	struct slice name;    /* the tool, or the method */
	struct slice body;    /* arguments, or params: JSON text of an object; bytes NULL: none */
	struct slice about;   /* the envelope it fulfils (MCPx v0.1 4.2.1); bytes NULL: none */
	uint64_t deadline_ms; /* 0: PEER_PATIENCE; UINT64_MAX: none */
	bool is_fresh;        /* LIST: asks even if it remembers */
	errand_done *done;
	peer_progressed *progressed; /* may be NULL, as the next */
	peer_streamed *streamed;     /* CALL: a stream is asked for, where that was agreed on (MGP 12) */
	/* The other side asks somebody before it lets us (ADR-001: the error -32001), and answers the same request later. It
	 * has until wait_ms from now. NULL: that error is the answer. */
	void (*held)(void *context, struct slice reason, uint64_t wait_ms);
	void *context;
};

/* FAULT_BAD_INPUT: the body is no sound object; FAULT_CLOSED: the room was left. */
struct errand *errand_open(struct guest *guest, const struct errand_options *options,
	struct fault *why) MUST_USE;
/* The envelope in which its call left; empty before. */
struct slice errand_tag(const struct errand *errand);
/* What was agreed on of MGP with whom its call went to, and the call's id there; 0: it has not left. */
int64_t errand_call_id(const struct errand *errand, struct mgp_agreed *mgp);
void errand_cancel(struct errand *errand, struct slice reason);

/* For guest.c and guest_intake.c: we are in the room; it is over. */
void errands_start(struct guest *guest);
void errands_end(struct guest *guest, const struct fault *why);
/* True: what came is such an error, and its errand waits on. */
bool errands_hold(struct guest *guest, struct slice from, const struct jsonrpc *message) MUST_USE;

#endif
