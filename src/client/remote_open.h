/* SPDX-License-Identifier: Apache-2.0 */
/* Remote open: a remote server as a carrier, from its opening to its end. */
#ifndef HUSTINGS_CLIENT_REMOTE_OPEN_H
#define HUSTINGS_CLIENT_REMOTE_OPEN_H

#include "client/remote.h"

/* FAULT_BAD_INPUT: the url or a header. Nothing is sent yet. */
struct carrier *remote_open(struct loop *loop, struct fetch_desk *desk,
	const struct remote_options *options, const struct carrier_events *events, void *context,
	struct fault *why) MUST_USE;

#endif
