/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Family: every living descendant of a process, read from /proc: also those that left its session
 * or process group, as long as the process is their sub-reaper.
 */
#ifndef HUSTINGS_NET_FAMILY_H
#define HUSTINGS_NET_FAMILY_H

#include "base/fault.h"

/* Sends the signal to all descendants of `root`, not to root itself and not to `spared` (0: none).
 * One look; who forks in between is met by the next one. */
bool family_signal(int root, int number, int spared, struct fault *why) MUST_USE;
/* The first child of `parent` found; 0: none. */
int family_child(int parent);

#endif
