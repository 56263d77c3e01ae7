/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sandbox filter: the system calls that this process and all it starts are kept from (seccomp).
 *
 * A list of what is refused, as container runtimes have one: what leads out of the sandbox, reaches
 * into other processes, opens a kernel's seldom walked corners, or takes memory that no limit
 * counts. They answer EPERM, or as a kernel without them does where programs then take another way.
 * Calls that are younger than the list are refused too.
 */
#ifndef HUSTINGS_NET_SANDBOX_FILTER_H
#define HUSTINGS_NET_SANDBOX_FILTER_H

#include "base/fault.h"

/* has_network: the machine's own network is reached, and with it the abstract sockets of others, so
 * no socket of the family AF_UNIX is given. Both: FAULT_UNSUPPORTED, FAULT_NO_MEMORY.
 * For this process, which must have given up new privileges. */
bool sandbox_filter_load(bool has_network, struct fault *why) MUST_USE;
/* As an anonymous file to be read from its beginning, close-on-exec, for bubblewrap; -1 with why. */
int sandbox_filter_file(bool has_network, struct fault *why) MUST_USE;

#endif
