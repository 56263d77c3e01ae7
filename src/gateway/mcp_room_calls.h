/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mcp_room_calls: the calls of one principal in a room that are under way, whatever each of them is:
 * an errand to a participant, a proposal, a tool of the room itself. They hear what happens there.
 */
#ifndef HUSTINGS_GATEWAY_MCP_ROOM_CALLS_H
#define HUSTINGS_GATEWAY_MCP_ROOM_CALLS_H

#include "gateway/mcp_room_parts.h"

/* It is the room's from now on; allocated with calloc, `one` its first member. */
void mcp_room_call_begin(struct mcp_room_call *one, struct mcp_room *room, struct mcp_call *call,
	const struct mcp_room_way *way);
/* Each frees it. One of `answer` and `why` is NULL. */
void mcp_room_call_answer(struct mcp_room_call *one, const struct hosted_answer *answer,
	const struct fault *why);
void mcp_room_call_free(struct mcp_room_call *one);
/* one->result, an MCP result, is its answer at the end of the pass; with one->code it is the words of
 * an error, and one->data belongs to that. */
void mcp_room_call_answer_later(struct mcp_room_call *one);

/* What a guest tells; the context is the room. */
void mcp_room_calls_heard(void *context, const struct envelope *envelope, enum guest_moment moment);
void mcp_room_calls_settled(void *context, const struct guest_settlement *settlement);
void mcp_room_calls_refused(void *context, const struct guest_refusal *refusal);
void mcp_room_calls_left(struct mcp_room *room, struct slice id);
void mcp_room_calls_end(struct mcp_room *room, const struct fault *why);

#endif
