/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernel means: what every part of the kernel needs. Plain data, the kernel's (kernel/kernel.h); valid as
 * long as that is open. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_KERNEL_MEANS_H
#define HUSTINGS_KERNEL_KERNEL_MEANS_H

#include "decide/inbox.h"
#include "kernel/access.h"
#include "kernel/flow_settings.h"
#include "hosted/policy.h"
#include "store/audit.h"

struct call_figures;
struct call_rounds;
struct callbacks;
struct flows;
struct refusals;
struct registry;
struct events;
struct event_sources;
struct tool_creations;
struct tool_index;
struct tool_sessions;

struct kernel_means {
	struct loop *loop;
	struct log *log;
	struct hosted_servers *servers;
	struct state *state;
	struct spool *spool; /* of loop 0, for audit records */
	struct inbox *inbox;
	struct access *access;
	struct call_figures *call_figures;     /* call_figures.h */
	struct call_rounds *call_rounds;       /* call_rounds.h */
	struct callbacks *callbacks;           /* callbacks.h */
	struct refusals *refusals;             /* refusals.h */
	struct tool_sessions *tool_sessions;   /* tool_sessions.h */
	struct tool_index *tool_index;         /* tool_index.h */
	struct tool_creations *tool_creations; /* tool_creation.h */
	struct events *events;                 /* events.h */
	struct event_sources *event_sources;   /* event_sources.h */
	struct flows *flows;                   /* flows.h */
	struct flow_settings flow;             /* [flow] */
	struct policy policy;                  /* [kernel] */
	bool is_open;
	uint64_t opened_at;                /* loop ms */
	struct registry *registry;         /* registry.h; NULL: not yet */
	struct link *registrations;        /* mgp_registration.c's own: what waits for a decision */
	const char *const *register_allow; /* commands, one a line: arguments separated by 0x1f; may be NULL */
};

/* A record of the kernel's; what cannot be written is logged. */
void kernel_audit(const struct kernel_means *means, const struct audit_record *record);

#endif
