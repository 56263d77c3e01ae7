/* SPDX-License-Identifier: Apache-2.0 */
/* Admin tokens: the same records that `hustings token` works on. */
#include "gateway/admin_tokens.h"

#include "auth/token_record.h"
#include "base/clock.h"
#include "gateway/admin.h"
#include "gateway/live.h"
#include "wire/scan.h"

#include <stdio.h>

static bool bad(struct exchange *exchange, const char *what) {
	exchange_error(exchange, 400, "bad_input", "%s", what);
	return false;
}

static bool read_string(struct exchange *exchange, const struct scan_value *root, const char *name,
	struct slice *string) {
	struct scan_value value;
	*string = SLICE_NONE;
	if (!scan_find(root, name, &value) || value.type == SCAN_NULL) return true;
	if (scan_string(&value, &exchange->arena, string)) return true;
	exchange_error(exchange, 400, "bad_input", "%s must be a string", name);
	return false;
}

static bool read_topics(struct exchange *exchange, const struct scan_value *root, struct slice *topics) {
	struct scan_value list;
	struct scan_walk walk;
	struct scan_member element;
	struct slice topic;
	AUTO_TEXT struct text joined = {0};
	text_init(&joined, 0);
	*topics = SLICE_NONE;
	if (!scan_find(root, "topics", &list) || list.type == SCAN_NULL) return true;
	if (list.type != SCAN_ARRAY) return bad(exchange, "topics must be an array of names");
	scan_open(&walk, &list);
	while (scan_next(&walk, &element)) {
		if (!scan_string(&element.value, &exchange->arena, &topic) || topic.length == 0)
			return bad(exchange, "topics must be an array of names");
		if (joined.length) text_add_char(&joined, '\n');
		text_add(&joined, topic);
	}
	if (joined.length == 0) return bad(exchange, "topics must name one or more, or be left out for all");
	if (arena_copy(&exchange->arena, text_slice(&joined), topics)) return true;
	return bad(exchange, "topics: too many");
}

/* "24h", or a number of seconds. */
static bool read_life(struct exchange *exchange, const struct scan_value *root, int64_t *life_ms) {
	struct scan_value value;
	struct slice string;
	struct fault why;
	if (!scan_find(root, "ttl", &value) || value.type == SCAN_NULL) return true;
	string = value.text;
	if (value.type == SCAN_STRING && !scan_string(&value, &exchange->arena, &string))
		return bad(exchange, "ttl must be a span like \"24h\", or seconds");
	if ((value.type == SCAN_STRING || value.type == SCAN_NUMBER) &&
		clock_span_read(string, life_ms, &why) && *life_ms > 0)
		return true;
	return bad(exchange, "ttl must be a span like \"24h\", or seconds, more than nothing");
}

/* A misspelt "topics" would make a token for all of them: what is not known is refused. */
static bool has_known_keys(struct exchange *exchange, const struct scan_value *root) {
	static const char *const known[] = {"id", "name", "mcp", "protocol", "privilege", "kind", "topics",
		"ttl", "admin"};
	struct scan_walk walk;
	struct scan_member member;
	struct slice key;
	bool has_twice = true;
	if (!scan_has_duplicates(exchange->body, &exchange->arena, &has_twice) || has_twice)
		return bad(exchange, "the body has a key twice");
	scan_open(&walk, root);
	while (scan_next(&walk, &member)) {
		size_t at = 0;
		while (at < COUNT_OF(known) && !scan_key_is(&member, known[at])) at++;
		if (at < COUNT_OF(known)) continue;
		if (!scan_key(&member, &exchange->arena, &key)) key = SLICE_NONE;
		key.length = slice_cut(key, 100);
		exchange_error(exchange, 400, "bad_input", "key %.*s is none of id, name, mcp, protocol, "
							   "privilege, kind, topics, ttl, admin",
			SLICE_ARGS(key));
		return false;
	}
	return true;
}

static bool read_wish(struct exchange *exchange, struct token_wish *wish) {
	struct scan_value root, admin;
	struct scan_fault fault;
	struct slice privilege, kind;
	*wish = (struct token_wish){.privilege = PRIVILEGE_UNSAID};
	if (!scan_check(exchange->body, SCAN_DEPTH, &root, &fault) || root.type != SCAN_OBJECT)
		return bad(exchange, "the body must be a JSON object: {\"id\":\"...\"}");
	if (!has_known_keys(exchange, &root)) return false;
	if (!read_string(exchange, &root, "id", &wish->id) ||
		!read_string(exchange, &root, "name", &wish->name) ||
		!read_string(exchange, &root, "mcp", &wish->mcp_version) ||
		!read_string(exchange, &root, "protocol", &wish->dialect) ||
		!read_string(exchange, &root, "privilege", &privilege) ||
		!read_string(exchange, &root, "kind", &kind) ||
		!read_topics(exchange, &root, &wish->topics) || !read_life(exchange, &root, &wish->life_ms))
		return false;
	if (privilege.bytes && !privilege_read(privilege, &wish->privilege))
		return bad(exchange, "privilege must be full or restricted");
	if (kind.bytes && !principal_kind_read(kind, &wish->kind))
		return bad(exchange, "kind must be human, agent or robot");
	if (scan_find(&root, "admin", &admin) && !scan_boolean(&admin, &wish->is_admin))
		return bad(exchange, "admin must be true or false");
	return true;
}

void admin_tokens_create(struct exchange *exchange) {
	struct token_wish wish;
	struct fault why;
	char token[TOKEN_TEXT], token_id[TOKEN_ID];
	AUTO_TEXT struct text body = {0};
	text_init(&body, 0);
	if (!read_wish(exchange, &wish)) return;
	if (!token_create(exchange->gateway->state, &wish, token, token_id, &why)) {
		exchange_fault(exchange, &why);
		return;
	}
	struct token_row *row = token_find_id(exchange->gateway->state, token_id, &why);
	text_printf(&body, "{\"token\":\"%s\",", token);
	secret_wipe(token, sizeof token);
	if (row) {
		AUTO_TEXT struct text shown = {0};
		text_init(&shown, 0);
		token_write(&shown, row);
		struct slice fields = text_slice(&shown);
		text_add(&body, slice_make(fields.bytes + 1, fields.length - 1));
		token_row_free(row);
	} else
		text_printf(&body, "\"tokenId\":\"%s\"}", token_id);
	admin_record(exchange, "token", wish.id, SLICE_NONE, "created");
	exchange_text(exchange, 201, &body);
	secret_wipe(body.bytes, body.length);
}

struct listing {
	struct text body;
	bool has_one;
};

static bool list_one(void *context, const struct token_row *row) {
	struct listing *listing = context;
	if (listing->has_one) text_add_char(&listing->body, ',');
	listing->has_one = true;
	token_write(&listing->body, row);
	return !text_failed(&listing->body);
}

void admin_tokens_list(struct exchange *exchange) {
	struct listing listing = {.has_one = false};
	struct fault why;
	text_init(&listing.body, 0);
	text_add_cstr(&listing.body, "{\"tokens\":[");
	bool is_listed = token_each(exchange->gateway->state, list_one, &listing, &why);
	text_add_cstr(&listing.body, "]}");
	if (is_listed || text_failed(&listing.body))
		exchange_text(exchange, 200, &listing.body);
	else
		exchange_fault(exchange, &why);
	text_finish(&listing.body);
}

static void revoke(struct exchange *exchange, const char *token_id, struct slice id) {
	struct gateway *gateway = exchange->gateway;
	struct fault why;
	size_t count;
	if (!token_revoke(gateway->state, token_id, id, &count, &why)) {
		exchange_fault(exchange, &why);
		return;
	}
	struct slice token = token_id ? slice_of(token_id) : SLICE_NONE;
	live_revoke(gateway, token, id);
	admin_record(exchange, "token", token_id ? token : id, SLICE_NONE, "revoked");
	char answer[64];
	int length = snprintf(answer, sizeof answer, "{\"revoked\":%zu}", count);
	exchange_json(exchange, 200, slice_make(answer, (size_t)length));
}

void admin_tokens_revoke(struct exchange *exchange) {
	char token_id[TOKEN_ID];
	struct slice segment = exchange->segments[2];
	struct fault why;
	if (segment.length >= sizeof token_id) {
		exchange_error(exchange, 404, "not_found", "there is no token of that name");
		return;
	}
	snprintf(token_id, sizeof token_id, "%.*s", SLICE_ARGS(segment));
	struct token_row *row = token_find_id(exchange->gateway->state, token_id, &why);
	if (!row) {
		exchange_fault(exchange, &why);
		return;
	}
	token_row_free(row);
	revoke(exchange, token_id, SLICE_NONE);
}

/* {"token":"..."}: whoever has the token's text alone; it never stands in a URL. */
static void revoke_by_text(struct exchange *exchange) {
	uint8_t hash[SECRET_HASH_SIZE];
	struct scan_value root;
	struct scan_fault fault;
	struct slice token;
	struct fault why;
	if (!scan_check(exchange->body, SCAN_DEPTH, &root, &fault) || root.type != SCAN_OBJECT) {
		bad(exchange, "the body must be a JSON object: {\"token\":\"...\"}");
		return;
	}
	if (!read_string(exchange, &root, "token", &token)) return;
	if (!token.bytes || !secret_hash(token, hash)) {
		bad(exchange, "token is missing");
		return;
	}
	struct token_row *row = token_find(exchange->gateway->state, hash, &why);
	if (!row) {
		exchange_fault(exchange, &why);
		return;
	}
	revoke(exchange, row->token_id, SLICE_NONE);
	token_row_free(row);
}

void admin_tokens_revoke_id(struct exchange *exchange) {
	struct slice id;
	if (exchange->body.length) {
		revoke_by_text(exchange);
		return;
	}
	if (!exchange_query(exchange, "id", &id)) return;
	if (id.length)
		revoke(exchange, NULL, id);
	else
		bad(exchange, "query id is missing: DELETE /admin/tokens?id=ID, or /admin/tokens/TOKEN_ID");
}
