/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp_tools_session: the methods of MGP 16.7. Loop 0. */
#ifndef HUSTINGS_KERNEL_MGP_TOOLS_SESSION_H
#define HUSTINGS_KERNEL_MGP_TOOLS_SESSION_H

#include "kernel/mgp_ask.h"

#define MGP_TOOLS_EVICTED 256 /* names in one request */

void mgp_tools_session(struct mgp_ask *ask);
/* Answers what was taken out, what of the names is not cached, and what is pinned and stays. */
void mgp_tools_session_evict(struct mgp_ask *ask);

#endif
