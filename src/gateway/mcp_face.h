/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_face: what the MCP faces of the gateway have in common: the hosted servers behind them, the
 * sessions of legacy clients, the calls that are held for an answer of their asker, and who listens
 * for changes. Loop 0. Owned: mcp_face_open(), mcp_face_close() before the hosted servers are closed
 * and after all connections are gone.
 */
#ifndef HUSTINGS_GATEWAY_MCP_FACE_H
#define HUSTINGS_GATEWAY_MCP_FACE_H

#include "base/map.h"
#include "base/secret.h"
#include "gateway/gateway.h"
#include "hosted/hosted.h"

#define MCP_SESSIONS 4096
#define MCP_SESSIONS_OF_ONE 3072 /* principal */
#define MCP_SESSION_IDLE_MS (30 * 60 * 1000)
#define MCP_HELD_MS (5 * 60 * 1000) /* a held call waits so long for its asker */
#define MCP_HELD 3                  /* calls of one principal at one server; the oldest gives way */

struct mcp_face {
	struct gateway *gateway;
	struct hosted_servers *servers;
	struct hosted_listener listener;
	struct map sessions;       /* struct mcp_session by id */
	struct link session_order; /* the least recently used first */
	struct link calls;         /* struct mcp_call, all there are */
	size_t call_count;
	struct link ears;                  /* struct mcp_ear */
	struct mcp_news *news;             /* mcp_news.h: what the kernel tells them */
	struct link olds;                  /* struct mcp_old */
	struct link rooms;                 /* struct mcp_room, the least recently used first */
	uint64_t last_number;              /* of held calls and of questions */
	struct mcp_privileges *privileges; /* mcp_privilege.h */
	uint8_t key[SECRET_HASH_SIZE];     /* signs requestState */
};

/* `key`: octets that no client knows, which stay the same over restarts. */
struct mcp_face *mcp_face_open(struct gateway *gateway, struct hosted_servers *servers,
	const uint8_t key[SECRET_HASH_SIZE], struct fault *why) MUST_USE;
void mcp_face_close(struct mcp_face *face); /* NULL is fine */

#endif
