/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guest: a participant as a program sees it (MCPx v0 12): a membership with its roster, its peers,
 * the tools it offers, and what is said, as events. What libhustings shows and what the commands
 * of the room are made of.
 *
 * Owned; one thread, its loop's. Nothing is called from inside the functions here. Callbacks may
 * close the guest; nothing is called afterwards, open errands end unheard, and the memory goes at
 * the end of the loop's pass (or at loop_close()). Everything handed to a callback is borrowed until
 * its return.
 */
#ifndef HUSTINGS_CLIENT_GUEST_H
#define HUSTINGS_CLIENT_GUEST_H

#include "client/membership.h"
#include "client/roster.h"
#include "mcp/mcp_server.h"

enum guest_strategy { /* when we introduce ourselves to a peer (MCPx v0 6.1) */
	GUEST_LAZY,   /* when something is wanted of it */
	GUEST_EAGER,  /* on sight, to everyone who says it is an MCP server */
	GUEST_CHOSEN, /* on sight, to whom `choose` picks */
};

enum guest_moment {
	GUEST_LIVE,
	GUEST_OWN,  /* ours, echoed: it is stored */
	GUEST_PAST, /* from the welcome's history, or long before we came back: not to be acted upon */
};

struct guest_chat {
	struct slice id;
	struct slice from;
	struct slice text;
	struct slice correlation_id; /* bytes NULL: no reply */
	bool is_markdown;
	bool is_to_us;               /* by name, not to all */
	int64_t at;                  /* wall ms; 0: not said */
	enum guest_moment moment;
};

struct guest_proposal {          /* MCPx v0.1 4.2 */
	struct slice id;
	struct slice from;
	struct slice to;             /* the first recipient; bytes NULL: none */
	struct slice method;
	struct slice params;         /* JSON text; bytes NULL: none */
	struct slice reason;         /* bytes NULL: none */
	enum guest_moment moment;
};

struct guest_settlement {
	struct slice proposal;       /* its id */
	struct slice status;         /* fulfilled, rejected, withdrawn, expired */
	struct slice by;             /* bytes NULL: not said */
	struct slice reason;         /* bytes NULL: none */
};

struct guest_refusal {           /* the gateway refused an envelope of ours */
	struct slice id;             /* of the envelope; bytes NULL: it could not be read */
	struct slice code;           /* a stable word */
	struct slice message;
	struct slice gate;           /* bytes NULL: not said */
	int64_t retry_after_ms;      /* 0: not said */
};

struct guest;

/* Any of them may be NULL. */
struct guest_events {
	void (*joined)(void *context, const struct envelope *welcome, bool again);
	void (*lost)(void *context, const struct fault *why, uint64_t again_in_ms);
	void (*ended)(void *context, const struct fault *why); /* FAULT_EXISTS: replaced */
	/* Every envelope but the welcome, before anything is made of it. */
	void (*envelope)(void *context, const struct envelope *envelope, enum guest_moment moment);
	void (*arrived)(void *context, const struct roster_entry *entry);
	void (*left)(void *context, const struct roster_entry *entry);
	void (*chat)(void *context, const struct guest_chat *chat);
	void (*proposed)(void *context, const struct guest_proposal *proposal);
	void (*settled)(void *context, const struct guest_settlement *settlement);
	void (*tools_changed)(void *context, struct slice id);
	void (*privilege)(void *context, struct slice old, struct slice now);
	void (*refused)(void *context, const struct guest_refusal *refusal);
	/* More are in the room than the welcome lists: ask GET .../participants, then guest_meet(). */
	void (*partly)(void *context);
	void (*missed)(void *context);  /* some of what was said while we were away is not to be had */
	void (*drained)(void *context); /* everything sent is through */
};

struct guest_options {
	struct membership_options membership;
	struct mcp_server *server;   /* borrowed; stays until guest_close(). NULL: one without tools */
	bool is_silent;              /* answers no requests: another connection of the id does */
	enum guest_strategy strategy;
	bool (*choose)(void *context, const struct roster_entry *entry);
	void *choose_context;
	/* A question of the server's is not waited for any more; may be NULL. */
	void (*cancelled)(void *context, struct peer_question *question);
	void *cancelled_context;
};

struct guest *guest_open(struct loop *loop, const struct guest_options *options,
	const struct guest_events *events, void *context, struct fault *why) MUST_USE;
void guest_close(struct guest *guest); /* NULL is fine; the server must stay until the pass's end */

struct membership *guest_membership(struct guest *guest);
const struct roster *guest_roster(const struct guest *guest);
struct loop *guest_loop(const struct guest *guest);
struct mcp_server *guest_server(struct guest *guest);
struct slice guest_privilege(const struct guest *guest); /* "full", "restricted"; "" before the welcome */

/* `id` of all these (may be NULL) takes the envelope's id. */
/* Chat, in the form of our dialect; `to` may be SLICE_NONE: everyone. */
bool guest_say(struct guest *guest, struct slice to, struct slice text, bool is_markdown,
	char id[IDENT_UUID_SIZE], struct fault *why) MUST_USE;
/* mcp/proposal; params is JSON text of an object or bytes NULL, reason may be empty. */
bool guest_propose(struct guest *guest, struct slice to, struct slice method, struct slice params,
	struct slice reason, char id[IDENT_UUID_SIZE], struct fault *why) MUST_USE;
/* The answer of GET .../participants, a JSON object: who is not known yet has arrived. */
void guest_meet(struct guest *guest, struct slice answer);
/* Tells everyone that our tools changed. */
bool guest_tools_changed(struct guest *guest, struct fault *why);
/* Offers chat.say and presence.get (MCPx v0 8.2) on its server. They go with guest_close(). */
bool guest_offer_chat(struct guest *guest, struct fault *why) MUST_USE;

/* Who asks that question: *room NULL: the host on stdin; "" for its id. Both are NULL when nobody
 * waits any more. */
void guest_asker(const struct peer_question *question, struct guest **room, const char **id);

#endif
