/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp_discovery: the methods of MGP 15.2, 15.4 and 15.5. Loop 0. */
#ifndef HUSTINGS_KERNEL_MGP_DISCOVERY_H
#define HUSTINGS_KERNEL_MGP_DISCOVERY_H

#include "kernel/mgp_ask.h"

/* The servers that the asker may use, those that its filter lets through. */
void mgp_discovery_list(struct mgp_ask *ask);

#endif
