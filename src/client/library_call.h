/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Library call: what stands behind `struct hustings_call`, whoever is asked, and how answers are told;
 * for client/library*.c alone. It stands in the list of its room or server until it has ended.
 */
#ifndef HUSTINGS_CLIENT_LIBRARY_CALL_H
#define HUSTINGS_CLIENT_LIBRARY_CALL_H

#include "base/list.h"
#include "hustings.h"
#include "mcp/mcp_items.h"
#include "mcp/mcp_listing.h"
#include "mcp/peer_call.h"
#include "net/deadline.h"

struct conversation;

struct hustings_call {
	struct link link;
	void (*cancel)(struct hustings_call *call, struct slice reason); /* of its way alone */
	void *way;                                                       /* an errand, a turn, ... */
	char *again;                                                     /* params of a tools/call, to be asked again once the tools were listed; NULL: not */
	uint64_t deadline;
	char *owner;                    /* of the tool, in a room; NULL: no such call, as with the next */
	char *authorization;            /* what is asked of others first (client/authorization_outcome.h) */
	int64_t asked_as;               /* the id under which it was asked for */
	struct deadline waiting;        /* for what becomes of that */
	uint64_t ends_at;               /* monotonic ms; 0: not said; UINT64_MAX: never */
	struct hustings_server *server; /* NULL: a room's */
	struct hustings_room *room;     /* NULL: a server's */
	hustings_answered *answered;    /* one of these three */
	hustings_listed *listed;
	hustings_items_listed *items_listed;
	hustings_progressed *progressed; /* may be NULL */
	void *context;
};

/* A copy of the model, in the list. NULL: no memory, told by `error`. */
struct hustings_call *library_call_make(struct link *list, const struct hustings_call *model,
	struct hustings_error *error) MUST_USE;
void library_call_free(struct hustings_call *call);

/* Each ends the call: frees it, then tells. One of reply, listing, items and `why` is not NULL. */
void library_call_answered(struct hustings_call *call, const struct peer_reply *reply,
	const struct fault *why);
/* `server`: only tools that may be called there; NULL: all. */
void library_call_listed(struct hustings_call *call, const struct mcp_listing *listing,
	const struct conversation *server, const struct fault *why);
void library_call_items(struct hustings_call *call, const struct mcp_items *items,
	const struct fault *why);
void library_call_failed(struct hustings_call *call, const struct fault *why); /* whatever it waits for */

void library_call_progressed(void *context, const struct scan_value *params); /* a peer_progressed */

#endif
