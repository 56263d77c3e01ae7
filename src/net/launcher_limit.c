/* SPDX-License-Identifier: Apache-2.0 */
/* Launcher limit: never above what there is. */
#include "net/launcher_limit.h"

#include <errno.h>
#include <sys/resource.h>

bool launcher_limit(int which, uint64_t value, const char *name, struct fault *why) {
	struct rlimit now;
	if (getrlimit(which, &now) != 0) return fault_errno(why, errno, "%s", name);
	rlim_t wanted = value < now.rlim_max ? (rlim_t)value : now.rlim_max;
	struct rlimit limits = {.rlim_cur = wanted, .rlim_max = wanted};
	return setrlimit(which, &limits) == 0 || fault_errno(why, errno, "%s", name);
}
