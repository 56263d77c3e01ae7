/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_room_errand: a call of a participant's tool by somebody who may call it: its answer, its
 * progress, and what the participant asks meanwhile come to this asker alone.
 *
 * A participant's question (elicitation, sampling, roots) belongs to the call that its envelope names
 * as correlation_id; where it names none, to the only call of ours that is open with it. Any other is
 * refused.
 */
#ifndef HUSTINGS_GATEWAY_MCP_ROOM_ERRAND_H
#define HUSTINGS_GATEWAY_MCP_ROOM_ERRAND_H

#include "gateway/mcp_room_parts.h"

#define MCP_ROOM_CALL_MS (10 * 60 * 1000) /* an answer, from the start or the last question */

/* `params` as the participant knows them. */
bool mcp_room_errand_start(struct mcp_room *room, struct mcp_call *call, const struct hosted_ask *ask,
	struct slice to, struct slice params, struct fault *why) MUST_USE;

/* Whether that is such a call, and of a participant that streams (MGP 12): then who it is, and the call's id there. */
bool mcp_room_errand_streams(struct mcp_room_call *one, struct slice *to, int64_t *id);

/* The calls that a question of `from` can be about: the one that left in the envelope `about`, or,
 * where that is SLICE_NONE, all that are open with it. */
size_t mcp_room_errand_count(const struct mcp_room *room, struct slice from, struct slice about);

/* Of the guest; the context is the room. */
bool mcp_room_errand_asked(void *context, struct slice from, struct peer_question *question,
	const struct jsonrpc *request);
void mcp_room_errand_withdrawn(void *context, struct peer_question *question);

/* Of the answerer: a question that mcp_call_ask() was given. */
void mcp_room_errand_answer(void *question, struct slice result);
void mcp_room_errand_refuse(void *question, int64_t code, struct slice message, struct slice data);

#endif
