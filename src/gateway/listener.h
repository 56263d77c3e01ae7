/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Listener: the gateway's front door: accepts connections for HTTP on loop 0, as many as
 * gateway.max_connections and max_handshakes allow at a time (the next wait in the kernel).
 */
#ifndef HUSTINGS_GATEWAY_LISTENER_H
#define HUSTINGS_GATEWAY_LISTENER_H

#include "gateway/gateway.h"

struct listener;

struct listener *listener_open(struct gateway *gateway, struct fault *why) MUST_USE;
unsigned listener_port(const struct listener *listener);
bool listener_is_loopback(const struct listener *listener);
void listener_close(struct listener *listener);

#endif
