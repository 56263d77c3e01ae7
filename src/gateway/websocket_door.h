/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Websocket door: GET /v0/ws on loop 0: who comes, to which topic, with which wishes (MCPx v0 5.2,
 * v0.1 5.2); then the socket moves to the room's loop (door.h).
 */
#ifndef HUSTINGS_GATEWAY_WEBSOCKET_DOOR_H
#define HUSTINGS_GATEWAY_WEBSOCKET_DOOR_H

#include "gateway/exchange.h"

void websocket_door(struct exchange *exchange);

#endif
