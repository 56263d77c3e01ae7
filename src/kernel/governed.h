/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Governed: a hosted server as the kernel governs it: its policy, its permissions, its tools, who uses
 * it how much. One for each struct hosted, made when that is added and freed when it is removed
 * (kernel/kernel.h).
 */
#ifndef HUSTINGS_KERNEL_GOVERNED_H
#define HUSTINGS_KERNEL_GOVERNED_H

#include "hosted/hosted.h"
#include "kernel/kernel_means.h"

struct permissions; /* permissions.h */
struct tools;       /* tools.h */
struct usage;       /* usage.h */
struct health;      /* health.h */
struct flow_speech; /* flow_speech.h */

struct governed {
	const struct kernel_means *means;
	struct hosted *hosted;
	struct policy policy; /* settled; strings are the settings' */
	struct mgp_agreed agreed[HOSTED_ERAS];
	struct permissions *permissions;
	struct tools *tools[HOSTED_ERAS];
	struct usage *usage;
	struct health *health;
	struct flow_speech *speech;
	struct link calls; /* struct call */
	size_t call_count;
	bool has_network, has_writable; /* that its sandbox was made with */
	const char *writable[2];        /* folders of a sandboxed one */
	uint64_t connected_at;          /* loop ms; 0: it is not */
	uint64_t claims_at;             /* loop ms; when the minute began whose claims are counted (claims.h) */
	unsigned claims;
	uint64_t events_at; /* the same of its events (event_sources.h) */
	unsigned events;
	bool is_ending; /* it is removed: nothing new is begun */
};

/* The governed server behind a hosted one; NULL: nobody governs it. */
static inline struct governed *governed_of(const struct hosted *hosted) { return hosted_governed(hosted); }

#endif
