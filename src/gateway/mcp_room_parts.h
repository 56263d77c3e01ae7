/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_room parts: what mcp_room*.c share: one principal in one topic, as it came in through MCP. It
 * sits there as a guest (client/guest.h) beside its own connections, shared by all its sessions and
 * requests of that token. Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_MCP_ROOM_PARTS_H
#define HUSTINGS_GATEWAY_MCP_ROOM_PARTS_H

#include "client/errand.h"
#include "client/guest.h"
#include "gateway/mcp_call.h"
#include "gateway/mcp_face.h"
#include "gateway/mcp_room_said.h"

#define MCP_ROOM_TOPIC 128

enum mcp_room_state {
	MCP_ROOM_ENTERING, /* or on its way back */
	MCP_ROOM_INSIDE,
	MCP_ROOM_OVER,
};

struct mcp_room {
	struct link link; /* of the face's rooms */
	struct mcp_face *face;
	struct principal *principal; /* kept */
	struct guest *guest;
	enum mcp_room_state state;
	bool is_survey;       /* the gateway's own, to list what restricted participants may not ask for */
	bool was_listed;      /* somebody was told what tools there are: changes are news */
	struct link waiters;  /* struct waiter, of mcp_room.c */
	struct link shelves;  /* struct mcp_room_shelf: by participant, as they came */
	struct link listings; /* struct mcp_room_listing */
	struct link calls;    /* struct mcp_room_call */
	struct mcp_room_said said;
	struct task tell_tools; /* that they changed, once a pass */
	struct task tell_chat;
	struct task tell_presence;
	struct task serve;                /* its waiters */
	struct mcp_room_meeting *meeting; /* asks for those whom the welcome did not list; NULL: none */
	struct task free_later;
	struct deadline idle;
	uint64_t used_at; /* loop ms */
	char topic[MCP_ROOM_TOPIC + 1];
	char target[MCP_TARGET];
};

/* What one participant offers. */
struct mcp_room_shelf {
	struct link link;
	struct mcp_room *room;
	struct mcp_listing *listing; /* kept; NULL: not known */
	struct errand *errand;       /* asks */
	bool is_asked_again;         /* it changed meanwhile */
	bool announces;              /* it says that it is an MCP server */
	bool is_slow;                /* a list was not kept waiting for it any longer */
	uint64_t failed_at;          /* loop ms; 0: it did not */
	char id[];
};

struct mcp_room_call;
/* How a call is carried out. */
struct mcp_room_way {
	/* Nobody waits for it any more: whoever works on it is told. It may live on, with call NULL. */
	void (*cancel)(struct mcp_room_call *one, const char *reason);
	void (*release)(struct mcp_room_call *one); /* what it holds; nobody is told */
	void (*extend)(struct mcp_room_call *one, uint64_t deadline_ms);
	/* What is heard in the room; each may be NULL. Others are told behind it: it answers later, and
	 * frees nothing but `one`. */
	void (*heard)(struct mcp_room_call *one, const struct envelope *envelope, enum guest_moment moment);
	void (*settled)(struct mcp_room_call *one, const struct guest_settlement *settlement);
	void (*refused)(struct mcp_room_call *one, const struct guest_refusal *refusal);
	void (*left)(struct mcp_room_call *one, struct slice id);
};

/* The first member of whatever it is. */
struct mcp_room_call {
	struct link link; /* of the room's calls */
	struct mcp_room *room;
	struct mcp_call *call; /* NULL: nobody waits for it */
	const struct mcp_room_way *way;
	struct task answer; /* with the next three */
	struct text result; /* or, with a code, the words of an error */
	int64_t code;
	struct text data; /* of an error; empty: none */
};

struct loop *mcp_room_loop(const struct mcp_room *room);
bool mcp_room_is_restricted(const struct mcp_room *room);
/* Whether an envelope can hold a payload of that length: a larger one would end the connection. */
bool mcp_room_fits(const struct mcp_room *room, size_t length, struct fault *why) MUST_USE;

#endif
