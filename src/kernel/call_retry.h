/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call retry: whether a call is asked once more, because its server said that this may help (MGP 14.6)
 * and asking twice does no harm: a tool that only reads, or is idempotent. For kernel/ alone.
 */
#ifndef HUSTINGS_KERNEL_CALL_RETRY_H
#define HUSTINGS_KERNEL_CALL_RETRY_H

#include "kernel/call_run.h"

#define CALL_RETRIES 5 /* whatever a server says */

enum call_retry {
	CALL_RETRY_NOT,   /* the error is the answer */
	CALL_RETRY_LATER, /* the same, after *pause_ms */
	CALL_RETRY_OTHER, /* the tries are used up: *fallback, from the gates on; it lies in the arena */
};

enum call_retry call_retry(struct call *call, const struct hosted_answer *answer, uint64_t *pause_ms,
	struct slice *fallback);

#endif
