/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Launcher exec: the last steps to a child's program, in the process that becomes it: session,
 * limits, user, no new privileges, Landlock, descriptors, folder, exec.
 *
 * What fails is told through LAUNCHER_REPORT: nothing before LAUNCHER_TRYING was written means that
 * it did not get this far; LAUNCHER_TRYING alone that exec worked; LAUNCHER_TRYING and a
 * launcher_failure that it did not.
 */
#ifndef HUSTINGS_NET_LAUNCHER_EXEC_H
#define HUSTINGS_NET_LAUNCHER_EXEC_H

#include "base/fault.h"
#include "net/launcher_order.h"

#define LAUNCHER_TRYING 'x'

/* In the keeper's forked copy, whose descriptors stand at their places. Does not return. */
_Noreturn void launcher_exec_begin(const struct launcher_order *order, int keeper);
/* The inner command child-exec, inside bubblewrap; its exit status. */
int launcher_exec_run(int argc, char **argv);

#endif
