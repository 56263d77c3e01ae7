/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Door: a WebSocket on its room's loop: the socket after the move, the handshake's answer, frames
 * in and out, pings, the close (MCPx v0 5.2). It is its room's outlet.
 */
#ifndef HUSTINGS_GATEWAY_DOOR_H
#define HUSTINGS_GATEWAY_DOOR_H

#include "gateway/live.h"
#include "net/stream.h"
#include "room/joining.h"

struct door_wish { /* made on loop 0, taken by the door */
	struct letter letter;
	struct gateway *gateway;
	struct gateway_island *island;
	struct stream_socket socket;
	char *rest; /* bytes that came behind the head; freed by the door */
	size_t rest_length;
	char accept[29];             /* Sec-WebSocket-Accept */
	bool answers_mcpx;           /* Sec-WebSocket-Protocol: mcpx */
	char *topic;                 /* freed by the door */
	struct principal *principal; /* dropped by the door */
	struct live_entry *live;     /* dropped by the door */
	struct task early;           /* reads `rest` once the door is open */
	struct outlet *outlet;       /* whose task it is */
	struct joining joining;      /* privilege, dialect, echo, history, since, may_make, is_beside filled in */
};

/* Takes the wish (malloc) and opens the door on the island's loop. */
void door_open(struct door_wish *wish);

#endif
