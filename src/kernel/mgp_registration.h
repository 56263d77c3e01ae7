/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mgp_registration: servers that callers bring along (MGP 15.4, 15.5; docs/protocol.md). A request body
 * starts no process: a registration opens a decision, unless its very command stands in
 * kernel.register_allow. What is registered belongs to who asked (`created_by`), is remembered, and is trusted
 * no more than `sandboxed` when an agent brought it. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_MGP_REGISTRATION_H
#define HUSTINGS_KERNEL_MGP_REGISTRATION_H

#include "kernel/mgp_ask.h"

/* Registrations that nobody has decided about yet wait on after a restart. */
bool mgp_registration_restore(const struct kernel_means *means, struct fault *why) MUST_USE;
/* Nobody waits for them any more; the decisions stay open. */
void mgp_registration_end(const struct kernel_means *means);

/* A registered server goes, and with it the grant that its creator got for it. */
bool mgp_registration_remove(const struct kernel_means *means, struct hosted *hosted, struct fault *why) MUST_USE;

void mgp_discovery_register(struct mgp_ask *ask);
/* By who registered it, or an administrator. */
void mgp_discovery_deregister(struct mgp_ask *ask);

#endif
