/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_bridge parts: what its files share; for them alone. */
#ifndef HUSTINGS_CLI_MCP_BRIDGE_PARTS_H
#define HUSTINGS_CLI_MCP_BRIDGE_PARTS_H

#include "cli/mcp_bridge_options.h"
#include "cli/mcp_post.h"

struct mcp_bridge;

enum mcp_item_kind {
	ITEM_OTHER,
	ITEM_HELLO,       /* initialize */
	ITEM_INITIALIZED, /* notifications/initialized */
	ITEM_SUBSCRIBE,
	ITEM_UNSUBSCRIBE,
	ITEM_LEVEL,  /* logging/setLevel */
	ITEM_CALL,   /* tools/call: not to be done twice */
	ITEM_LISTEN, /* subscriptions/listen: its stream stays */
	ITEM_LEAVE,  /* the session's end, ours */
	ITEM_KINDS
};

/* One line of the host, or one of ours that it never sees. */
struct mcp_item {
	struct link link;
	struct mcp_bridge *bridge;
	enum mcp_item_kind kind;
	char *text; /* the line; NULL: ITEM_LEAVE */
	size_t length;
	char *id;  /* JSON text; NULL: it wants no answer, or is a batch */
	char *uri; /* of subscriptions; may be NULL */
	bool is_request;
	bool is_modern;
	bool is_unseen;
	bool is_answered;
	bool is_fine;     /* with a result */
	bool is_resuming; /* by GET and the last event's id */
	bool had_token;   /* another was tried already */
	unsigned tries;
	uint64_t session; /* bridge->session_number when it was sent */
	struct text last_event;
	struct text problem; /* an answer that was none of JSON-RPC, for people */
	struct mcp_post *post;
	struct task over; /* the post has ended */
	struct fault why; /* how; NONE: it went well */
	struct deadline again;
};

/* What has to be said again in a new session. */
struct mcp_kept {
	struct link link;
	enum mcp_item_kind kind;
	char *uri;
	char *text;
	size_t length;
};

/* The stream on which a legacy gateway speaks by itself. */
struct mcp_listening {
	struct mcp_post *post;
	struct deadline again;
	struct task over;
	struct fault why;
	struct text last_event;
	uint64_t wait_ms; /* grows while it fails */
	uint64_t session;
	bool is_wanted;
	bool is_refused; /* the gateway has none: 405 */
};

struct mcp_bridge {
	struct mcp_bridge_options options;
	void (*ended)(struct mcp_item *item);    /* its post, or the attempt at one */
	void (*lost)(struct mcp_bridge *bridge); /* its session is gone */
	struct mcp_address address;
	bool has_address;
	struct fetch_desk *desk;
	struct link unseen; /* to be sent, in this order: ours first, */
	struct link again;  /* then what failed with its session, */
	struct link queue;  /* then what the host has said since */
	struct link sent;
	struct mcp_item *holder; /* under way, and nothing else leaves before it has ended */
	struct text hello;       /* the host's initialize */
	char version[32];        /* settled by it */
	char session[512];       /* "": none */
	uint64_t session_number;
	bool is_renewing;
	struct link kept; /* struct mcp_kept */
	struct mcp_listening listening;
	uint64_t heard_at; /* loop ms of the last answer */
};

/* mcp_item.c */
struct mcp_item *mcp_item_open(struct mcp_bridge *bridge, struct slice text, const struct mcp_line *line);
struct mcp_item *mcp_item_leave(struct mcp_bridge *bridge);
void mcp_item_close(struct mcp_item *item);
/* Sends it; what cannot be sent has ended like what failed. */
void mcp_item_send(struct mcp_item *item);

/* mcp_renewal.c */
void mcp_renewal_note(struct mcp_bridge *bridge, const struct mcp_item *item); /* it was answered well */
void mcp_renewal_begin(struct mcp_bridge *bridge);
void mcp_renewal_end(struct mcp_bridge *bridge);
void mcp_renewal_forget(struct mcp_bridge *bridge);

/* mcp_listening.c */
void mcp_listening_begin(struct mcp_bridge *bridge);
void mcp_listening_end(struct mcp_bridge *bridge);

#endif
