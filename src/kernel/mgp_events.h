/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mgp_events: mgp/events/subscribe, unsubscribe (MGP 13.2) and replay (docs/protocol.md), of the extension
 * `bidirectional`. A channel that the kernel has not itself is asked of the servers that the asker may use, for
 * EVENT_SOURCE_MS at most. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_MGP_EVENTS_H
#define HUSTINGS_KERNEL_MGP_EVENTS_H

#include "kernel/mgp_ask.h"

void mgp_events_subscribe(struct mgp_ask *ask);
void mgp_events_unsubscribe(struct mgp_ask *ask);
void mgp_events_replay(struct mgp_ask *ask);

#endif
