/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Refusals: which of them are worth a record of their own: the first of a principal at one gate of one
 * server at once, those that follow together, a minute later or more, as long as it goes on. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_REFUSALS_H
#define HUSTINGS_KERNEL_REFUSALS_H

#include "base/slice.h"
#include "net/loop.h"

#define REFUSALS_KNOWN 4096 /* principals and gates told apart; of others every refusal is told */

struct refusals;

/* More were counted, and the record before is a minute old: `count` of them, at least 1. */
typedef void refusals_told(void *context, struct slice principal, struct slice server, const char *gate,
	unsigned count);

struct refusals *refusals_open(struct loop *loop, refusals_told *told, void *context,
	struct fault *why) MUST_USE;
/* Tells what was counted. NULL is fine. */
void refusals_close(struct refusals *refusals);

/* True: this one is to be written now, as *count of them (1). False: it was counted. `gate` is static. */
bool refusals_count(struct refusals *refusals, struct slice principal, struct slice server,
	const char *gate, unsigned *count);
size_t refusals_known(const struct refusals *refusals); /* told apart now */

#endif
