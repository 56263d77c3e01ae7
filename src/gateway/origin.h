/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Origin: where a browser's page came from, in its parts, and whether that is the very place that a request goes
 * to. Parsed and compared, never prefix-matched. No state.
 */
#ifndef HUSTINGS_GATEWAY_ORIGIN_H
#define HUSTINGS_GATEWAY_ORIGIN_H

#include "gateway/exchange.h"

struct origin {
	struct slice host; /* in the text that was read */
	unsigned port;     /* the scheme's own where none is written */
	bool is_secure;    /* https */
};

/* "https://name[:port]"; false: it is none ("null" and other schemes too). */
bool origin_read(struct slice text, struct origin *origin) MUST_USE;
/* An authority's port is not written where it is the scheme's own. */
unsigned origin_port(bool is_secure, unsigned port);
/* The place that this request names: its Host, with the scheme at which clients reach it (gateway.public_origin
 * where that has the same authority, else our own). False: the Host is none. */
bool origin_of_request(const struct exchange *exchange, struct origin *origin) MUST_USE;
bool origin_equal(const struct origin *a, const struct origin *b);

#endif
