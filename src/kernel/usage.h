/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Usage: how much each principal uses one server: calls under way, per window, per quota (MGP 14.3:
 * 3000, 3001, 3002). Lies in struct governed. Counted in memory; a quota begins anew with the gateway.
 * Loop 0.
 */
#ifndef HUSTINGS_KERNEL_USAGE_H
#define HUSTINGS_KERNEL_USAGE_H

#include "mcp/mgp_error.h"
#include "hosted/policy.h"

#define USAGE_PRINCIPALS 4096 /* of one server that are told apart; others wait for a place: 3001 */

struct usage;

struct usage *usage_open(struct fault *why) MUST_USE;
void usage_close(struct usage *usage); /* NULL is fine */

/* 0: one more call of this principal is under way, until usage_leave(). Else the code it is refused with,
 * and what to say about it: `details` is a JSON object ({"limit":10,"window_secs":60,"current":12}). */
int usage_enter(struct usage *usage, const struct policy *policy, struct slice principal, uint64_t now_ms,
	uint64_t *retry_after_ms, struct text *details);
void usage_leave(struct usage *usage, struct slice principal);

#endif
