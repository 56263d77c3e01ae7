/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Join proposals: those that were seen in a room and still wait, so that they can be approved by a
 * few letters of their id (MCPx v0.1 4.2). A plain struct in its owner's. Bounded: the oldest goes.
 */
#ifndef HUSTINGS_CLI_JOIN_PROPOSALS_H
#define HUSTINGS_CLI_JOIN_PROPOSALS_H

#include "base/fault.h"
#include "base/list.h"
#include "base/text.h"

#define JOIN_PROPOSALS_KEPT 1000

struct join_proposal {
	struct link link;
	struct slice id; /* these lie behind the struct */
	struct slice from;
	struct slice to; /* length 0: nobody by name */
	struct slice method;
	struct slice params; /* JSON text; length 0: none */
	struct slice reason;
	char octets[];
};

struct join_proposals {
	struct link waiting; /* in their order */
	size_t count;
};

void join_proposals_init(struct join_proposals *proposals);
void join_proposals_finish(struct join_proposals *proposals);
/* Copies what `like` has; one that is there already stays as it is. */
void join_proposals_note(struct join_proposals *proposals, const struct join_proposal *like);
void join_proposals_settled(struct join_proposals *proposals, struct slice id);
/* The one whose id begins so. NULL: FAULT_NOT_FOUND, or FAULT_BAD_INPUT when several do. */
const struct join_proposal *join_proposals_find(const struct join_proposals *proposals,
	struct slice beginning, struct fault *why) MUST_USE;
/* A line each, for people. */
void join_proposals_write(const struct join_proposals *proposals, struct text *to);

#endif
