/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mgp_stream: the method mgp/stream/cancel (MGP 12.7): a request under way of the same client is stopped, and
 * what it has done so far is the answer; the request itself is answered once too. kernel/mgp_method.h. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_MGP_STREAM_H
#define HUSTINGS_KERNEL_MGP_STREAM_H

#include "kernel/mgp_ask.h"

#define MGP_STREAM_REASON 1024 /* octets of a reason; the rest is cut off */

void mgp_stream_cancel(struct mgp_ask *ask);

#endif
