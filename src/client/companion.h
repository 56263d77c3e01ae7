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

struct errand;

struct companion {
	struct asker asker;
	char *id;
	struct peer *peer;
	struct mcp_client client;
	struct mcp_listing *listing; /* NULL: not asked for since it changed */
	unsigned changes;            /* of its list of tools */
	bool is_queued;              /* waits for its turn to be introduced to */
	struct link in_queue;
	struct link waiters;         /* errands that wait for the handshake */
};

struct companion *companion_open(struct guest *guest, struct slice id, struct fault *why) MUST_USE;
void companion_close(struct companion *companion, const struct fault *why);

#endif
