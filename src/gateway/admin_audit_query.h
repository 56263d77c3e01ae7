/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Admin audit query: what a request to /admin/audit asks for, read from its query.
 *
 * since and until (a time of RFC 3339, or a span before now like 1h), actor, event, trace, server,
 * tool, topic, gate, result, source (kernel, claimed, server:ID).
 */
#ifndef HUSTINGS_GATEWAY_ADMIN_AUDIT_QUERY_H
#define HUSTINGS_GATEWAY_ADMIN_AUDIT_QUERY_H

#include "gateway/exchange.h"
#include "store/audit_filter.h"

/* The filter borrows from *strings, which the caller frees: it may outlive the exchange. False:
 * answered. */
bool admin_audit_query_read(struct exchange *exchange, struct audit_filter *filter, char **strings) MUST_USE;
/* Whether the query has `name` and it is 1 or true. False: answered; *is_set otherwise. */
bool admin_audit_query_switch(struct exchange *exchange, const char *name, bool *is_set) MUST_USE;

#endif
