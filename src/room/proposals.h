/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Proposals: the book that a room keeps of them (MCPx v0.1 4.2, 7.3, 10.2). The room only relays
 * proposals; the book notes what became of each: pending, fulfilled, rejected, withdrawn, expired.
 *
 * A fulfilment is an mcp request of a full participant whose correlation_id is the proposal's id or,
 * without one, whose `to`, method and params are octet for octet the proposal's. Open ones are kept
 * by the store with their deadline; settled ones are shown until PROPOSALS_SHOWN newer ones came.
 */
#ifndef HUSTINGS_ROOM_PROPOSALS_H
#define HUSTINGS_ROOM_PROPOSALS_H

#include "room/entry.h"

#define PROPOSALS_SHOWN 1000

/* Refuses one more while max_proposals are open. */
bool proposals_have_room(struct entry *entry) MUST_USE;
/* Notes a published entry: a new proposal, or the fulfilment of one. */
void proposals_follow(const struct entry *entry);
/* An open one as the store kept it. False: no memory. */
bool proposals_restore(struct room *room, struct slice record) MUST_USE;
void proposals_expire(struct room *room);
uint64_t proposals_next_expiry(const struct room *room); /* loop ms; UINT64_MAX: none */
void proposals_finish(struct room *room);

enum proposals_verb {
	PROPOSALS_WITHDRAW,
	PROPOSALS_REJECT
};
/* Withdraw: by the proposer; reject: by a full participant. FAULT_NOT_FOUND, FAULT_REFUSED,
 * FAULT_EXISTS (settled already). On success the record is written to `record` (may be NULL). */
bool proposals_settle(struct room *room, struct slice id, enum proposals_verb verb,
	const struct principal *by, enum privilege privilege, struct slice reason, struct text *record,
	struct fault *why) MUST_USE;
/* A JSON array, oldest first; status NULL: all. */
void proposals_write(const struct room *room, const char *status, struct text *to);

#endif
