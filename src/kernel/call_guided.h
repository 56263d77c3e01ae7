/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call guided: whether a tool's server may lead a guided session of it by itself (MCP Flow). Such a tool runs inside
 * its server, where the gates of a call never see its arguments. So it may where the gates that look at arguments, or
 * ask people, have nothing to ask of this tool and this asker, whatever the arguments are: no validator, no approval,
 * no authorization. Every other tool is led by its input schema, and its call passes all gates. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_CALL_GUIDED_H
#define HUSTINGS_KERNEL_CALL_GUIDED_H

#include "kernel/call_run.h"

bool call_guided_may(const struct governed *governed, const struct tool *tool, struct slice principal);
/* The same as a gate: 4002, where that has changed since the session was asked for. */
enum call_verdict call_guided_gate(struct call *call);

#endif
