/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_room_uri: written, and compared with what is written. */
#include "gateway/mcp_room_uri.h"

#include <stdio.h>

static const char *const words[MCP_ROOM_RESOURCES] = {
	[MCP_ROOM_CHAT] = "chat",
	[MCP_ROOM_PRESENCE] = "presence",
};

void mcp_room_uri_write(char uri[MCP_ROOM_URI], struct slice topic, enum mcp_room_resource resource) {
	size_t length = (size_t)snprintf(uri, MCP_ROOM_URI, "hustings://rooms/");
	for (size_t i = 0; i < topic.length && length < MCP_ROOM_URI - 16; i++) {
		const char one[] = {topic.bytes[i], '\0'};
		const char *written = one[0] == '/' ? "%2F" : one;
		length += (size_t)snprintf(uri + length, MCP_ROOM_URI - length, "%s", written);
	}
	snprintf(uri + length, MCP_ROOM_URI - length, "/%s", words[resource]);
}

enum mcp_room_resource mcp_room_uri_read(struct slice uri, struct slice topic) {
	for (int resource = 0; resource < MCP_ROOM_RESOURCES; resource++) {
		char known[MCP_ROOM_URI];
		mcp_room_uri_write(known, topic, (enum mcp_room_resource)resource);
		if (slice_is(uri, known)) return (enum mcp_room_resource)resource;
	}
	return MCP_ROOM_NOTHING;
}
