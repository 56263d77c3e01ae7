/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversation: our side of MCP toward one server, whatever carries it and whatever era it speaks:
 * from the handshake to the end. What is asked of the server is a turn (client/turn.h).
 *
 * Which era: server/discover first; who answers it as MCP 2026-07-28 says is modern. Who refuses it,
 * or stays silent for CONVERSATION_PROBE_MS, is asked to initialize; a process that dies of it is
 * started once more, and asked to initialize at once. A version that is wished for is asked for
 * alone. A legacy remote server's own stream is waited for before anything is asked: questions that
 * come on it would be lost.
 *
 * Owned: conversation_open() and conversation_close(), which is allowed in callbacks; nothing is told
 * after it. One thread. No callback comes before conversation_open() has returned.
 */
#ifndef HUSTINGS_CLIENT_CONVERSATION_H
#define HUSTINGS_CLIENT_CONVERSATION_H

#include "client/conversation_options.h"
#include "mcp/mcp_listing.h"

struct conversation *conversation_open(struct loop *loop, const struct conversation_options *options,
	const struct conversation_events *events, void *context, struct fault *why) MUST_USE;
/* Ends without a word: turns, questions. NULL is fine. */
void conversation_close(struct conversation *conversation);

const struct conversation_facts *conversation_facts(const struct conversation *conversation);
bool conversation_is_modern(const struct conversation *conversation);
bool conversation_is_ready(const struct conversation *conversation);
/* Its capabilities have that member; inner NULL: one level. */
bool conversation_offers(const struct conversation *conversation, const char *outer,
	const char *inner);

bool conversation_tell(struct conversation *conversation, struct slice method, struct slice params,
	struct fault *why) MUST_USE;
/* "info": with every further request (modern). length 0: none. False: too long for a level. */
bool conversation_set_level(struct conversation *conversation, struct slice level) MUST_USE;
struct slice conversation_level(const struct conversation *conversation);
/* The tools as they were listed last; kept here, for their schemas. NULL: they are not known. */
void conversation_keep_tools(struct conversation *conversation, struct mcp_listing *tools);
bool conversation_is_remote(const struct conversation *conversation);

#endif
