/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Challenge: what a refused client is told of how to come in (RFC 6750, RFC 9728): WWW-Authenticate,
 * which at the MCP faces names the metadata of the protected resource, where OAuth is configured.
 * Loop 0. The Host of a head was checked before.
 */
#ifndef HUSTINGS_GATEWAY_CHALLENGE_H
#define HUSTINGS_GATEWAY_CHALLENGE_H

#include "gateway/gateway.h"
#include "wire/http1.h"

#define CHALLENGE_METADATA "/.well-known/oauth-protected-resource"

/* Whether there are authorization servers to be named. */
bool challenge_has_servers(const struct gateway *gateway);
/* "https://rooms.example": as configured, else by the Host that came. */
void challenge_write_origin(struct text *to, const struct gateway *gateway,
	const struct http1_head *head);
/* The header's line with its CRLF. */
void challenge_write(struct text *to, const struct gateway *gateway, const struct http1_head *head);

#endif
