/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call gates: what a request to a hosted server has to pass, in this order, whoever asks (DESIGN 3). The
 * name of the row is what the log, the audit and the refusal show. Gates never call one another.
 */
#ifndef HUSTINGS_KERNEL_CALL_GATES_H
#define HUSTINGS_KERNEL_CALL_GATES_H

#include "kernel/call_run.h"

extern const struct call_gate call_gates[];   /* tools/call; ends with a row without a name */
extern const struct call_gate guided_gates[]; /* interaction.start of a session that the tool's server leads */
extern const struct call_gate ask_gates[];    /* every other request */

#endif
