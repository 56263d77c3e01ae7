/* SPDX-License-Identifier: Apache-2.0 */
/* Fetch desk: one loop's outgoing requests (net/fetch.h); connections are kept and reused. */
#ifndef HUSTINGS_NET_FETCH_DESK_H
#define HUSTINGS_NET_FETCH_DESK_H

#include "net/loop.h"

struct fetch_desk;

struct fetch_desk *fetch_desk_open(struct loop *loop, struct fault *why) MUST_USE;
/* Ends what is under way without callbacks; each fetch is still its owner's to close. NULL is fine. */
void fetch_desk_close(struct fetch_desk *desk);

#endif
