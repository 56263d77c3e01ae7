/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Uplink: one WebSocket connection to a gateway, from the dial to its end (RFC 6455, client role).
 *
 * Callback contract: `opened` at most once, then `arrived` any number of times, then `ended` once
 * (network, refusal, close frame, silence); never from inside uplink_open() or uplink_send(). The
 * owner calls uplink_close() afterwards, or at any time, also inside callbacks; nothing is called
 * after that. An uplink that hears nothing for UPLINK_SILENCE pings, and ends when it stays silent.
 */
#ifndef HUSTINGS_CLIENT_UPLINK_H
#define HUSTINGS_CLIENT_UPLINK_H

#include "client/gateway_url.h"
#include "net/loop.h"
#include "net/tls.h"

#define UPLINK_PATIENCE 30000 /* ms from the dial to the 101 */
#define UPLINK_SILENCE 30000  /* ms */
#define UPLINK_MESSAGE (16u << 20)
#define UPLINK_BEHIND ((size_t)16 << 20) /* octets that may wait for the socket */

struct uplink;

struct uplink_end {
	unsigned status;    /* of an answer other than 101; 0: none */
	unsigned code;      /* of the close frame; 0: none came */
	struct fault fault; /* in words, always set */
};

struct uplink_events {
	void (*opened)(void *context);
	void (*arrived)(void *context, struct slice text); /* one message; borrowed until the return */
	void (*drained)(void *context);                    /* the socket took all that waited */
	void (*ended)(void *context, const struct uplink_end *end);
};

struct uplink_options {
	const struct gateway_url *url; /* these are borrowed until uplink_open() returns */
	struct slice target;           /* path and query */
	struct slice token;            /* length 0: none */
	struct tls *tls;               /* of a secure URL; stays until the close */
};

/* Any octets a header cannot hold in the token: FAULT_BAD_INPUT. */
struct uplink *uplink_open(struct loop *loop, const struct uplink_options *options,
	const struct uplink_events *events, void *context, struct fault *why) MUST_USE;
/* One text message. False: not open, or too much waits (FAULT_FULL). */
bool uplink_send(struct uplink *uplink, struct slice text, struct fault *why) MUST_USE;
/* Says goodbye with that code if it is open. NULL is fine. */
void uplink_close(struct uplink *uplink, unsigned code);

#endif
