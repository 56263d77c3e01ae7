/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_room parts: what all of them ask of a room. */
#include "gateway/mcp_room_parts.h"

#define HEAD 1024 /* octets of an envelope around its payload */

struct loop *mcp_room_loop(const struct mcp_room *room) {
	return room->face->gateway->loop;
}

bool mcp_room_is_restricted(const struct mcp_room *room) {
	return slice_is(guest_privilege(room->guest), "restricted");
}

bool mcp_room_fits(const struct mcp_room *room, size_t length, struct fault *why) {
	size_t most = room->face->gateway->settings.max_message;
	return length + HEAD <= most ||
		fault_set(why, FAULT_TOO_LARGE, "it has %zu octets, and an envelope at most %zu (gateway.max_message)",
			length, most);
}
