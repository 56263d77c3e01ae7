/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_news: what the kernel tells by itself to whoever listens at the faces of hosted servers:
 *
 * - changes of a server's state, to MGP clients with `lifecycle` that may use it (MGP 11.4). A failure that
 *   leads to a restart at once is one change, to "restarting".
 * - audit events, to MGP clients with `audit` (MGP 6.3): all of them to administrators, to others those of
 *   their own doing, about servers that they may use. The face of one server hears of that server alone.
 * - events (MGP 13.3), to modern clients of the subscriber's principal that listen for MGP; the subscriber's own
 *   stream, and legacy sessions, are told by the kernel itself (mcp_kernel_client.h).
 * - what happens in guided sessions (MCP Flow): prompts, results, warnings, to the MCP session that they began in, or
 *   to modern clients of their principal that listen for them.
 * - changed lists, to every client whose access has changed (MGP 5), once for all changes of a pass.
 *
 * Nobody waits for it: what a client does not read in time is left out. Loop 0. Owned by the face:
 * mcp_news_open(), and mcp_news_close() before the kernel is closed.
 */
#ifndef HUSTINGS_GATEWAY_MCP_NEWS_H
#define HUSTINGS_GATEWAY_MCP_NEWS_H

#include "gateway/mcp_face.h"

struct mcp_news;

struct mcp_news *mcp_news_open(struct mcp_face *face, struct fault *why) MUST_USE;
void mcp_news_close(struct mcp_news *news); /* NULL is fine */

/* The face's listener calls this. */
void mcp_news_moved(struct mcp_news *news, struct hosted *hosted, enum hosted_state from);
/* An ear was opened, or the session of one has agreed on MGP: audit events are listened for as long as
 * anybody wants them. */
void mcp_news_listen(struct mcp_news *news);

#endif
