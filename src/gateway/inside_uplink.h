/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside uplink: uplinks (client/uplink.h) to rooms of this very gateway, without a socket: a guest
 * (client/guest.h) whose membership_options have such a maker sits in a room like one that came by
 * a WebSocket, under the identity that the gateway knows already. Its tokens are watched like those of
 * any connection (gateway/live.h): revoked ones leave, demoted ones are told.
 *
 * Loop 0, also where the room lives on another thread: texts go there and back by letters, at most
 * UPLINK_BEHIND octets to the room and gateway.max_behind from it, else the room closes the seat.
 * The guest is to be closed, and a pass of loop 0 run, before rooms_close() and live_close().
 */
#ifndef HUSTINGS_GATEWAY_INSIDE_UPLINK_H
#define HUSTINGS_GATEWAY_INSIDE_UPLINK_H

#include "client/uplink.h"
#include "gateway/gateway.h"

enum inside_as {
	INSIDE_AS_VISITOR, /* where the identity is reserved (reserved.h): FAULT_EXISTS */
	INSIDE_AS_HOUSE,   /* the gateway itself, under an identity of its own; else as a visitor */
	INSIDE_AS_SERVER,  /* the hosted server itself; it may make the topic, whoever else sits under its id
	                      is replaced, and rooms.pace is for those whom it answers */
};

/* Keeps the principal; the maker is kept once for the caller, who drops it when the guest is open
 * (it keeps its own). What the principal does not say of itself (name, kind, version of MCP) is taken
 * from the membership's options. At each attempt its scope, its token and its privilege are asked for
 * anew: FAULT_REFUSED ends the membership. */
struct uplink_maker *inside_uplink_maker(struct gateway *gateway, struct principal *principal,
	enum inside_as as, struct fault *why) MUST_USE;

#endif
