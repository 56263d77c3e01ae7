/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Listening: what an MCP server is to tell by itself: that lists have changed, that resources were
 * updated. A legacy server tells of lists anyway, and of a resource after resources/subscribe; a
 * modern one is asked for all of it by one subscriptions/listen that stays open, and that is
 * replaced when the wishes change, and opened again when the server has closed it.
 *
 * A plain struct in its owner's. One thread.
 */
#ifndef HUSTINGS_CLIENT_LISTENING_H
#define HUSTINGS_CLIENT_LISTENING_H

#include "base/list.h"
#include "mcp/peer_call.h"
#include "net/loop.h"

#define LISTENING_AGAIN_MS 1000 /* doubled up to the next, as long as it is in vain */
#define LISTENING_LONGEST_MS 60000

struct conversation;
struct listening_wish; /* of one resource */
struct listening_stream;
/* Exactly once, unless the wish was taken back before; `why` as with a turn. */
typedef void listening_heard(void *context, const struct peer_reply *reply, const struct fault *why);

struct listening {
	struct loop *loop;
	struct conversation *conversation;
	struct link wishes;
	bool wants_lists;
	bool is_open;                        /* the conversation is ready */
	struct listening_stream *now, *next; /* subscriptions/listen: acknowledged, and not yet */
	uint64_t again_ms;
	struct deadline again;
};

void listening_init(struct listening *listening, struct loop *loop);
/* `wants_lists`: changes of lists are wanted as well. At each `ready`. */
void listening_begin(struct listening *listening, struct conversation *conversation,
	bool wants_lists);
void listening_finish(struct listening *listening);
/* notifications/subscriptions/acknowledged came. */
void listening_acknowledged(struct listening *listening);

/* `heard` may be NULL. The wish is `uri`'s one; a second one for it is FAULT_EXISTS. */
bool listening_subscribe(struct listening *listening, struct slice uri, listening_heard *heard,
	void *context, struct fault *why) MUST_USE;
/* False: there is no such wish. */
bool listening_unsubscribe(struct listening *listening, struct slice uri);
void listening_forget(struct listening *listening, const void *context); /* who waits hears nothing */

#endif
