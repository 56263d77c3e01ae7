/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Guest options: what a guest (client/guest.h) is opened with, and what it tells.
 */
#ifndef HUSTINGS_CLIENT_GUEST_OPTIONS_H
#define HUSTINGS_CLIENT_GUEST_OPTIONS_H

#include "client/guest_note.h"
#include "client/membership_options.h"
#include "client/roster.h"
#include "mcp/peer_events.h"

struct mcp_server;

#define GUEST_PAUSE 2000 /* ms; nothing else leaves meanwhile */

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
	bool is_to_us; /* by name, not to all */
	int64_t at;    /* wall ms; 0: not said */
	enum guest_moment moment;
};

struct guest_proposal { /* MCPx v0.1 4.2 */
	struct slice id;
	struct slice from;
	struct slice to; /* the first recipient; bytes NULL: none */
	struct slice method;
	struct slice params; /* JSON text; bytes NULL: none */
	struct slice reason; /* bytes NULL: none */
	enum guest_moment moment;
};

struct guest_settlement {
	struct slice proposal; /* its id */
	struct slice status;   /* fulfilled, rejected, withdrawn, expired */
	struct slice by;       /* bytes NULL: not said */
	struct slice reason;   /* bytes NULL: none */
};

struct guest_refusal {     /* the gateway refused an envelope of ours */
	struct slice id;   /* of the envelope; bytes NULL: it could not be read */
	struct slice code; /* a stable word */
	struct slice message;
	struct slice gate;      /* bytes NULL: not said */
	int64_t retry_after_ms; /* 0: not said */
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
	struct mcp_server *server; /* borrowed; stays until guest_close(). NULL: one without tools */
	bool is_silent;            /* answers no requests: another connection of the id does */
	/* Whether it is so for the request at hand, of that participant, about that envelope (SLICE_NONE: it
	 * names none); may be NULL. */
	bool (*is_silent_now)(void *context, struct slice from, struct slice about);
	void *silent_context;
	/* A request of another participant, before the server sees it. True: the question is the callee's,
	 * and `cancelled` is called for it as well. May be NULL. */
	bool (*asked)(void *context, struct slice from, struct peer_question *question,
		const struct jsonrpc *request);
	void *asked_context;
	bool slows_down;           /* what the gateway found too fast is sent again after a pause, untold,
	                              unless that is longer than GUEST_PAUSE */
	size_t most_listed;        /* octets of a peer's list of tools that is kept; 0: MCP_LISTING_OCTETS */
	bool forgets_lists;        /* whoever asked for one keeps it */
	struct slice capabilities; /* announced to peers: static JSON text of an object; length 0: {} */
	enum guest_strategy strategy;
	bool (*choose)(void *context, const struct roster_entry *entry);
	void *choose_context;
	/* A question of the server's is not waited for any more; may be NULL. */
	void (*cancelled)(void *context, struct peer_question *question);
	void *cancelled_context;
	/* A participant is gone of whom something was noted that has a client (client/guest_note.h): none of its
	 * questions is open any more. May be NULL. */
	void (*forgot)(void *context, struct guest_note *note);
	void *forgot_context;
};

#endif
