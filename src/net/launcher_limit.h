/* SPDX-License-Identifier: Apache-2.0 */
/* Launcher limit: a resource limit of this process and all it starts, soft and hard alike. */
#ifndef HUSTINGS_NET_LAUNCHER_LIMIT_H
#define HUSTINGS_NET_LAUNCHER_LIMIT_H

#include "base/fault.h"

/* `which`: RLIMIT_*, and its name for people. One above the hard limit is lowered to it: that is
 * stricter than what was asked for. */
bool launcher_limit(int which, uint64_t value, const char *name, struct fault *why) MUST_USE;

#endif
