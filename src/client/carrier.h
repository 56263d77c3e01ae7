/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Carrier: what takes whole JSON-RPC messages to an MCP server and brings its own: the pipes of a
 * process (client/spawned.h), or HTTP (client/remote.h). A table of functions at the front of each.
 *
 * Owned by whoever opened it; close() lets nothing be told any more, and what it holds goes by itself
 * while the loop runs. Nothing is told from inside of its functions.
 */
#ifndef HUSTINGS_CLIENT_CARRIER_H
#define HUSTINGS_CLIENT_CARRIER_H

#include "base/fault.h"
#include "base/slice.h"

#define CARRIER_MESSAGE ((size_t)64 << 20) /* octets of one message */

struct carrier;

struct carrier_events {
	void (*heard)(void *context, struct slice message);
	/* The server has forgotten our session: the handshake is due again. */
	void (*forgot)(void *context);
	/* The request of that id (JSON text) gets no answer. FAULT_NOT_READY: the server has not looked at
	 * it, since it knows nothing of the session it was of. */
	void (*failed)(void *context, struct slice id, const struct fault *why);
	/* What the server says without having been asked is heard from now on, or never: once after a
	 * legacy handshake, of carriers that need a stream of their own for it. */
	void (*opened)(void *context);
	/* The inputSchema of that tool, as far as it was listed; SLICE_NONE: it is not known. */
	struct slice (*schema)(void *context, struct slice tool);
	void (*ended)(void *context, const struct fault *why); /* once, for good */
};

struct carrier {
	/* `sent`, PEER_TAG octets, takes the id of a request: failed() names it. */
	bool (*send)(struct carrier *carrier, struct slice message, char *sent, struct fault *why);
	/* The handshake is over, or begins anew (version NULL). May be NULL. */
	void (*settle)(struct carrier *carrier, const char *version, bool is_modern);
	void (*close)(struct carrier *carrier);
};

#endif
