/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosted seat: a hosted server in one room (MCPx v0 4.1): a participant under the server's id, with
 * the server's own tools under their own names, and whatever else `expose` names (MCPx v0 9).
 *
 * A participant's request goes to the server as anybody's does (hosted/hosted.h): its progress goes
 * back to who asked alone, its questions to who asked if that one said at the handshake that it can
 * answer them, and notifications/cancelled ends it. Who has agreed on MGP there gets streams, callbacks
 * and events of the server, and is answered by the kernel's methods (docs/internals/inside.md). Loop 0.
 * Owned by the seats (hosted_seats.h).
 */
#ifndef HUSTINGS_GATEWAY_HOSTED_SEAT_H
#define HUSTINGS_GATEWAY_HOSTED_SEAT_H

#include "gateway/gateway.h"
#include "hosted/hosted.h"

#define HOSTED_SEAT_AGAIN_MS 5000 /* who was sent away comes back then */

struct hosted_seat;

/* The server is connected; `topic` is copied. */
struct hosted_seat *hosted_seat_open(struct gateway *gateway, struct hosted *hosted,
	const char *topic, struct fault *why) MUST_USE;
/* Open requests are answered with that, then it leaves; freed at the end of the pass. NULL is fine. */
void hosted_seat_close(struct hosted_seat *seat, const struct fault *why);

struct slice hosted_seat_topic(const struct hosted_seat *seat);
/* A list of the server's has changed: the room hears of it, where the list is shown. */
void hosted_seat_changed(struct hosted_seat *seat, enum hosted_kind kind);

#endif
