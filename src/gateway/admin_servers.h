/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Admin servers: the hosted servers seen and governed over HTTP (MGP 11, 15). What is secret (values
 * of the environment and of headers) is never shown.
 */
#ifndef HUSTINGS_GATEWAY_ADMIN_SERVERS_H
#define HUSTINGS_GATEWAY_ADMIN_SERVERS_H

#include "gateway/exchange.h"

void admin_servers_list(struct exchange *exchange);    /* GET /admin/servers */
void admin_servers_show(struct exchange *exchange);    /* GET /admin/servers/{id} */
void admin_servers_log(struct exchange *exchange);     /* GET /admin/servers/{id}/log: plain text */
void admin_servers_add(struct exchange *exchange);     /* POST /admin/servers: kernel/definition.h */
void admin_servers_remove(struct exchange *exchange);  /* DELETE /admin/servers/{id} */
void admin_servers_restart(struct exchange *exchange); /* POST /admin/servers/{id}/restart */
void admin_servers_revoke(struct exchange *exchange);  /* DELETE /admin/servers/{id}/permissions/{permission} */

#endif
