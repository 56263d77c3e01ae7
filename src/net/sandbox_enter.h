/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sandbox enter: the last steps of a sandboxed child inside bubblewrap, in the process that becomes
 * it, when it has its user already: namespace of users, limits, no capability, no new privileges,
 * the filter of system calls. There is no way back.
 */
#ifndef HUSTINGS_NET_SANDBOX_ENTER_H
#define HUSTINGS_NET_SANDBOX_ENTER_H

#include "net/launcher_order.h"

bool sandbox_enter(const struct launcher_order *order, struct fault *why) MUST_USE;

#endif
