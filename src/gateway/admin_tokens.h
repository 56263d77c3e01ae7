/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Admin tokens: tokens made, listed and revoked over HTTP.
 */
#ifndef HUSTINGS_GATEWAY_ADMIN_TOKENS_H
#define HUSTINGS_GATEWAY_ADMIN_TOKENS_H

#include "gateway/exchange.h"

void admin_tokens_create(struct exchange *exchange);    /* POST /admin/tokens */
void admin_tokens_list(struct exchange *exchange);      /* GET /admin/tokens */
void admin_tokens_revoke(struct exchange *exchange);    /* DELETE /admin/tokens/{tokenId} */
void admin_tokens_revoke_id(struct exchange *exchange); /* DELETE /admin/tokens?id=ID */

#endif
