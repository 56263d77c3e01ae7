/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Peer parts: what the files of a peer share; for mcp/peer*.c alone.
 */
#ifndef HUSTINGS_MCP_PEER_PARTS_H
#define HUSTINGS_MCP_PEER_PARTS_H

#include "base/list.h"
#include "mcp/peer_events.h"
#include "net/loop.h"

#define PEER_SCRATCH 2048 /* octets of an arena's lent block on the stack */

struct peer {
	struct loop *loop;
	const struct peer_events *events;
	void *context;
	struct link calls; /* in the order they left */
	struct link questions;
	size_t call_count;
	size_t question_count;
	int64_t next_id;
	bool is_closing; /* nothing leaves any more */
};

#endif
