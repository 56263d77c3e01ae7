/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ticket: one way in, once, for browsers. Two sorts, each in a table of its own, so that neither passes for
 * the other: to a room's WebSocket, within 30 s, bound to a principal and a topic; and to the console, within
 * ten minutes, bound to a principal and to no topic. Loop 0, in memory, bounded.
 */
#ifndef HUSTINGS_AUTH_TICKET_H
#define HUSTINGS_AUTH_TICKET_H

#include "auth/principal.h"
#include "net/loop.h"

#define TICKET_LIFE_MS 30000
#define TICKET_TEXT 44
#define TICKETS 10000

#define TICKET_SIGN_IN_LIFE_MS (10 * 60 * 1000)
#define TICKETS_SIGN_IN 1000
#define TICKETS_SIGN_IN_OF_ONE 8 /* of one identity: then its oldest goes */

struct tickets;

struct tickets *tickets_open(struct loop *loop, struct fault *why) MUST_USE;         /* to rooms */
struct tickets *tickets_open_sign_in(struct loop *loop, struct fault *why) MUST_USE; /* to the console; no topic */
void tickets_close(struct tickets *tickets);
/* Keeps the principal until used or over. */
bool ticket_make(struct tickets *tickets, struct principal *principal, struct slice topic,
	char ticket[TICKET_TEXT], struct fault *why) MUST_USE;
/* The principal, handed out; NULL: FAULT_REFUSED (unknown, used, over, or another topic). */
struct principal *ticket_take(struct tickets *tickets, struct slice ticket, struct slice topic,
	struct fault *why) MUST_USE;
/* Throws away the tickets of a revoked token or identity (empty: any). */
void tickets_revoke(struct tickets *tickets, struct slice token_id, struct slice id);

#endif
