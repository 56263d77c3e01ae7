/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers: with rooms.restricted_may_answer, which requests to restricted participants are open, so
 * that their answers, and nothing else of kind mcp, may pass. At most ANSWERS_OPEN in a room; the
 * oldest is forgotten for a new one.
 */
#ifndef HUSTINGS_ROOM_ANSWERS_H
#define HUSTINGS_ROOM_ANSWERS_H

#include "room/entry.h"

#define ANSWERS_OPEN 4096

/* Whether this entry, an mcp of a restricted participant, is an answer to an open request to it. */
bool answers_may(const struct entry *entry);
/* Notes a published entry: a request to somebody restricted, or the answer that ends one. */
void answers_follow(const struct entry *entry);
void answers_finish(struct room *room);

#endif
