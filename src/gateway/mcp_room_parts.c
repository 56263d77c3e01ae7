/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_room parts: what all of them ask of a room. */
#include "gateway/mcp_room_parts.h"

struct loop *mcp_room_loop(const struct mcp_room *room) { return room->face->gateway->loop; }

bool mcp_room_is_restricted(const struct mcp_room *room) {
	return slice_is(guest_privilege(room->guest), "restricted");
}
