/* SPDX-License-Identifier: Apache-2.0 */
/* Reserved: the configuration of the hosted servers says it all. */
#include "gateway/reserved.h"

#include "gateway/mcp_room.h"

bool reserved_identity(const struct gateway *gateway, struct slice topic, struct slice id,
	struct fault *why) {
	const struct hosted *hosted = gateway->mcp ? hosted_find(gateway->mcp->servers, id) : NULL;
	const char *const *rooms = hosted ? hosted_settings(hosted)->rooms : NULL;
	if (slice_is(id, MCP_ROOM_SURVEY)) {
		(void)fault_set(why, FAULT_EXISTS, "the id " MCP_ROOM_SURVEY " is the gateway's own: come in with another one");
		return true;
	}
	for (; rooms && *rooms; rooms++) {
		if (!slice_is(topic, *rooms)) continue;
		(void)fault_set(why, FAULT_EXISTS,
			"in %s the id %.*s is that of the hosted server %.*s: come in with another one", *rooms,
			SLICE_ARGS(id), SLICE_ARGS(id));
		return true;
	}
	return false;
}
