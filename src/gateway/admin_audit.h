/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Admin audit: the audit trail, newest first.
 */
#ifndef HUSTINGS_GATEWAY_ADMIN_AUDIT_H
#define HUSTINGS_GATEWAY_ADMIN_AUDIT_H

#include "gateway/exchange.h"

void admin_audit(struct exchange *exchange); /* GET /admin/audit */

#endif
