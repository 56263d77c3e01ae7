/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Websocket uplink: one WebSocket connection to a gateway, from the dial to its end (RFC 6455, client
 * role). One that hears nothing for UPLINK_SILENCE pings, and ends when it stays silent.
 */
#ifndef HUSTINGS_CLIENT_WEBSOCKET_UPLINK_H
#define HUSTINGS_CLIENT_WEBSOCKET_UPLINK_H

#include "client/gateway_url.h"
#include "client/uplink.h"
#include "net/tls.h"

#define UPLINK_PATIENCE 30000 /* ms from the dial to the 101 */
#define UPLINK_SILENCE 30000  /* ms */

struct websocket_uplink_options {
	const struct gateway_url *url; /* these are borrowed until the return */
	struct slice target;           /* path and query */
	struct slice token;            /* length 0: none */
	struct tls *tls;               /* of a secure URL; stays until the close */
};

/* Any octets a header cannot hold in the token: FAULT_BAD_INPUT. */
struct uplink *websocket_uplink_open(struct loop *loop,
	const struct websocket_uplink_options *options, const struct uplink_events *events,
	void *context, struct fault *why) MUST_USE;

#endif
