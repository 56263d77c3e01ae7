/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decision watch: requests that wait for changes of decisions: one answer when there is something to
 * say (long polling), or every change as a server-sent event for as long as the client listens. A
 * reader that does not take what it is told is dropped; so is one whose token is no longer good.
 */
#ifndef HUSTINGS_GATEWAY_DECISION_WATCH_H
#define HUSTINGS_GATEWAY_DECISION_WATCH_H

#include "gateway/decision_filter.h"

#define DECISION_WATCH_MOST 256             /* at a time */
#define DECISION_WATCH_OTHERS 128           /* beyond, administrators alone: nobody keeps them out */
#define DECISION_WATCH_BEHIND (1024 * 1024) /* octets not taken */
#define DECISION_WATCH_WAIT_S 300           /* seconds that a poll waits at most */

/* Answers when the version is another than `after` (0: when the list is not empty), or after the wait. */
void decision_watch_poll(struct exchange *exchange, const struct decision_filter *filter, uint64_t wait_s,
	uint64_t after);
/* Events `decision` with a record each: the pending ones (or those of the state that was asked for),
 * then every change. */
void decision_watch_stream(struct exchange *exchange, const struct decision_filter *filter);

#endif
