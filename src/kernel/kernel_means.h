/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel means: what every part of the kernel needs. Plain data, the kernel's (kernel/kernel.h); valid as
 * long as that is open. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_KERNEL_MEANS_H
#define HUSTINGS_KERNEL_KERNEL_MEANS_H

#include "decide/inbox.h"
#include "kernel/access.h"
#include "hosted/policy.h"
#include "store/audit.h"

struct refusals;
struct registry;

struct kernel_means {
	struct loop *loop;
	struct log *log;
	struct hosted_servers *servers;
	struct state *state;
	struct spool *spool; /* of loop 0, for audit records */
	struct inbox *inbox;
	struct access *access;
	struct refusals *refusals; /* refusals.h */
	struct policy policy;      /* [kernel] */
	bool is_open;
	uint64_t opened_at;                /* loop ms */
	struct registry *registry;         /* registry.h; NULL: not yet */
	struct link *registrations;        /* mgp_registration.c's own: what waits for a decision */
	const char *const *register_allow; /* commands, one a line: arguments separated by 0x1f; may be NULL */
};

/* A record of the kernel's; what cannot be written is logged. */
void kernel_audit(const struct kernel_means *means, const struct audit_record *record);

#endif
