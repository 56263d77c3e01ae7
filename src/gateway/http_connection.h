/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Http connection: one client's HTTP/1.1 connection on loop 0: heads and bodies within their
 * deadlines, one exchange at a time and in order, keep-alive, and the hand-over of the socket when
 * it becomes a WebSocket.
 */
#ifndef HUSTINGS_GATEWAY_HTTP_CONNECTION_H
#define HUSTINGS_GATEWAY_HTTP_CONNECTION_H

#include "gateway/gateway.h"

struct connections *connections_open(struct gateway *gateway, struct fault *why) MUST_USE;
void connections_close(struct connections *connections); /* ends every one */
/* The gateway ends: those that ask nothing at the moment go now, the others with their answer. */
void connections_drain(struct connections *connections);
size_t connections_count(const struct connections *connections);

/* Takes the descriptor. */
void http_connection_open(struct gateway *gateway, int descriptor, const char *address);

#endif
