/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_ear parts: an ear (mcp_ear.h) as those see it who tell it something; for mcp_ear*.c and mcp_news.c
 * alone.
 */
#ifndef HUSTINGS_GATEWAY_MCP_EAR_PARTS_H
#define HUSTINGS_GATEWAY_MCP_EAR_PARTS_H

#include "gateway/mcp_session.h"

struct mcp_ear {
	struct link link;
	struct mcp_face *face;
	struct mcp_stream_user user;
	struct mcp_session *session; /* kept; NULL: modern */
	struct principal *principal; /* kept */
	char target[MCP_TARGET];     /* as the session's */
	uint64_t admitted_at;        /* loop ms */
	struct task over;            /* it has lost the right to be here */
	char *id;                    /* JSON text, of subscriptions/listen */
	bool kinds[HOSTED_KINDS];    /* modern: the list changes it wants */
	bool searches;               /* modern: mcp_find.h */
	unsigned mgp;                /* modern: the extensions it wants to hear of, enum mgp_extension */
	bool hears_flow;             /* modern: what happens in guided sessions (MCP Flow) */
	bool names_flow;             /* and its filter had that by name */
	bool has_authorization;      /* modern: it has asked for what becomes of authorizations by name */
	struct link uris;            /* modern: struct mcp_session_uri */
	bool is_old[HOSTED_KINDS];   /* lists that it is to be told of as changed */
};

/* NULL: it listens to all or to a room, or its server was removed. */
struct hosted *mcp_ear_server(const struct mcp_ear *ear);
bool mcp_ear_is_of_room(const struct mcp_ear *ear);
/* Of all servers, or of that one. */
bool mcp_ear_is_about(const struct mcp_ear *ear, struct slice server);
/* Whether its principal may know of that server at all (MGP 5). */
bool mcp_ear_may_use(const struct mcp_ear *ear, struct hosted *hosted);
unsigned mcp_ear_extensions(const struct mcp_ear *ear); /* of MGP, that it wants to hear of */

/* A notification, left out when it is too far behind; params of another type than an object: none. Whoever
 * has lost the right to be here hears nothing, and is ended at the end of this pass. Nothing else ends in
 * here. */
void mcp_ear_say(struct mcp_ear *ear, const char *method, const struct scan_value *params);
/* The same; `event`, unless 0, is the id that its server-sent event has at a session's ear. False: it was left
 * out. */
bool mcp_ear_say_event(struct mcp_ear *ear, const char *method, const struct scan_value *params, uint64_t event);
/* A request of ours at a session's ear, whose JSON-RPC id that is (JSON text); at a modern one, where there is no
 * such thing, the same without an id. False: it was left out. */
bool mcp_ear_ask(struct mcp_ear *ear, const char *method, const struct scan_value *params, const char *id);
/* That list has changed; left out where it is not wanted. */
void mcp_ear_say_changed(struct mcp_ear *ear, enum hosted_kind kind);

void mcp_ear_end(struct mcp_ear *ear);     /* answers, and frees it */
void mcp_ear_release(struct mcp_ear *ear); /* frees it, whose stream is gone or was never joined */

#endif
