/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims: what a hosted server tells of itself as MGP notifications: audit events (MGP 6.3), changes of its
 * state (MGP 11.4). They are kept apart from what the kernel has seen itself, under the source
 * "server:ID", and change nothing. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_CLAIMS_H
#define HUSTINGS_KERNEL_CLAIMS_H

#include "kernel/governed.h"

/* `method` begins with "notifications/mgp."; what is malformed is left out. */
void claims_take(struct governed *governed, struct slice method, const struct scan_value *params);

#endif
