/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Authorization outcome: calls of ours whose owner asks first (MCPx ADR-001): what they were answered with is
 * an error that names a question, and what becomes of it comes as a notification. The call stays open between
 * the two. For client/library*.c and the room alone.
 */
#ifndef HUSTINGS_CLIENT_AUTHORIZATION_OUTCOME_H
#define HUSTINGS_CLIENT_AUTHORIZATION_OUTCOME_H

#include "client/library.h"
#include "client/library_call.h"

/* True: the reply is that error: the call, of that room, waits on. Cancelled, or overdue, the owner hears of it by
 * the id under which it was asked. */
bool authorization_outcome_awaited(struct hustings_room *room, struct hustings_call *call,
	const struct peer_reply *reply, int64_t asked_as) MUST_USE;
/* Whether a call waits so; an answer of that participant: of such a request it is the outcome. */
bool authorization_outcome_waits(const struct hustings_room *room);
void authorization_outcome_answered(struct hustings_room *room, struct slice from, const struct jsonrpc *message);
/* Params of notifications/authorization/resolved. */
void authorization_outcome_heard(struct hustings_room *room, struct slice from, const struct scan_value *params);
/* Calls that wait for that participant, or for anybody (SLICE_NONE), end so. */
void authorization_outcome_end(struct hustings_room *room, struct slice owner);

#endif
