/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Room audit: what a room reports to the trail: refusals (the first of a principal at a gate at
 * once, those that follow counted by the minute), joins and leaves, proposals.
 */
#ifndef HUSTINGS_ROOM_ROOM_AUDIT_H
#define HUSTINGS_ROOM_ROOM_AUDIT_H

#include "room/entry.h"
#include "room/proposal_record.h"

#define REFUSALS_COUNTED 4096 /* principal and gate pairs at a time; beyond, each is written */

struct refusal_counts;

struct refusal_counts *refusal_counts_open(struct rooms *rooms, struct fault *why) MUST_USE;
void refusal_counts_close(struct refusal_counts *counts);

void room_audit_refusal(const struct entry *entry);
void room_audit_presence(const struct participant *participant, const char *event);
void room_audit_proposal(const struct room *room, const struct proposal *proposal, struct slice by);

#endif
