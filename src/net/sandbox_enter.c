/* SPDX-License-Identifier: Apache-2.0 */
/* Sandbox enter: one step after the other, each of which fails closed. */
#include "net/sandbox_enter.h"
#include "net/launcher_limit.h"
#include "net/sandbox_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#define MOST_CAPABILITIES 64

static bool write_file(const char *path, const char *words, struct fault *why) {
	AUTO_CLOSE int file = open(path, O_WRONLY | O_CLOEXEC);
	if (file >= 0 && write(file, words, strlen(words)) == (ssize_t)strlen(words)) return true;
	return fault_errno(why, errno, "%s", path);
}

/* Where we were root bubblewrap has made none. In a namespace of its own the limit of processes
 * counts this child's alone, whoever else runs as the same user. */
static bool take_user_namespace(struct fault *why) {
	char map[64];
	uid_t user = geteuid();
	gid_t group = getegid();
	/* After a change of user the files of /proc/self are still root's. */
	if (prctl(PR_SET_DUMPABLE, 1) != 0) return fault_errno(why, errno, "PR_SET_DUMPABLE");
	if (unshare(CLONE_NEWUSER) != 0)
		return fault_errno(why, errno, "a user namespace (is user.max_user_namespaces 0?)");
	if (!write_file("/proc/self/setgroups", "deny", why)) return false;
	snprintf(map, sizeof map, "%u %u 1", user, user);
	if (!write_file("/proc/self/uid_map", map, why)) return false;
	snprintf(map, sizeof map, "%u %u 1", group, group);
	return write_file("/proc/self/gid_map", map, why);
}

/* The rest go with exec, since the user is not root; what they could be had from goes here. */
static bool drop_capabilities(struct fault *why) {
	for (int capability = 0; capability < MOST_CAPABILITIES; capability++) {
		if (prctl(PR_CAPBSET_READ, capability) != 1) continue;
		if (prctl(PR_CAPBSET_DROP, capability) != 0)
			return fault_errno(why, errno, "giving up capability %d", capability);
	}
	return true;
}

/* bubblewrap's process in there runs as the same user and could be reached into: it gets no more. */
static bool limit_first(struct fault *why) {
	static const int limits[] = {RLIMIT_CORE, RLIMIT_NOFILE, RLIMIT_DATA, RLIMIT_NPROC, RLIMIT_CPU};
	for (size_t i = 0; i < COUNT_OF(limits); i++) {
		struct rlimit ours;
		if (getrlimit(limits[i], &ours) == 0 && prlimit(1, limits[i], &ours, NULL) == 0) continue;
		return fault_errno(why, errno, "a limit of the first process");
	}
	return true;
}

static bool set_limits(const struct launcher_order *order, struct fault *why) {
	if (!launcher_limit(RLIMIT_DATA, order->memory_limit, "RLIMIT_DATA", why)) return false;
	if (order->cpu_seconds && !launcher_limit(RLIMIT_CPU, order->cpu_seconds, "RLIMIT_CPU", why)) return false;
	if (!launcher_limit(RLIMIT_NPROC, order->process_limit, "RLIMIT_NPROC", why)) return false;
	return order->user || limit_first(why);
}

bool sandbox_enter(const struct launcher_order *order, struct fault *why) {
	if (getuid() == 0 || geteuid() == 0)
		return fault_set(why, FAULT_UNSUPPORTED, "a sandboxed child would be root");
	if (order->user && !take_user_namespace(why)) return false;
	if (!drop_capabilities(why)) return false;
	/* When memory runs out they are the first to go. A wish: it changes no right. */
	(void)write_file("/proc/self/oom_score_adj", "1000", NULL);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return fault_errno(why, errno, "PR_SET_NO_NEW_PRIVS");
	/* Else bubblewrap has it from the launcher, for its own process as well. */
	if (order->user && !sandbox_filter_load(order->has_network, why)) return false;
	return set_limits(order, why); /* last, since all before needs some memory too */
}
