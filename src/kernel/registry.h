/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registry: hosted servers that are added and removed while the gateway runs. They are remembered in
 * DATA/state.db and are there again after a restart; those of the configuration file come first, and
 * one of the same id keeps a remembered one from starting, which is logged.
 *
 * Loop 0. Owned: registry_open() after the configured servers were added, registry_close() before
 * hosted_servers_close().
 */
#ifndef HUSTINGS_KERNEL_REGISTRY_H
#define HUSTINGS_KERNEL_REGISTRY_H

#include "kernel/definition.h"
#include "store/server_rows.h"

struct registry;

/* Adds and starts what is remembered. */
struct registry *registry_open(struct hosted_servers *servers, struct state *state, struct log *log,
	struct fault *why) MUST_USE;
void registry_close(struct registry *registry); /* NULL is fine */

/* Added, remembered and started; NULL: nothing of the three. FAULT_BAD_INPUT, FAULT_EXISTS, FAULT_FULL. */
struct hosted *registry_add(struct registry *registry, struct slice definition, struct slice by,
	struct fault *why) MUST_USE;
/* Its processes end at once. FAULT_EXISTS: the configuration has it, and must lose it first. */
bool registry_remove(struct registry *registry, struct hosted *hosted, struct fault *why) MUST_USE;

#endif
