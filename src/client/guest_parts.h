/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guest parts: what the files of a guest share; for this folder alone.
 */
#ifndef HUSTINGS_CLIENT_GUEST_PARTS_H
#define HUSTINGS_CLIENT_GUEST_PARTS_H

#include "base/map.h"
#include "client/guest_options.h"
#include "client/membership.h"
#include "mcp/mcp_server.h"

/* The companions of the room; what is done with them is client/peers.h. */
struct peers {
	struct guest *guest;
	struct map by_id;
	struct link queue; /* companions to be introduced to, who say that they are MCP servers */
	struct link rest;  /* those who do not */
	unsigned under_way;
};

struct guest {
	struct loop *loop;
	struct guest_options options; /* membership.name is the membership's copy */
	const struct guest_events *events;
	void *context;
	struct membership *membership;
	struct roster roster;
	struct peers peers;
	struct link errands;
	struct mcp_server *server;
	struct mcp_server *own_server; /* NULL: one was lent */
	char *name;
	bool was_joined;
	bool is_restricted;
	bool is_closing;
	bool has_chat_tools;
	struct task closing; /* frees it, when no callback is under way any more */
	char privilege[32];
};

#define GUEST_TELL(guest, event, ...) \
	do { \
		if ((guest)->events->event && !(guest)->is_closing) \
			(guest)->events->event((guest)->context, ##__VA_ARGS__); \
	} while (0)

#endif
