/* SPDX-License-Identifier: Apache-2.0 */
/* Token record: from a wish to a row, and what may be shown of one. */
#include "auth/token_record.h"

#include "base/clock.h"
#include "base/glob.h"
#include "base/ident.h"

#include <stdio.h>

#define TOKEN_PREFIX "hus_"
#define TOKEN_LIFE_MOST_MS (3650LL * 24 * 3600 * 1000)

#define TOPICS_OCTETS (32 * 1024) /* of one token; a principal keeps them */

static bool check_topics(struct slice topics, struct fault *why) {
	struct slice part;
	while (topics.length && slice_split(&topics, '\n', &part)) {
		if (!ident_is_topic(glob_beginning(part)))
			return fault_set(why, FAULT_BAD_INPUT,
				"topic '%.*s' must be 1 to 128 of ASCII letters, digits and ._:@-/ without .., maybe with "
				"a * at its end",
				SLICE_ARGS(part));
	}
	return true;
}

static bool check(const struct token_wish *wish, struct fault *why) {
	if (!ident_is_identity(wish->id))
		return fault_set(why, FAULT_BAD_INPUT,
			"id must be 1 to 128 octets without blanks, control characters, quotes, backslash or slash, "
			"and not begin with system: or server:");
	if (wish->name.length > 256) return fault_set(why, FAULT_BAD_INPUT, "name is at most 256 octets");
	if (wish->mcp_version.length > 64)
		return fault_set(why, FAULT_BAD_INPUT, "mcp is at most 64 octets");
	if (wish->topics.length > TOPICS_OCTETS)
		return fault_set(why, FAULT_BAD_INPUT,
			"topics have %zu octets together; the limit is %d: name some by a * at the end",
			wish->topics.length, TOPICS_OCTETS);
	enum envelope_dialect dialect;
	if (wish->dialect.length && !envelope_dialect_read(wish->dialect, &dialect))
		return fault_set(why, FAULT_BAD_INPUT, "protocol must be mcp-x/v0 or mcpx/v0.1");
	if (wish->life_ms < 0 || wish->life_ms > TOKEN_LIFE_MOST_MS)
		return fault_set(why, FAULT_BAD_INPUT, "ttl must be more than nothing and at most 3650d");
	return check_topics(wish->topics, why);
}

bool token_name(struct token_row *row, char token[TOKEN_TEXT], struct fault *why) {
	uint8_t octets[32], name[8];
	char hex[17];
	AUTO_TEXT struct text encoded = {0};
	text_init(&encoded, 0);
	ident_random(octets, sizeof octets);
	ident_random(name, sizeof name);
	secret_base64url(&encoded, slice_make(octets, sizeof octets));
	secret_wipe(octets, sizeof octets);
	if (text_failed(&encoded)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a token");
	snprintf(token, TOKEN_TEXT, TOKEN_PREFIX "%s", encoded.bytes);
	secret_wipe(encoded.bytes, encoded.length);
	secret_hex(name, sizeof name, hex);
	snprintf(row->token_id, sizeof row->token_id, "t_%s", hex);
	if (secret_hash(slice_of(token), row->hash)) return true;
	secret_wipe(token, TOKEN_TEXT);
	return fault_set(why, FAULT_NO_MEMORY, "no memory for a token");
}

bool token_create(struct state *state, const struct token_wish *wish, char token[TOKEN_TEXT],
	char token_id[TOKEN_ID], struct fault *why) {
	char text[TOKEN_TEXT];
	if (!check(wish, why)) return false;
	struct token_row row = {
		.id = wish->id,
		.name = wish->name,
		.kind = slice_of(principal_kind_text(wish->kind)),
		.mcp_version = wish->mcp_version,
		.dialect = wish->dialect,
		.privilege = slice_of(privilege_text(wish->privilege)),
		.topics = wish->topics,
		.is_admin = wish->is_admin,
		.is_local = wish->is_local,
		.created_at = clock_wall_ms(),
	};
	row.expires_at = row.created_at + (wish->life_ms ? wish->life_ms : TOKEN_LIFE_MS);
	if (!token_name(&row, text, why)) return false;
	bool is_added = token_add(state, &row, why);
	if (is_added) {
		memcpy(token, text, sizeof text);
		memcpy(token_id, row.token_id, sizeof row.token_id);
	}
	secret_wipe(text, sizeof text);
	return is_added;
}

bool token_is_one(struct slice bearer) {
	return bearer.length == strlen(TOKEN_PREFIX) + 43 && slice_starts_with(bearer, TOKEN_PREFIX);
}

static void write_field(struct text *to, const char *name, struct slice value) {
	if (value.length == 0) return;
	text_printf(to, ",\"%s\":", name);
	text_json(to, value);
}

static void write_time(struct text *to, const char *name, int64_t wall_ms) {
	char text[CLOCK_TEXT_SIZE];
	if (wall_ms == 0) return;
	clock_write(wall_ms, text);
	text_printf(to, ",\"%s\":\"%s\"", name, text);
}

static const char *status(const struct token_row *row) {
	if (row->revoked_at) return "revoked";
	return row->expires_at && row->expires_at <= clock_wall_ms() ? "expired" : "active";
}

void token_write(struct text *to, const struct token_row *row) {
	struct slice topics = row->topics, part;
	text_printf(to, "{\"tokenId\":\"%s\",\"id\":", row->token_id);
	text_json(to, row->id);
	write_field(to, "name", row->name);
	write_field(to, "kind", row->kind);
	write_field(to, "mcp", row->mcp_version);
	write_field(to, "protocol", row->dialect);
	write_field(to, "privilege", row->privilege);
	if (topics.length) {
		text_add_cstr(to, ",\"topics\":[");
		for (bool is_first = true; slice_split(&topics, '\n', &part); is_first = false) {
			if (!is_first) text_add_char(to, ',');
			text_json(to, part);
		}
		text_add_char(to, ']');
	}
	text_printf(to, ",\"admin\":%s", row->is_admin ? "true" : "false");
	if (row->is_session) text_add_cstr(to, ",\"session\":true");
	write_field(to, "parent", row->parent);
	write_time(to, "createdAt", row->created_at);
	write_time(to, "expiresAt", row->expires_at);
	write_time(to, "revokedAt", row->revoked_at);
	text_printf(to, ",\"status\":\"%s\"}", status(row));
}
