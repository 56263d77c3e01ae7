/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rest proposals: a room's book, and settling an entry (MCPx v0.1 10.2).
 */
#ifndef HUSTINGS_GATEWAY_REST_PROPOSALS_H
#define HUSTINGS_GATEWAY_REST_PROPOSALS_H

#include "gateway/exchange.h"

void rest_proposals(struct exchange *exchange);         /* GET /v0/topics/{topic}/proposals */
void rest_proposal_withdraw(struct exchange *exchange); /* POST .../proposals/{id}/withdraw */
void rest_proposal_reject(struct exchange *exchange);   /* POST .../proposals/{id}/reject */

#endif
