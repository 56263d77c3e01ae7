/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Health: whether a server still lives, as asked every policy.health_interval_ms (MGP 11.3): by
 * mgp/health/ping where MGP's `lifecycle` is agreed on, by MCP's ping where not, within HEALTH_ANSWER_MS.
 * `degraded` warns and shows; `unhealthy` (said, or no answer) HEALTH_STRIKES times in a row restarts it
 * under its policy (docs/protocol.md). And its good-bye: mgp/lifecycle/shutdown before it is stopped (MGP
 * 11.4). A plain server that is at
 * work is not asked: many answer nothing meanwhile. Lies in struct governed. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_HEALTH_H
#define HUSTINGS_KERNEL_HEALTH_H

#include "kernel/governed.h"

#define HEALTH_ANSWER_MS 5000 /* MGP 11.3 */
#define HEALTH_STRIKES 3

struct health *health_open(struct governed *governed, struct fault *why) MUST_USE;
void health_close(struct health *health); /* NULL is fine */

/* The governor's (kernel/kernel.c, struct hosted_governor). */
void health_gone(struct health *health, struct hosted_child *child);
bool health_leaving(struct health *health, struct hosted_child *child, uint64_t patience_ms);

/* Why the next stop happens, a reason of MGP 11.4 (static): "operator_request" when nothing was said. */
void health_set_reason(struct health *health, const char *reason);
const char *health_reason(const struct health *health); /* "operator_request" when nothing was said */

#endif
