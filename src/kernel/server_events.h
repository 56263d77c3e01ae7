/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Server events: what becomes of hosted servers, on the kernel's own channels: system.server_connected,
 * system.server_disconnected, system.error (docs/protocol.md). Those hear of it who may use the server. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_SERVER_EVENTS_H
#define HUSTINGS_KERNEL_SERVER_EVENTS_H

#include "kernel/events.h"

void server_events_moved(struct events *events, const struct hosted *hosted, enum hosted_state from,
	enum hosted_state to, const char *reason);
/* It is not restarted any more (MGP 11.5). */
void server_events_spent(struct events *events, const struct hosted *hosted);

#endif
