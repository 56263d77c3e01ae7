/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_names: plain where that is unambiguous, hashed elsewhere. */
#include "gateway/mcp_names.h"

#include "base/secret.h"

#include <stdio.h>

#define HASH 12   /* hexadecimal digits */
#define SERVER 24 /* octets of the server's name in a hashed one, at most */

static bool has_double(struct slice text) {
	return text.length >= 2 && memmem(text.bytes, text.length, "__", 2) != NULL;
}

static bool is_plain(char c) {
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
		c == '-' || c == '.';
}

static bool are_plain(struct slice text) {
	for (size_t i = 0; i < text.length; i++)
		if (!is_plain(text.bytes[i])) return false;
	return true;
}

/* The end of a hashed name: no plain one may have it. */
static bool looks_hashed(struct slice item) {
	if (item.length <= HASH || item.bytes[item.length - HASH - 1] != '_') return false;
	for (size_t i = item.length - HASH; i < item.length; i++)
		if (!memchr("0123456789abcdef", item.bytes[i], 16)) return false;
	return true;
}

bool mcp_name_may_be_hashed(struct slice name, struct slice server) {
	size_t length = server.length > SERVER ? SERVER : server.length;
	if (name.length > MCP_NAME || name.length <= length || !looks_hashed(name)) return false;
	for (size_t i = 0; i < length; i++)
		if (name.bytes[i] != (is_plain(server.bytes[i]) ? server.bytes[i] : '_')) return false;
	return true;
}

/* The first "__" of a plain name is the one between the two parts. */
static bool is_unambiguous(struct slice server, struct slice item) {
	return server.length && item.length && server.length + 2 + item.length <= MCP_NAME &&
		are_plain(server) && are_plain(item) && !has_double(server) && !looks_hashed(item) &&
		server.bytes[server.length - 1] != '_' && item.bytes[0] != '_';
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
	snprintf(whole, sizeof whole, "%.*s__%.*s", (int)(server.length > SERVER ? SERVER : server.length),
		server.bytes, (int)(item.length > 60 ? 60 : item.length), item.bytes ? item.bytes : "");
	for (char *at = whole; *at; at++)
		if (!is_plain(*at)) *at = '_';
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

void mcp_name_replace(struct text *to, const struct scan_value *object, struct slice name) {
	struct scan_walk walk;
	struct scan_member member;
	text_add_cstr(to, "{\"name\":");
	text_json(to, name);
	for (scan_open(&walk, object); scan_next(&walk, &member);) {
		if (scan_key_is(&member, "name")) continue;
		text_printf(to, ",\"%.*s\":", SLICE_ARGS(member.key));
		text_add(to, member.value.text);
	}
	text_add_char(to, '}');
}
