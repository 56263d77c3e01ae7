/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosted seat authorization: MCPx ADR-001 in the room where a server sits: whom a call waits for, who answers, and what
 * becomes of it (docs/internals/authorization.md). Whoever speaks here is known by the gateway's own word, and has full
 * privilege: nobody else's requests and notifications of kind mcp pass the room's gates. Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_HOSTED_SEAT_AUTHORIZATION_H
#define HUSTINGS_GATEWAY_HOSTED_SEAT_AUTHORIZATION_H

#include "client/guest_options.h"
#include "gateway/hosted_seat_parts.h"

/* From now on the room hears of what is asked for there; until the end. */
void seat_authorizations_begin(struct hosted_seat *seat);
void seat_authorizations_end(struct hosted_seat *seat);
/* authorization/respond and authorization/revoke as requests. False: it is another method; else it takes the
 * question. */
bool seat_authorization_asked(struct hosted_seat *seat, struct slice from, struct peer_question *question,
	const struct jsonrpc *request);
/* The same as notifications: every envelope of the room. */
void seat_authorization_heard(struct hosted_seat *seat, const struct envelope *envelope, enum guest_moment moment);
/* Of struct hosted_ask_events: who asked is told that its call waits. */
bool seat_authorizing(struct hosted_ask *ask, const struct hosted_answer *error, struct slice id, bool is_twice);
/* The outcome, `member` "result" or "error" with its JSON text, of an errand whose asker was told so: takes the
 * question. */
void seat_authorization_resolved(struct seat_errand *errand, const char *member, struct slice outcome);

#endif
