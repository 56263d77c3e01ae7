/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Admin audit: the audit trail by HTTP: pages with the newest first, live (admin_audit_follow.h),
 * counted, and as a whole in a file's form. The filters are those of admin_audit_query.h.
 */
#ifndef HUSTINGS_GATEWAY_ADMIN_AUDIT_H
#define HUSTINGS_GATEWAY_ADMIN_AUDIT_H

#include "gateway/exchange.h"

void admin_audit(struct exchange *exchange);            /* GET /admin/audit */
void admin_audit_statistics(struct exchange *exchange); /* GET /admin/audit/statistics */
void admin_audit_export(struct exchange *exchange);     /* GET /admin/audit/export?format=csv|jsonl|mgp */

#endif
