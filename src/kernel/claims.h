/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claims: what a hosted server tells of itself as MGP notifications: audit events (MGP 6.3), changes of its
 * state (MGP 11.4). They are kept apart from what the kernel has seen itself, under the source
 * "server:ID", and change nothing. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_CLAIMS_H
#define HUSTINGS_KERNEL_CLAIMS_H

#include "kernel/governed.h"

#define CLAIMS_A_MINUTE 600 /* of one server; what is more is left out, and audited once as that */

/* `method` begins with "notifications/mgp."; what is malformed, or of an extension that was not agreed on, is
 * left out. */
void claims_take(struct governed *governed, struct slice method, const struct scan_value *params);

#endif
