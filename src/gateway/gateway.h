/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gateway: the parts behind every way in, as plain data. Loop 0 is the house: HTTP, REST,
 * administration and metrics live on its thread and only there. Rooms are reached by questions
 * (gateway/question.h); with one loop they are on this thread too, and nobody notices.
 */
#ifndef HUSTINGS_GATEWAY_GATEWAY_H
#define HUSTINGS_GATEWAY_GATEWAY_H

#include "auth/identity.h"
#include "auth/ticket.h"
#include "base/log.h"
#include "net/tls.h"
#include "room/rooms.h"
#include "store/store.h"
#include "store/token_rows.h"

#define GATEWAY_LOOPS 64
#define GATEWAY_NAMES 64 /* of allowed hosts, of allowed origins */

struct gateway_island {
	struct loop *loop;
	struct rooms *rooms; /* touched on that loop's thread alone */
};

enum gateway_tools { /* [kernel] tools */
	GATEWAY_TOOLS_ALL,
	GATEWAY_TOOLS_SEARCH,
};

struct gateway_settings { /* [gateway] */
	char host[256];   /* where it listens */
	unsigned port;
	const char *allowed_hosts[GATEWAY_NAMES + 1];         /* NULL ended; "name" or "name:port" */
	const char *allowed_origins[GATEWAY_NAMES + 1];       /* NULL ended; "https://name[:port]" */
	const char *authorization_servers[GATEWAY_NAMES + 1]; /* of OAuth; NULL ended: their issuers' URLs */
	const char *public_origin;                            /* "https://rooms.example": what clients call it; NULL: by their Host */
	size_t max_message;                                   /* octets of an envelope, and of an HTTP body */
	size_t max_connections;                               /* sockets in all; the next wait in the kernel's queue */
	size_t max_handshakes;                                /* connections that have not said who they are */
	int64_t head_deadline_ms;                             /* for a whole HTTP head */
	int64_t body_deadline_ms;                             /* for a whole HTTP body */
	int64_t idle_deadline_ms;                             /* of a kept-alive connection between requests */
	enum gateway_tools tools;                             /* what /mcp lists, where its query does not say */
};

struct sign_in_pace;  /* sign_in_pace.h: how often an address may try */
struct wrong_bearers; /* wrong_bearers.h: what follows a wrong token */
struct live;          /* live.h: who is connected, by token */
struct connections;   /* http_connection.h: the HTTP connections there are */
struct mcp_face;      /* mcp_face.h: the hosted servers behind /mcp */
struct kernel;        /* kernel/kernel.h: what governs them */
struct registry;      /* kernel/registry.h: those that were added while it runs */
struct inbox;         /* decide/inbox.h: questions to people */
struct proposal_desk; /* proposal_desk.h */
struct audit_file;    /* store/audit_file.h */

struct gateway_date { /* the header Date; exchange.c */
	int64_t second;
	char line[48];
};

struct gateway {
	struct loop *loop; /* loop 0 */
	struct gateway_island islands[GATEWAY_LOOPS];
	unsigned island_count;
	struct store *store;
	struct state *state;
	struct identity *identity;
	struct tickets *tickets;         /* to rooms */
	struct tickets *sign_in_tickets; /* to the console */
	struct sign_in_pace *sign_in_pace;
	struct wrong_bearers *wrong_bearers;
	struct tls *tls; /* NULL: plain */
	struct log *log;
	struct gateway_settings settings;
	struct rooms_settings rooms_settings; /* as the islands have them */
	struct connections *connections;
	struct live *live;
	struct mcp_face *mcp;            /* NULL: there are no MCP faces */
	struct kernel *kernel;           /* NULL with it, and where kernel.gates is false */
	struct registry *registry;       /* NULL with it */
	struct inbox *inbox;             /* NULL: nobody can be asked */
	struct proposal_desk *proposals; /* NULL with it; proposals stand in their rooms alone */
	size_t decision_watchers;        /* decision_watch.c */
	struct audit_file *audit_file;   /* NULL: none is written */
	struct gateway_date date;
	int64_t started_at; /* wall ms */
	bool is_ready;
	bool is_draining;
};

/* The island where a topic lives: by hash, fixed while the gateway runs. */
struct gateway_island *gateway_island(struct gateway *gateway, struct slice topic);

#endif
