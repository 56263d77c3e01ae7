/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reserved: the identities that belong to hosted servers in the rooms they are configured for
 * (`[[servers]] rooms`), and in every room the gateway's own (MCP_ROOM_SURVEY). Nobody else comes in,
 * or speaks, under such a name, whether its owner is there at the moment or not. Loop 0.
 */
#ifndef HUSTINGS_GATEWAY_RESERVED_H
#define HUSTINGS_GATEWAY_RESERVED_H

#include "gateway/gateway.h"

/* True: it is reserved, and why (FAULT_EXISTS) names whose it is. */
bool reserved_identity(const struct gateway *gateway, struct slice topic, struct slice id,
	struct fault *why);

#endif
