/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_client: our half of MCP toward one server: the handshake, and the list of its tools
 * (all pages). Calls go through the peer as they are. It speaks through a peer that somebody else
 * owns, and forgets it at mcp_client_finish().
 *
 * A plain struct in its owner's; mcp_client_init() and mcp_client_finish(). One thread. `why` in a
 * callback is FAULT_TIMEOUT, FAULT_REFUSED (the server answered with an error, whose words it
 * holds), FAULT_UNSUPPORTED (no common version), FAULT_BAD_INPUT (an answer against the protocol),
 * or what the peer's close said.
 */
#ifndef HUSTINGS_MCP_CLIENT_H
#define HUSTINGS_MCP_CLIENT_H

#include "mcp/era.h"
#include "mcp/mcp_listing.h"
#include "mcp/mgp.h"
#include "mcp/peer.h"

#define MCP_CLIENT_PAGES 1000

enum mcp_client_state {
	MCP_CLIENT_NEW, /* nothing was said */
	MCP_CLIENT_INTRODUCING,
	MCP_CLIENT_READY,
};

struct mcp_introduction {
	enum era_version version;
	struct slice capabilities; /* JSON text of an object */
	struct slice name;
	struct slice title;    /* length 0: none */
	struct slice software; /* its version */
};

struct mcp_client;
/* why NULL: ready. Exactly once, unless mcp_client_finish() or mcp_client_forget() came first. */
typedef void mcp_client_ready(struct mcp_client *client, const struct fault *why);

struct mcp_client {
	struct peer *peer;
	enum mcp_client_state state;
	enum era_version version;
	bool has_tools;
	unsigned spoken;        /* enum mgp_extension that we said, and */
	struct mgp_agreed mgp;  /* what was agreed on */
	char server_name[128];  /* as it came, cut at a character */
	struct peer_call *call; /* of the handshake */
	mcp_client_ready *ready;
	void *context;      /* the owner's */
	size_t most_listed; /* octets of a list of tools; 0: MCP_LISTING_OCTETS. The owner's to set */
};

void mcp_client_init(struct mcp_client *client, struct peer *peer, void *context);
void mcp_client_finish(struct mcp_client *client);
/* Back to NEW: the other side has forgotten us. A handshake under way is given up. */
void mcp_client_forget(struct mcp_client *client);

/* initialize, then notifications/initialized (MCP lifecycle). Only in NEW. */
bool mcp_client_introduce(struct mcp_client *client, const struct mcp_introduction *self,
	uint64_t deadline_ms, mcp_client_ready *ready, struct fault *why) MUST_USE;

/* All pages of tools/list within one deadline. */
struct mcp_client_walk;
/* Exactly once, never before mcp_client_list() returned; listing is borrowed (keep it to keep it). */
typedef void mcp_client_listed(void *context, struct mcp_listing *listing, const struct fault *why);
struct mcp_client_walk *mcp_client_list(struct mcp_client *client, uint64_t deadline_ms,
	mcp_client_listed *listed, void *context, struct fault *why) MUST_USE;
void mcp_client_list_cancel(struct mcp_client_walk *walk); /* `listed` is not called */

/* Params of tools/call; arguments is JSON text of an object, or bytes NULL. */
void mcp_client_write_call(struct text *to, struct slice tool, struct slice arguments);
/* The same, and asks for a stream (MGP 12.3): of a server with which that was agreed on. */
void mcp_client_write_streamed(struct text *to, struct slice tool, struct slice arguments);

/* What a reply that is an error says, for people: its message, and `data.reason` where it has one. NUL ended, cut. */
void mcp_client_words(char *to, size_t size, const struct peer_reply *reply);
/* A reply that is an error, as a fault: "server says: -32601 no such method". Returns false. */
bool mcp_client_error(const struct peer_reply *reply, struct fault *why);

#endif
