/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversation parts: what a conversation and its turns share; for these alone.
 */
#ifndef HUSTINGS_CLIENT_CONVERSATION_PARTS_H
#define HUSTINGS_CLIENT_CONVERSATION_PARTS_H

#include "client/carrier.h"
#include "client/conversation_options.h"
#include "mcp/era.h"
#include "mcp/mcp_listing.h"
#include "mcp/peer.h"

enum conversation_state {
	CONVERSATION_OPENING, /* the handshake is under way */
	CONVERSATION_READY,
	CONVERSATION_ENDED,
};

struct conversation {
	struct loop *loop;
	struct conversation_options options; /* strings of spawned are the owner's */
	const struct conversation_events *events;
	void *context;
	enum conversation_state state;
	bool is_modern, is_closed;
	bool asks_modern, asks_legacy; /* which eras may be asked for */
	bool is_second;                /* was started again */
	bool was_refused;              /* by -32022, once */
	bool awaits_stream;            /* all is said, but what the server says by itself is not heard yet */
	enum era_version wished;       /* of initialize */
	struct carrier *carrier;
	struct peer *peer;
	struct peer_call *discovery, *introduction;
	struct deadline hello, probe;
	struct arena words; /* the next three, and the strings of options */
	struct slice client_info, capabilities;
	char log_level[16];
	struct text octets; /* of the facts' result */
	struct arena fact_words;
	struct conversation_facts facts;
	struct mcp_listing *tools;
	struct link waiting; /* turns, until it is ready */
	struct link asked;   /* turns */
	struct link questions;
	struct task closing;
};

#endif
