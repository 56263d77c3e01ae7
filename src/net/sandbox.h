/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sandbox: a child that is trusted with nothing but what its settings name.
 *
 * It has user, PID, IPC, UTS and (unless granted) network namespaces of its own, sees the system's
 * programs and the folder it works in and may change neither, finds /tmp and its home folder empty
 * and its own, is never uid 0, and is kept from the system calls that lead out (sandbox_filter.h).
 * What makes it up is bubblewrap, and our launcher inside of it. Where that cannot be had nothing
 * is started: there is no weaker kind of it.
 */
#ifndef HUSTINGS_NET_SANDBOX_H
#define HUSTINGS_NET_SANDBOX_H

#include "net/launcher_order.h"
#include "net/sandbox_view.h"

/* All zero is the strictest. Strings are borrowed by child_open() for the call alone. */
struct sandbox_settings {
	bool network;                /* the machine's, loopback included; without: a loopback of its own */
	const char *const *readable; /* NULL ended paths that it sees besides; may be NULL */
	const char *const *writable; /* the same, and it may change them; may be NULL */
	uint64_t memory_limit;       /* private octets of one process; 0: 1 GiB */
	uint64_t scratch_limit;      /* octets of each of /tmp, the home folder and /dev/shm; 0: 256 MiB */
	unsigned process_limit;      /* processes and threads together; 0: 128 */
	unsigned descriptor_limit;   /* of one process; 0: 1024 */
	unsigned cpu_seconds;        /* of one process; 0: no limit */
};

/* Whether a sandbox can be made here. The first call in a process tries it out, some 30 ms long (at
 * most 20 s): best made before the loop runs. Any thread. False with why (FAULT_UNSUPPORTED). */
bool sandbox_is_possible(struct fault *why) MUST_USE;

/* For child.c. Completes an order that has its arguments, environment, folder and hidden paths; the
 * view is handed out, and the order borrows from it. `user`: the uid and gid where we are root; 0:
 * nobody's. FAULT_UNSUPPORTED, or what is wrong with a path. */
bool sandbox_order(struct launcher_order *order, const struct sandbox_settings *settings,
	unsigned user, struct sandbox_view **view, struct fault *why) MUST_USE;
/* A TMPDIR of ours is no folder of the child's: it becomes /tmp, unless `additions` name one. */
void sandbox_environment(const char **environment, const char *const *additions);

#endif
