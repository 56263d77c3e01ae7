/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Peer question: what the other side asks us. Whoever gets one answers it once, now or later; it
 * outlives its peer.
 */
#ifndef HUSTINGS_MCP_PEER_QUESTION_H
#define HUSTINGS_MCP_PEER_QUESTION_H

#include "base/text.h"
#include "mcp/peer_events.h"

/* Each takes the question. `result` and `data` are JSON text. What the transport finds too large
 * becomes an error that says so. */
void peer_answer(struct peer_question *question, struct slice result);
void peer_refuse(struct peer_question *question, int64_t code, struct slice message,
	struct slice data);
/* An error before the answer (MCPx ADR-001): the question stays, and may be cancelled as before. */
void peer_question_warn(struct peer_question *question, int64_t code, struct slice message, struct slice data);
/* Takes the question: who asked was told all there is. */
void peer_question_drop(struct peer_question *question);
/* Progress toward who asked, where it wants any. total 0: not known; message may be SLICE_NONE. */
void peer_progress(struct peer_question *question, double progress, double total,
	struct slice message);
/* A notification that belongs to the question: it leaves where the answer will. Lost where it cannot. */
void peer_question_tell(struct peer_question *question, struct slice method, struct slice params);
/* The same for one that was written already. */
void peer_question_send(struct peer_question *question, const struct text *notification);
/* Whoever asked under that tag has gone: its questions are cancelled. */
void peer_question_gone(struct peer *peer, struct slice tag);
/* As who asked wrote them, JSON text; no progress token: bytes NULL. */
struct slice peer_question_id(const struct peer_question *question);
struct slice peer_question_token(const struct peer_question *question);
bool peer_is_cancelled(const struct peer_question *question);
struct slice peer_question_tag(const struct peer_question *question);
/* The label it names as the one it is about; bytes NULL: none. */
struct slice peer_question_about(const struct peer_question *question);
struct peer *peer_question_peer(const struct peer_question *question); /* NULL: it was closed */
/* A pointer of whoever answers. */
void peer_question_set(struct peer_question *question, void *context);
void *peer_question_context(const struct peer_question *question);

/* For mcp/peer.c alone. */
void peer_question_asked(struct peer *peer, const struct jsonrpc *request, struct slice tag,
	struct slice about);
void peer_question_cancelled(struct peer *peer, const struct scan_value *params);
void peer_questions_end(struct peer *peer); /* at its close */

#endif
