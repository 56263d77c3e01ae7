/* SPDX-License-Identifier: Apache-2.0 */
/* Credentials: Host and Origin compared as parsed names, bearers from their two places. */
#include "gateway/credentials.h"

#include "base/ident.h"
#include "base/secret.h"
#include "gateway/mcp_refused.h"
#include "hosted/hosted.h"

#include <stdio.h>

/* An authority's port is not written where it is the scheme's own. */
static unsigned port_of(bool is_secure, unsigned port) { return port ? port : is_secure ? 443
											: 80; }

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
		(!allowed_port || allowed_port == port_of(is_secure, port));
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

/* "https://name:port" in its parts; false: none ("null" and other schemes too). */
static bool origin_parts(struct slice origin, struct slice *scheme, struct slice *host, unsigned *port) {
	static const char *const schemes[] = {"http://", "https://"};
	for (size_t i = 0; i < COUNT_OF(schemes); i++) {
		size_t length = strlen(schemes[i]);
		if (!slice_starts_with(origin, schemes[i])) continue;
		*scheme = slice_make(origin.bytes, length);
		return http1_authority(slice_make(origin.bytes + length, origin.length - length), host, port);
	}
	return false;
}

static bool origin_is_ours(const struct gateway_settings *settings, struct slice origin) {
	struct slice scheme, host, allowed_scheme, allowed_host;
	unsigned port, allowed_port;
	if (!origin_parts(origin, &scheme, &host, &port)) return false;
	if (is_loopback_name(host) || slice_equal_ignoring_case(host, slice_of(settings->host)))
		return true;
	for (size_t i = 0; settings->allowed_origins[i]; i++) {
		if (!origin_parts(slice_of(settings->allowed_origins[i]), &allowed_scheme, &allowed_host,
			    &allowed_port))
			continue;
		bool is_secure = slice_is(scheme, "https://");
		if (slice_equal(scheme, allowed_scheme) &&
			port_of(is_secure, port) == port_of(is_secure, allowed_port) &&
			slice_equal_ignoring_case(host, allowed_host))
			return true;
	}
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
	if (!from_subprotocol) return true;
	for (size_t i = 0; i < exchange->head->field_count && !bearer->bytes; i++) {
		const struct http1_field *field = &exchange->head->fields[i];
		if (!slice_equal_ignoring_case(field->name, SLICE("Sec-WebSocket-Protocol"))) continue;
		if (!subprotocol_bearer(exchange, field->value, bearer)) return false;
	}
	*from_subprotocol = bearer->bytes != NULL;
	return true;
}

/* Who waits for a JWT's keys: the exchange, by its own pointer. */
struct waiting {
	struct exchange *exchange;
	credentials_found *found;
};

static void identified(void *context, struct principal *principal, const struct fault *why) {
	const struct waiting *waiting = context;
	struct exchange *exchange = waiting->exchange;
	credentials_found *found = waiting->found; /* an answer takes the arena along */
	exchange->waiting = NULL;
	exchange->gone = NULL;
	if (principal) {
		found(exchange, principal);
		return;
	}
	if (why->code != FAULT_REFUSED) {
		exchange_fault(exchange, why);
		found(exchange, NULL);
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
