/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosted seats: where hosted servers sit (`[[servers]] rooms`): each in its rooms while it is
 * connected, and not otherwise: presence is truth. Whatever becomes of the servers (configured,
 * removed, dead, back) is heard from hosted/hosted.h.
 *
 * Loop 0. Owned: opened before the servers are added, closed before they are; a pass of the loop must
 * follow before the rooms are closed.
 */
#ifndef HUSTINGS_GATEWAY_HOSTED_SEATS_H
#define HUSTINGS_GATEWAY_HOSTED_SEATS_H

#include "gateway/gateway.h"
#include "hosted/hosted.h"

struct hosted_seats;

struct hosted_seats *hosted_seats_open(struct gateway *gateway, struct hosted_servers *servers,
	struct fault *why) MUST_USE;
void hosted_seats_close(struct hosted_seats *seats); /* NULL is fine */

#endif
