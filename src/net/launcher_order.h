/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launcher order: how a child is to be started, as one block of octets in an anonymous file.
 *
 * It goes to the keeper by a descriptor: arguments of a process are readable by everybody on the
 * machine and its environment by its heirs, and both may hold secrets. The reader owns the block
 * its strings lie in.
 */
#ifndef HUSTINGS_NET_LAUNCHER_ORDER_H
#define HUSTINGS_NET_LAUNCHER_ORDER_H

#include "base/fault.h"

struct launcher_order {
	const char *const *arguments;   /* NULL ended; at least one */
	const char *const *environment; /* all of it, NULL ended */
	const char *const *hidden;      /* NULL ended; may be NULL */
	const char *const *writable;    /* NULL ended; NULL: not restricted */
	const char *const *view;        /* NULL ended; sandboxed: bubblewrap's arguments (sandbox_view.h); NULL: not */
	const char *directory;          /* NULL: where we are */
	const char *bubblewrap;         /* its path; NULL: not contained */
	uint64_t memory_limit;          /* 0: none */
	uint32_t descriptor_limit;
	uint32_t user; /* when we are root: uid and gid to be; 0: as we are */
	/* The rest when it is sandboxed. */
	uint32_t process_limit;
	uint32_t cpu_seconds; /* 0: no limit */
	bool has_network;     /* the machine's */
};

/* Descriptors of a keeper and of what it starts. */
enum launcher_descriptor {
	LAUNCHER_CONTROL = 3, /* keeper: to the gateway */
	LAUNCHER_ORDER = 4,
	LAUNCHER_REPORT = 5,  /* child-exec: to the keeper */
	LAUNCHER_PROGRAM = 6, /* child-exec: our own program, when bubblewrap stands between */
	LAUNCHER_FILTER = 7,  /* bubblewrap: the filter of system calls of what it starts */
	LAUNCHER_ABOVE = 10,  /* no descriptor from here on is one of these */
};

/* The anonymous file, close-on-exec; -1 with why. */
int launcher_order_write(const struct launcher_order *order, struct fault *why) MUST_USE;
/* Of this descriptor, which stays open and where it stands. NULL with why. */
struct launcher_order *launcher_order_read(int descriptor, struct fault *why) MUST_USE;
void launcher_order_free(struct launcher_order *order);
AUTO_RELEASE(launcher_order, launcher_order_free)

#endif
