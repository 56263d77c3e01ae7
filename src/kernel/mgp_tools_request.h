/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mgp_tools_request: the method of MGP 16.6: an agent names the capabilities that its task lacks, and the tool
 * that fits each best is loaded into its context. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_MGP_TOOLS_REQUEST_H
#define HUSTINGS_KERNEL_MGP_TOOLS_REQUEST_H

#include "kernel/mgp_ask.h"

#define MGP_TOOLS_MET 0.4 /* relevance from which on a tool meets a capability (docs/internals/tools.md) */

void mgp_tools_request(struct mgp_ask *ask);

#endif
