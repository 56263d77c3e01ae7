/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Admin: promotion and demotion (MCPx v0.1 10.3), and what administration writes to the trail.
 */
#ifndef HUSTINGS_GATEWAY_ADMIN_H
#define HUSTINGS_GATEWAY_ADMIN_H

#include "gateway/exchange.h"

#include "store/audit.h"

void admin_promote(struct exchange *exchange); /* POST /admin/participants/{id}/promote?topic= */
void admin_demote(struct exchange *exchange);  /* POST /admin/participants/{id}/demote?topic= */

/* A record of loop 0's own spool; the actor is the exchange's principal. */
void admin_record(struct exchange *exchange, const char *event, struct slice target,
	struct slice topic, const char *result);

#endif
