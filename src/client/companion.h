/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Companion: another participant as an MCP peer (MCPx v0 4.1, 6.1, 7): the conversation with it,
 * the handshake, the list of its tools. Made when either side first speaks, closed when it leaves;
 * its calls end then. Owned by its guest's peers. For the files of this folder.
 */
#ifndef HUSTINGS_CLIENT_COMPANION_H
#define HUSTINGS_CLIENT_COMPANION_H

#include "base/list.h"
#include "client/asker.h"
#include "mcp/mcp_client.h"

/* Whoever waits for the handshake with a companion; its link stands in no list while it does not. */
struct companion_waiter {
	struct link link;
	/* It waits no more; why NULL: the handshake is done. */
	void (*told)(struct companion_waiter *waiter, const struct fault *why);
};

struct companion {
	struct asker asker;
	char *id;
	struct peer *peer;
	struct mcp_client client;
	struct mcp_listing *listing; /* NULL: not asked for since it changed */
	unsigned changes;            /* of its list of tools */
	bool is_queued;              /* waits for its turn to be introduced to */
	struct link in_queue;
	struct link waiters; /* struct companion_waiter */
};

struct companion *companion_open(struct guest *guest, struct slice id, struct fault *why) MUST_USE;
void companion_await(struct companion *companion, struct companion_waiter *waiter);
void companion_leave(struct companion_waiter *waiter); /* harmless when it does not wait */
/* The handshake is done (NULL), or failed: tells all waiters. */
void companion_tell(struct companion *companion, const struct fault *why);
void companion_close(struct companion *companion, const struct fault *why);

#endif
