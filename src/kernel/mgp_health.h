/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mgp_health: the methods of MGP 11.3 and 11.4: of the kernel itself, and of a hosted server that is named: one
 * that speaks `lifecycle` is asked, of any other is told what is known here. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_MGP_HEALTH_H
#define HUSTINGS_KERNEL_MGP_HEALTH_H

#include "kernel/mgp_ask.h"

void mgp_health_ping(struct mgp_ask *ask);
void mgp_health_status(struct mgp_ask *ask);
void mgp_lifecycle_shutdown(struct mgp_ask *ask); /* administrators; of a hosted server */

#endif
