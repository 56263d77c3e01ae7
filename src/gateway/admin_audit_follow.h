/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Admin audit follow: the trail live, as server-sent events.
 *
 *   event: record   data: the record as a page has it; live ones have no row yet
 *   event: missed   data: {"missed":N}, so many were left out: the reader was too far behind, or there
 *                   were too many at once; the pages have them
 *
 * With `since` or `limit` the newest stored records come first, the oldest of them first (at most
 * 1,000): those from before the millisecond after the request, stored at most 50 ms later, then all
 * others as they are added. `format=mgp` sends events as MGP 6.3 has them. A comment every 15 s shows
 * that it is alive; the stream ends when its token does.
 */
#ifndef HUSTINGS_GATEWAY_ADMIN_AUDIT_FOLLOW_H
#define HUSTINGS_GATEWAY_ADMIN_AUDIT_FOLLOW_H

#include "gateway/exchange.h"

#define FOLLOW_BEHIND (1024 * 1024) /* octets not taken: records are left out */

void admin_audit_follow(struct exchange *exchange);

#endif
