/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call decision: a call that waits for people: at the gate `authorization`, where its tool's owner wants it decided
 * upon, or at the gate `approval`, where it is dangerous. One question serves both. What was approved before and
 * still holds is not asked again. For the gates alone. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_CALL_DECISION_H
#define HUSTINGS_KERNEL_CALL_DECISION_H

#include "kernel/call_run.h"

/* Whether its server's policy wants this tool's calls to be approved (MGP 4.4). The tool has its security. */
bool call_decision_wants_approval(const struct call *call, const struct tool *tool);
/* Passes where such an approval stands, else asks and holds. Requester, server, tool and arguments are filled in. */
enum call_verdict call_decision_ask(struct call *call, const struct decision_wish *wish);
/* CALL_PASS: somebody has said yes. */
enum call_verdict call_decision_approved(struct call *call);

#endif
