/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Flow desk: the flow tools that are offered, and the sessions of callers who drive them by interaction.*
 * (MCP Flow). A session is its caller's: nobody else finds it. What is over stays for a while, so that its
 * result can be asked for again; what expired leaves its name alone.
 *
 * Owned: flow_desk_of() makes it, flow_desk_close() ends it. Sessions are the desk's. One thread.
 */
#ifndef HUSTINGS_CLIENT_FLOW_DESK_H
#define HUSTINGS_CLIENT_FLOW_DESK_H

#include "base/map.h"
#include "client/library.h"
#include "flow/flow_token.h"

#define FLOW_DESK_OPEN 16                   /* sessions of one caller that are not over */
#define FLOW_DESK_SESSIONS 1000             /* of all, those that are over included */
#define FLOW_DESK_OCTETS ((size_t)64 << 20) /* that all of them hold */
#define FLOW_DESK_OVER_MS (5 * 60 * 1000)   /* for which a result can be asked for again */
#define FLOW_DESK_TOMB_MS (60 * 60 * 1000)  /* for which an expired one is known as such */
#define FLOW_DESK_TOMBS 1000                /* the oldest are forgotten first */
#define FLOW_DESK_SPENT 10000               /* tokens that were used, until they expire */
#define FLOW_DESK_PRINCIPAL 400             /* octets, and NUL */

/* Kept by whoever uses it beyond one pass; withdrawn ones are not found any more. */
struct flow_tool {
	struct link link;
	struct hustings *hustings;
	unsigned users;
	bool is_withdrawn;
	struct hustings_flow_tool offer; /* its strings are gone, but those of `steps` */
	struct flow_limits limits;
	bool has_schema;
	char name[];
};

/* Who asks: whose the session is, and where it is told. */
struct flow_caller {
	struct guest *guest; /* NULL: a host */
	const char *id;      /* of the participant; "" */
	uint64_t host;       /* number of a host's conversation */
	bool is_modern;      /* it can be sent no requests */
};

struct flow_entry {
	struct link link;
	struct flow_session *session;
	struct guest *guest;
	uint64_t host;
	bool is_modern;
	bool is_busy, is_doomed; /* its function is called just now; it is to be removed behind that */
	char id[];               /* of the participant */
};

struct flow_desk {
	struct hustings *hustings;
	struct link tools;
	struct link sessions; /* struct flow_entry, the oldest first */
	struct map by_id;
	struct link tombs;
	size_t tomb_count;
	struct link spent;
	size_t spent_count;
	struct flow_key key;
	struct deadline sweep;
	/* An entry's client is to be warned that its session expires. Set by who knows how. */
	void (*warn)(struct flow_desk *desk, struct flow_entry *entry);
};

struct flow_desk *flow_desk_of(struct hustings *hustings, struct fault *why) MUST_USE; /* made at first */
void flow_desk_close(struct flow_desk *desk);                                          /* NULL is fine */

struct flow_tool *flow_desk_tool(const struct flow_desk *desk, struct slice name); /* NULL: none; desk may be NULL */
struct flow_tool *flow_tool_keep(struct flow_tool *tool);
void flow_tool_drop(struct flow_tool *tool);

/* Whose sessions they are: told by what the gateway, or the transport, says of who asks. */
void flow_caller_principal(const struct flow_caller *caller, char principal[FLOW_DESK_PRINCIPAL]);
/* What a function is told of who asks. */
const char *flow_caller_from(const struct flow_caller *caller);

/* Whether another may begin. */
bool flow_desk_has_room(struct flow_desk *desk, struct slice principal, struct flow_refusal *refusal);
/* Takes the session, also when there is no memory for it (NULL). */
struct flow_entry *flow_desk_add(struct flow_desk *desk, struct flow_session *session,
	const struct flow_caller *caller) MUST_USE;
/* NULL: -32001, or -32002 and -32005 for one whose time has run out. */
struct flow_entry *flow_desk_find(struct flow_desk *desk, struct slice id, struct slice principal,
	struct flow_refusal *refusal) MUST_USE;
void flow_desk_remove(struct flow_desk *desk, struct flow_entry *entry); /* without a trace */
/* A step was taken: its deadlines are others now. */
void flow_desk_stirred(struct flow_desk *desk);
/* The room is left, or the host has gone (guest NULL): its sessions go. desk may be NULL. */
void flow_desk_forget(struct flow_desk *desk, const struct guest *guest, uint64_t host);

/* A token was used. False: it was used before, or too many were to be remembered. */
bool flow_desk_spend(struct flow_desk *desk, const uint8_t hash[SECRET_HASH_SIZE], int64_t expires_at);

#endif
