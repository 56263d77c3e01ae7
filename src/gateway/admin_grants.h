/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Admin grants: who may use which hosted server or tool, over HTTP (MGP 5): the objects are those of
 * mgp/access/grant. For administrators.
 */
#ifndef HUSTINGS_GATEWAY_ADMIN_GRANTS_H
#define HUSTINGS_GATEWAY_ADMIN_GRANTS_H

#include "gateway/exchange.h"

void admin_grants_list(struct exchange *exchange);   /* GET /admin/grants?agent=&server= */
void admin_grants_add(struct exchange *exchange);    /* POST /admin/grants */
void admin_grants_remove(struct exchange *exchange); /* DELETE /admin/grants?entry_type=&agent_id=&server_id=&tool_name= */
void admin_grants_query(struct exchange *exchange);  /* GET /admin/grants/query?agent_id=&server_id=&tool_name= */

#endif
