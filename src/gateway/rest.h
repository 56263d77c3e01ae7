/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rest: what a script does by HTTP (MCPx v0 5.3 and docs/protocol.md): tickets, and messages.
 */
#ifndef HUSTINGS_GATEWAY_REST_H
#define HUSTINGS_GATEWAY_REST_H

#include "gateway/exchange.h"

void rest_ticket(struct exchange *exchange);  /* POST /v0/tickets {"topic"} or {"console":true} */
void rest_message(struct exchange *exchange); /* POST /v0/topics/{topic}/messages */

#endif
