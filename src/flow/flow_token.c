/* SPDX-License-Identifier: Apache-2.0 */
/* Flow token: signed over the record, the expiry and the key's id, in one fixed form. */
#include "flow/flow_token.h"

#include <stdio.h>

bool flow_key_make(struct flow_key *key, const uint8_t octets[FLOW_KEY]) {
	uint8_t hash[SECRET_HASH_SIZE];
	if (!secret_hash(slice_make(octets, FLOW_KEY), hash)) return false;
	memcpy(key->octets, octets, FLOW_KEY);
	secret_hex(hash, 4, key->id);
	return true;
}

/* What is signed: the members before the signature, with the brace that opens them. */
static void write_body(struct text *to, struct slice id, struct slice record, int64_t expires_at, const char *key_id) {
	text_add_cstr(to, "{\"sessionId\":");
	text_json(to, id);
	text_add_cstr(to, ",\"state\":");
	text_add(to, record);
	text_printf(to, ",\"expiresAt\":%lld,\"keyId\":\"%s\"", (long long)expires_at, key_id);
}

static bool sign(const struct flow_key *key, struct slice body, char signature[2 * SECRET_HASH_SIZE + 1]) {
	uint8_t mac[SECRET_HASH_SIZE];
	if (!secret_sign(slice_make(key->octets, FLOW_KEY), body, mac)) return false;
	secret_hex(mac, sizeof mac, signature);
	return true;
}

bool flow_token_write(struct text *to, const struct flow_session *session, const struct flow_key *key,
	struct fault *why) {
	AUTO_TEXT struct text record = {0}, body = {0}, token = {0};
	char signature[2 * SECRET_HASH_SIZE + 1];
	int64_t expires_at = flow_session_expires_at(session);
	text_init(&body, FLOW_TOKEN / 4 * 3);
	flow_record_write(&record, session);
	if (expires_at == INT64_MAX) expires_at = session->active_at + session->timeout_ms; /* it is over: its result is */
	if (!text_failed(&record)) write_body(&body, slice_of(session->id), text_slice(&record), expires_at, key->id);
	if (text_failed(&record) || text_failed(&body) || !sign(key, text_slice(&body), signature))
		return fault_set(why, FAULT_TOO_LARGE, "the session is too large for a token of %zu octets, or there is no memory",
			FLOW_TOKEN);
	text_printf(&body, ",\"signature\":\"%s\"}", signature);
	if (!text_failed(&body)) secret_base64url(&token, text_slice(&body));
	if (text_failed(&body) || text_failed(&token)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a token");
	text_add(to, text_slice(&token));
	return true;
}

bool flow_token_is_one(struct slice word) { return word.length > FLOW_ID; }

static struct flow_session *unknown(struct flow_refusal *refusal) {
	(void)flow_refuse(refusal, FLOW_SESSION_NOT_FOUND, NULL, "session not found: the token is none of this gateway's, or was changed");
	return NULL;
}

struct opened {
	struct scan_value state, expires_at;
	struct slice signed_part, signature;
};

/* The signature stands last, as we write it: what is signed is all before it. */
static bool open_body(struct slice json, struct opened *opened) {
	static const char mark[] = ",\"signature\":\"";
	struct scan_value root;
	struct scan_fault fault;
	size_t tail = sizeof mark - 1 + 2 * SECRET_HASH_SIZE + 2;
	if (json.length <= tail || !scan_check(json, SCAN_DEPTH, &root, &fault) || root.type != SCAN_OBJECT) return false;
	opened->signed_part = slice_make(json.bytes, json.length - tail);
	opened->signature = slice_make(json.bytes + json.length - 2 - 2 * SECRET_HASH_SIZE, 2 * SECRET_HASH_SIZE);
	return memcmp(opened->signed_part.bytes + opened->signed_part.length, mark, sizeof mark - 1) == 0 &&
		scan_find(&root, "state", &opened->state) && scan_find(&root, "expiresAt", &opened->expires_at);
}

static bool is_signed(const struct flow_key *key, const struct opened *opened) {
	char signature[2 * SECRET_HASH_SIZE + 1];
	return sign(key, opened->signed_part, signature) &&
		secret_equal(signature, opened->signature.bytes, 2 * SECRET_HASH_SIZE);
}

struct flow_session *flow_token_read(struct slice token, const struct flow_key *key, struct slice principal, int64_t now,
	uint8_t spent[SECRET_HASH_SIZE], struct flow_refusal *refusal) {
	AUTO_TEXT struct text json = {0};
	struct opened opened;
	struct fault why;
	int64_t expires_at;
	text_init(&json, FLOW_TOKEN);
	if (token.length > FLOW_TOKEN || !secret_unbase64url(&json, token) || text_failed(&json)) return unknown(refusal);
	if (!open_body(text_slice(&json), &opened) || !is_signed(key, &opened) ||
		!scan_integer(&opened.expires_at, &expires_at) || !secret_hash(opened.signed_part, spent))
		return unknown(refusal);
	struct flow_session *session = flow_record_read(opened.state.text, &why);
	bool is_ones = session && session->principal && slice_is(principal, session->principal);
	if (is_ones && expires_at > now) return session;
	flow_session_free(session);
	if (!is_ones) return unknown(refusal);
	(void)flow_refuse(refusal, FLOW_SESSION_EXPIRED, NULL, "the session has expired: begin another");
	return NULL;
}
