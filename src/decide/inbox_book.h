/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inbox book: the set of decisions in memory and in the store, the same in both but while a change is
 * being written. Every change goes through here: stored first, then noted, audited and told.
 */
#ifndef HUSTINGS_DECIDE_INBOX_BOOK_H
#define HUSTINGS_DECIDE_INBOX_BOOK_H

#include "decide/inbox_parts.h"

/* Room for one more of that size: the oldest settled ones make it. FAULT_FULL. */
bool inbox_book_has_room(struct inbox *inbox, struct slice requester, size_t octets,
	struct fault *why) MUST_USE;
/* Takes the decision, with an id, in memory alone. False: no memory, or the id is there (FAULT_EXISTS); then it is still the caller's. */
bool inbox_book_take(struct inbox *inbox, struct decision *decision, struct fault *why) MUST_USE;
/* Takes and stores a new one and gives it its id. On failure it is freed. */
bool inbox_book_add(struct inbox *inbox, struct decision *decision, struct fault *why) MUST_USE;
/* Tells listeners and webhook of it as it is. */
void inbox_book_announce(struct inbox *inbox, struct decision *decision);
/* Another state, stored and told; `by` is the audit's actor. False: nothing has changed. */
bool inbox_book_change(struct inbox *inbox, struct decision *decision, enum decision_state state,
	const struct decision_words *words, struct slice by, struct fault *why) MUST_USE;
/* The approval had its effect: used, or (of kinds that are used more than once) noted as such. */
bool inbox_book_use(struct inbox *inbox, struct decision *decision, struct fault *why) MUST_USE;
/* A state that holds in memory even when it cannot be stored: time is over, or the asker went. */
void inbox_book_end(struct inbox *inbox, struct decision *decision, enum decision_state state, struct slice by);

struct decision *inbox_book_find(const struct inbox *inbox, struct slice id);
/* The oldest open one of the same kind, requester and digest for which `fits` holds. */
struct decision *inbox_book_same(const struct inbox *inbox, enum decision_kind kind, struct slice requester,
	const uint8_t digest[SECRET_HASH_SIZE], bool (*fits)(const struct decision *decision));
/* Looks at what is over when the next one is. */
void inbox_book_schedule(struct inbox *inbox);
void inbox_book_finish(struct inbox *inbox); /* frees all */

/* A record of the trail. */
void inbox_book_audit(struct inbox *inbox, const struct decision *decision, struct slice by,
	const char *result, struct slice detail);

#endif
