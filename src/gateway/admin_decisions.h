/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Admin decisions: questions to people over HTTP (docs/internals/decisions.md). An administrator sees
 * all; who is named as a decider sees those that name it, with its own token. Without a token nobody
 * does, in open mode too.
 */
#ifndef HUSTINGS_GATEWAY_ADMIN_DECISIONS_H
#define HUSTINGS_GATEWAY_ADMIN_DECISIONS_H

#include "gateway/exchange.h"

void admin_decisions_list(struct exchange *exchange);   /* GET /admin/decisions?state=&kind=&wait=&after= */
void admin_decisions_show(struct exchange *exchange);   /* GET /admin/decisions/{id} */
void admin_decisions_answer(struct exchange *exchange); /* POST /admin/decisions/{id}: decision_body.h */
void admin_decisions_revoke(struct exchange *exchange); /* DELETE /admin/decisions/{id} */

#endif
