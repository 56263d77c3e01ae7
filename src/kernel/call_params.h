/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call params: what a request to a server holds beside its own matter, and what becomes of that on the
 * way: the trace id (MGP 6.5), `_mgp` (MGP 12.3). A server that does not speak MGP gets nothing of them
 * from an asker that does; one that does gets the trace id among the params. For kernel/ alone.
 */
#ifndef HUSTINGS_KERNEL_CALL_PARAMS_H
#define HUSTINGS_KERNEL_CALL_PARAMS_H

#include "kernel/call_run.h"

/* Reads name, arguments and trace id from the params that were lent; without a trace id one is minted. */
bool call_params_read(struct call *call, struct fault *why) MUST_USE;
/* The params as that server is to have them; as they are lent when nothing has to change. */
bool call_params_settle(struct call *call, struct fault *why) MUST_USE;
/* Another tool in its place (MGP 14.6), with the same arguments. */
bool call_params_rename(struct call *call, struct slice tool, struct fault *why) MUST_USE;

#endif
