/* SPDX-License-Identifier: Apache-2.0 */
/* Credentials: Host and Origin compared as parsed names, bearers from their two places. */
#include "gateway/credentials.h"

#include "base/ident.h"
#include "base/secret.h"
#include "gateway/mcp_refused.h"
#include "gateway/origin.h"
#include "gateway/session_cookie.h"
#include "gateway/wrong_bearers.h"
#include "hosted/hosted.h"

#include <stdio.h>

static bool is_loopback_name(struct slice host) {
	return slice_equal_ignoring_case(host, SLICE("localhost")) || slice_is(host, "127.0.0.1") ||
		slice_is(host, "::1");
}

/* A host and port against a configured "name" or "name:port". */
static bool names(const char *allowed, struct slice host, unsigned port, bool is_secure) {
	struct slice allowed_host;
	unsigned allowed_port;
	if (!http1_authority(slice_of(allowed), &allowed_host, &allowed_port)) return false;
	return slice_equal_ignoring_case(allowed_host, host) &&
		(!allowed_port || allowed_port == origin_port(is_secure, port));
}

static bool host_is_ours(const struct gateway *gateway, struct slice authority) {
	const struct gateway_settings *settings = &gateway->settings;
	struct slice host;
	unsigned port;
	if (!http1_authority(authority, &host, &port)) return false;
	if (is_loopback_name(host) || slice_equal_ignoring_case(host, slice_of(settings->host)))
		return true;
	for (size_t i = 0; settings->allowed_hosts[i]; i++)
		if (names(settings->allowed_hosts[i], host, port, gateway->tls != NULL)) return true;
	return false;
}

static bool origin_is_ours(const struct gateway_settings *settings, struct slice text) {
	struct origin origin, allowed;
	if (!origin_read(text, &origin)) return false;
	if (is_loopback_name(origin.host) || slice_equal_ignoring_case(origin.host, slice_of(settings->host)))
		return true;
	for (size_t i = 0; settings->allowed_origins[i]; i++)
		if (origin_read(slice_of(settings->allowed_origins[i]), &allowed) && origin_equal(&origin, &allowed))
			return true;
	return false;
}

bool credentials_are_local(struct exchange *exchange) {
	const struct gateway_settings *settings = &exchange->gateway->settings;
	struct slice host = exchange->head->host;
	struct slice origin = http1_field(exchange->head, "Origin");
	if (!host_is_ours(exchange->gateway, host)) {
		exchange_error(exchange, 403, "forbidden",
			"Host %.*s is not a name of this gateway (gateway.allowed_hosts lists more)",
			(int)(host.length > 100 ? 100 : host.length), host.bytes ? host.bytes : "");
		return false;
	}
	if (http1_field_count(exchange->head, "Origin") > 1 ||
		(origin.bytes && !origin_is_ours(settings, origin))) {
		exchange_error(exchange, 403, "forbidden",
			"Origin %.*s may not talk to this gateway (gateway.allowed_origins lists who may)",
			(int)(origin.length > 100 ? 100 : origin.length), origin.bytes);
		return false;
	}
	return true;
}

static bool malformed(struct exchange *exchange) {
	exchange_error(exchange, 401, "bad_token", "Authorization must be: Bearer TOKEN, once");
	return false;
}

/* mcpx, bearer.<base64url token>: for browsers, which cannot set headers. */
static bool subprotocol_bearer(struct exchange *exchange, struct slice list, struct slice *bearer) {
	struct slice part;
	while (slice_split(&list, ',', &part)) {
		part = slice_trim(part);
		if (!slice_starts_with(part, "bearer.")) continue;
		AUTO_TEXT struct text token = {0};
		text_init(&token, 0);
		struct slice encoded = slice_make(part.bytes + 7, part.length - 7);
		if (encoded.length == 0 || !secret_unbase64url(&token, encoded) ||
			!arena_copy(&exchange->arena, text_slice(&token), bearer)) {
			exchange_error(exchange, 401, "bad_token",
				"Sec-WebSocket-Protocol must be: mcpx, bearer.TOKEN with the token in base64url");
			return false;
		}
		secret_wipe(token.bytes, token.length);
		return true;
	}
	return true;
}

bool credentials_bearer(struct exchange *exchange, struct slice *bearer, bool *from_subprotocol) {
	struct slice header = http1_field(exchange->head, "Authorization");
	*bearer = SLICE_NONE;
	if (header.bytes) {
		if (http1_field_count(exchange->head, "Authorization") > 1) return malformed(exchange);
		if (header.length < 8 || !slice_equal_ignoring_case(slice_make(header.bytes, 7), SLICE("Bearer ")))
			return malformed(exchange);
		*bearer = slice_trim(slice_make(header.bytes + 7, header.length - 7));
		return bearer->length ? true : malformed(exchange);
	}
	for (size_t i = 0; from_subprotocol && i < exchange->head->field_count && !bearer->bytes; i++) {
		const struct http1_field *field = &exchange->head->fields[i];
		if (!slice_equal_ignoring_case(field->name, SLICE("Sec-WebSocket-Protocol"))) continue;
		if (!subprotocol_bearer(exchange, field->value, bearer)) return false;
	}
	if (from_subprotocol) *from_subprotocol = bearer->bytes != NULL;
	if (bearer->bytes) return true;
	if (!session_cookie_take(exchange, bearer)) return false;
	exchange->is_by_cookie = bearer->bytes != NULL;
	return true;
}

/* Who waits for a JWT's keys: the exchange, by its own pointer. */
struct waiting {
	struct exchange *exchange;
	credentials_found *found;
};

void credentials_refuse(struct exchange *exchange, const struct fault *why) {
	if (why->code != FAULT_REFUSED) {
		exchange_fault(exchange, why);
		return;
	}
	/* The word stands at the front of the sentence: "expired_token: ...". */
	char word[32];
	const char *colon = strchr(why->text, ':');
	size_t length = colon ? (size_t)(colon - why->text) : 0;
	snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : 0), why->text);
	const char *sentence = colon && colon[1] == ' ' ? colon + 2 : why->text;
	if (!mcp_refused(exchange, strcmp(word, "expired_token") == 0, sentence))
		exchange_error(exchange, 401, word[0] ? word : "bad_token", "%s", sentence);
}

void credentials_slow_down(struct exchange *exchange, uint64_t retry_after_ms, const char *what) {
	char body[200], header[48];
	int length = snprintf(body, sizeof body,
		"{\"event\":\"error\",\"code\":\"rate_limited\",\"message\":\"too many %s from this "
		"address: wait\",\"retry_after_ms\":%llu}",
		what, (unsigned long long)retry_after_ms);
	snprintf(header, sizeof header, "Retry-After: %llu\r\n",
		(unsigned long long)((retry_after_ms + 999) / 1000));
	exchange_answer(exchange, 429, "application/json", slice_of(header), slice_make(body, (size_t)length));
}

/* Who holds a token that ended has not guessed it. */
static bool is_guess(const struct fault *why) {
	return strncmp(why->text, "expired_token:", 14) != 0 && strncmp(why->text, "revoked_token:", 14) != 0;
}

bool credentials_may_be_wrong(struct exchange *exchange, const struct fault *why) {
	uint64_t retry_after_ms;
	if (why->code != FAULT_REFUSED) return true;
	if (wrong_bearers_count(exchange->gateway->wrong_bearers, exchange->address, is_guess(why), &retry_after_ms))
		return true;
	exchange->closes = true; /* the next guess costs a connection */
	credentials_slow_down(exchange, retry_after_ms, "wrong tokens");
	return false;
}

/* The token of a session lives in a cookie and nowhere else, and nothing else lives there. */
static bool is_at_its_place(const struct exchange *exchange, const struct principal *principal, struct fault *why) {
	if (principal->is_session == exchange->is_by_cookie) return true;
	return fault_set(why, FAULT_REFUSED, "bad_token: %s",
		principal->is_session ? "it is the token of a session, which counts in its cookie alone"
				      : "the cookie holds the token of no session");
}

static void identified(void *context, struct principal *principal, const struct fault *why) {
	const struct waiting *waiting = context;
	struct exchange *exchange = waiting->exchange;
	credentials_found *found = waiting->found; /* an answer takes the arena along */
	struct fault misplaced;
	exchange->waiting = NULL;
	exchange->gone = NULL;
	if (principal && is_at_its_place(exchange, principal, &misplaced)) {
		found(exchange, principal);
		return;
	}
	const struct fault *wrong = principal ? &misplaced : why;
	if (credentials_may_be_wrong(exchange, wrong)) credentials_refuse(exchange, wrong);
	principal_drop(principal);
	found(exchange, NULL);
}

static void guest(struct exchange *exchange, credentials_found *found) {
	struct slice id, name, kind, mcp;
	struct fault why;
	if (!exchange_query(exchange, "id", &id) || !exchange_query(exchange, "name", &name) ||
		!exchange_query(exchange, "kind", &kind) || !exchange_query(exchange, "mcp", &mcp)) {
		found(exchange, NULL);
		return;
	}
	/* Requests of one nameless MCP client belong together, so all of them are one guest. */
	if (!id.bytes && exchange->segment_count && slice_is(exchange->segments[0], "mcp"))
		id = SLICE(HOSTED_GUEST);
	struct principal *principal =
		identity_guest(exchange->gateway->identity, id, name, kind, mcp, &why);
	if (!principal) exchange_fault(exchange, &why);
	found(exchange, principal);
}

void credentials_ask(struct exchange *exchange, struct slice bearer, credentials_found *found) {
	if (!bearer.bytes && identity_is_open(exchange->gateway->identity)) {
		guest(exchange, found);
		return;
	}
	if (!bearer.bytes) {
		static const char words[] = "a token is needed: Authorization: Bearer TOKEN (hustings token create --id ID makes one)";
		if (!mcp_refused(exchange, false, words)) exchange_error(exchange, 401, "token_required", "%s", words);
		found(exchange, NULL);
		return;
	}
	struct waiting *waiting = arena_alloc(&exchange->arena, sizeof *waiting);
	if (!waiting) {
		exchange_error(exchange, 503, "no_memory", "no memory for the request: try again");
		found(exchange, NULL);
		return;
	}
	*waiting = (struct waiting){exchange, found};
	exchange->waiting = waiting;
	identity_ask(exchange->gateway->identity, bearer, identified, waiting);
}

void credentials_forget(struct exchange *exchange) {
	if (exchange->waiting) identity_forget(exchange->gateway->identity, exchange->waiting);
}
