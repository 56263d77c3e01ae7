/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sandbox view: what a sandboxed child sees, as arguments of bubblewrap.
 *
 * It begins with nothing. What is shown is added: the system's programs, the tools that people keep
 * in their home folder, the folder the child works in, what its settings name. What must never be
 * seen is laid over it last, so that nothing that was added can bring it back. Paths are resolved
 * first, symbolic links and all.
 */
#ifndef HUSTINGS_NET_SANDBOX_VIEW_H
#define HUSTINGS_NET_SANDBOX_VIEW_H

#include "base/fault.h"

/* What is wanted; borrowed for the call. */
struct sandbox_wish {
	const char *const *readable; /* NULL ended; may be NULL, as the next two */
	const char *const *writable;
	const char *const *hidden;
	const char *directory; /* it works in; NULL: ours */
	const char *home;      /* as the child's HOME says; may be NULL */
	uint64_t scratch_limit;
	bool network;
	bool has_user; /* bubblewrap runs as root, and the child gets its user later */
};

struct sandbox_view {
	const char **arguments; /* of bubblewrap, but for its own name and the command; NULL ended */
	const char *directory;  /* resolved; /tmp, where ours holds what is not shown */
};

struct sandbox_view *sandbox_view_make(const struct sandbox_wish *wish, struct fault *why) MUST_USE;
void sandbox_view_free(struct sandbox_view *view); /* NULL is fine */
AUTO_RELEASE(sandbox_view, sandbox_view_free)

#endif
