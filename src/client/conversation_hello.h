/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Conversation hello: the handshake with an MCP server, and which era it settles on; for
 * conversation.c alone.
 */
#ifndef HUSTINGS_CLIENT_CONVERSATION_HELLO_H
#define HUSTINGS_CLIENT_CONVERSATION_HELLO_H

#include "base/fault.h"

struct conversation;

bool conversation_hello_start(struct conversation *conversation, struct fault *why) MUST_USE;
void conversation_hello_again(struct conversation *conversation);  /* in the era that is settled */
void conversation_hello_opened(struct conversation *conversation); /* the carrier hears all from now on */
void conversation_hello_stop(struct conversation *conversation);   /* nothing of it comes any more */
void conversation_hello_forget(struct conversation *conversation); /* no facts are known */
/* Over, for good: its turns end, its owner is told. */
void conversation_end(struct conversation *conversation, const struct fault *why);

#endif
