/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_names: plain where that is unambiguous, hashed elsewhere. */
#include "gateway/mcp_names.h"

#include "base/secret.h"

#include <stdio.h>

#define HASH 12 /* hexadecimal digits */

static bool has_double(struct slice text) {
	return text.length >= 2 && memmem(text.bytes, text.length, "__", 2) != NULL;
}

/* The first "__" of a plain name is the one between the two parts. */
static bool is_unambiguous(struct slice server, struct slice item) {
	return server.length && item.length && server.length + 2 + item.length <= MCP_NAME &&
		!has_double(server) && server.bytes[server.length - 1] != '_' && item.bytes[0] != '_';
}

bool mcp_name_write(char name[MCP_NAME + 1], struct slice server, struct slice item) {
	if (is_unambiguous(server, item)) {
		snprintf(name, MCP_NAME + 1, "%.*s__%.*s", SLICE_ARGS(server), SLICE_ARGS(item));
		return true;
	}
	const struct slice parts[] = {server, SLICE("\n"), item};
	uint8_t hash[SECRET_HASH_SIZE];
	char hex[HASH + 1], whole[2 * MCP_NAME];
	if (!secret_hash_parts(parts, COUNT_OF(parts), hash)) return false;
	secret_hex(hash, HASH / 2, hex);
	snprintf(whole, sizeof whole, "%.*s__%.*s", (int)(server.length > 24 ? 24 : server.length),
		server.bytes, (int)(item.length > 60 ? 60 : item.length), item.bytes ? item.bytes : "");
	size_t length = slice_cut(slice_of(whole), MCP_NAME - HASH - 1);
	snprintf(name, MCP_NAME + 1, "%.*s_%s", (int)length, whole, hex);
	return true;
}

bool mcp_name_is_plain(struct slice name, struct slice server, struct slice *item) {
	if (name.length < server.length + 3 || memcmp(name.bytes, server.bytes, server.length) != 0 ||
		memcmp(name.bytes + server.length, "__", 2) != 0)
		return false;
	*item = slice_make(name.bytes + server.length + 2, name.length - server.length - 2);
	return is_unambiguous(server, *item);
}
