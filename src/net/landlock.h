/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Landlock: forbids this process and all it starts to change anything in the file system but below
 * the named folders. Reading is not restricted. Only as a restriction that was asked for: where the
 * kernel has no Landlock it fails (FAULT_UNSUPPORTED), it never lets go silently.
 */
#ifndef HUSTINGS_NET_LANDLOCK_H
#define HUSTINGS_NET_LANDLOCK_H

#include "base/fault.h"

bool landlock_is_there(void);
/* `writable`: NULL ended; /dev is always added (its nodes have permissions of their own). The
 * process must have given up new privileges. */
bool landlock_restrict(const char *const *writable, struct fault *why) MUST_USE;

#endif
