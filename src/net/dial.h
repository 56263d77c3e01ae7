/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dial: connects to HOST:PORT, names resolved off the loop, every address tried in order within one
 * deadline. `done` is called exactly once, never before dial_open() returns, unless dial_close()
 * came first.
 */
#ifndef HUSTINGS_NET_DIAL_H
#define HUSTINGS_NET_DIAL_H

#include "net/loop.h"

struct dial;

/* descriptor: connected and the callee's, or -1 with why. */
typedef void dial_done(void *context, int descriptor, const struct fault *why);

struct dial *dial_open(struct loop *loop, const char *host, unsigned port, uint64_t deadline_ms,
	dial_done *done, void *context, struct fault *why) MUST_USE;
void dial_close(struct dial *dial); /* gives up; also frees after done */

#endif
