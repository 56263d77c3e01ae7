/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Address guard: which addresses of the Internet a request on somebody else's behalf may go to:
 * none of our own machine, network, link or provider (loopback, private, shared, link-local,
 * metadata), none that is reserved, none that hides such a one inside (mapped, 6to4, NAT64).
 */
#ifndef HUSTINGS_NET_ADDRESS_GUARD_H
#define HUSTINGS_NET_ADDRESS_GUARD_H

#include "base/text.h"

#include <sys/socket.h>

bool address_guard_is_public(const struct sockaddr *address);
/* As written: "10.0.0.1", "::1", "[::1]". False when it is not an address (then it is a name). */
bool address_guard_read(struct slice text, struct sockaddr_storage *address) MUST_USE;
/* Numbers, without port; "?" for what is no Internet address. */
#define ADDRESS_GUARD_TEXT 64
void address_guard_write(const struct sockaddr *address, char text[ADDRESS_GUARD_TEXT]);

#endif
