/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Audit forwarder: every audit event, of the kernel and of rooms, as notifications/mgp.audit to the audit
 * server (MGP 6.3): the hosted server that `kernel.audit_server` names, in one of its open conversations
 * that has agreed on the extension `audit`. The trail itself is written in any case.
 *
 * Nobody waits for it. While there is no such conversation, or it does not keep up, events wait here, at
 * most AUDIT_FORWARD_EVENTS of AUDIT_FORWARD_OCTETS in all; those that come then are dropped, and the
 * number is logged and audited, at once and then by the minute. An event counts as forwarded when the
 * conversation has taken it. What the audit server claims itself is not said to it again, nor that its own
 * events were dropped, so that no event leads to another.
 *
 * Loop 0. Owned: audit_forwarder_open(), audit_forwarder_close() before the hosted servers are closed.
 */
#ifndef HUSTINGS_KERNEL_AUDIT_FORWARDER_H
#define HUSTINGS_KERNEL_AUDIT_FORWARDER_H

#include "kernel/kernel_means.h"
#include "store/store.h"

#define AUDIT_FORWARD_EVENTS 4096
#define AUDIT_FORWARD_OCTETS ((size_t)4 * 1024 * 1024)
#define AUDIT_FORWARD_BEHIND ((size_t)256 * 1024) /* octets that a conversation has not taken: it rests */

struct audit_forwarder;

/* `means` and `store` outlive it. It forwards to nobody yet. */
struct audit_forwarder *audit_forwarder_open(const struct kernel_means *means, struct store *store,
	struct fault *why) MUST_USE;
void audit_forwarder_close(struct audit_forwarder *forwarder); /* NULL is fine */

/* The audit server from now on, copied; NULL: none. One that is not hosted yet may come. What waits for
 * another one is dropped. False: nothing has changed; FAULT_BAD_INPUT: no server has such an id. */
bool audit_forwarder_aim(struct audit_forwarder *forwarder, const char *server, struct fault *why) MUST_USE;

size_t audit_forwarder_waiting(const struct audit_forwarder *forwarder);   /* events */
uint64_t audit_forwarder_dropped(const struct audit_forwarder *forwarder); /* in all */

#endif
