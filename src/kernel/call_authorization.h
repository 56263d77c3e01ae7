/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call authorization: the gate at which a tool's owner lets somebody call it, refuses, or has it decided upon (MCPx
 * ADR-001): by [servers.authorization] of its server, else by what the tool says of itself. Who decides: the delegate,
 * else the deciders that are configured, else administrators and, where it was asked in a room, everybody there with
 * full privilege. A tool's own words never make a dangerous call easier: where MGP wants an approval as well, neither the
 * room nor a delegate of the tool's choice gives it. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_CALL_AUTHORIZATION_H
#define HUSTINGS_KERNEL_CALL_AUTHORIZATION_H

#include "kernel/call_run.h"

enum call_verdict call_authorization_gate(struct call *call);

#endif
