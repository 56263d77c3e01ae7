/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rest session: signing in to the console and out of it, and who one is (docs/protocol.md). Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_REST_SESSION_H
#define HUSTINGS_GATEWAY_REST_SESSION_H

#include "gateway/exchange.h"

#define REST_SESSION_BODY (8 * 1024) /* octets of a sign-in */

void rest_session_begin(struct exchange *exchange); /* POST /v0/session {"token"} or {"ticket"} */
void rest_session_show(struct exchange *exchange);  /* GET /v0/session */
void rest_session_end(struct exchange *exchange);   /* DELETE /v0/session */
/* POST /v0/tickets {"console":true}: a one-use ticket with which the same principal signs in. */
void rest_session_ticket(struct exchange *exchange);

#endif
