/* SPDX-License-Identifier: Apache-2.0 */
/* Websocket door: the upgrade request, checked word by word before anything moves. */
#include "gateway/websocket_door.h"

#include "base/ident.h"
#include "gateway/credentials.h"
#include "gateway/door.h"
#include "gateway/reserved.h"
#include "wire/websocket.h"

#include <stdlib.h>

/* What is known before it is known who comes; in the exchange's arena. */
struct arrival {
	struct slice topic;
	char accept[29];
	bool answers_mcpx;
};

static bool refuse(struct exchange *exchange, unsigned status, const char *word, const char *what) {
	exchange_error(exchange, status, word, "%s", what);
	return false;
}

/* RFC 6455 4.2.1. */
static bool check_handshake(struct exchange *exchange, struct arrival *arrival) {
	const struct http1_head *head = exchange->head;
	if (!head->upgrades)
		return refuse(exchange, 426, "upgrade_required",
			"this is a WebSocket: send Connection: Upgrade and Upgrade: websocket");
	if (http1_field_count(head, "Sec-WebSocket-Version") != 1 ||
		!slice_is(http1_field(head, "Sec-WebSocket-Version"), "13"))
		return refuse(exchange, 426, "upgrade_required", "Sec-WebSocket-Version must be 13");
	if (http1_field_count(head, "Sec-WebSocket-Key") != 1 ||
		!websocket_accept(http1_field(head, "Sec-WebSocket-Key"), arrival->accept))
		return refuse(exchange, 400, "bad_request",
			"Sec-WebSocket-Key must be 16 octets in base64, once");
	arrival->answers_mcpx = http1_has_token(head, "Sec-WebSocket-Protocol", "mcpx");
	return true;
}

static bool check_topic(struct exchange *exchange, struct slice *topic) {
	if (!exchange_query(exchange, "topic", topic)) return false;
	if (!topic->bytes)
		return refuse(exchange, 400, "bad_topic", "query topic is missing: /v0/ws?topic=NAME");
	if (!ident_is_topic(*topic))
		return refuse(exchange, 400, "bad_topic",
			"query topic must be 1 to 128 of ASCII letters, digits and ._:@-/ without ..");
	return true;
}

static bool read_flag(struct exchange *exchange, const char *name, bool otherwise, bool *flag) {
	struct slice value;
	if (!exchange_query(exchange, name, &value)) return false;
	*flag = otherwise;
	if (!value.bytes) return true;
	if (!slice_is(value, "0") && !slice_is(value, "1")) {
		exchange_error(exchange, 400, "bad_input", "query %s must be 0 or 1", name);
		return false;
	}
	*flag = slice_is(value, "1");
	return true;
}

static bool read_dialect(struct exchange *exchange, const struct principal *principal,
	struct joining *joining) {
	struct slice protocol;
	if (!exchange_query(exchange, "protocol", &protocol)) return false;
	joining->has_dialect = principal->has_dialect;
	joining->dialect = principal->dialect;
	if (!protocol.bytes) return true;
	joining->has_dialect = true;
	if (envelope_dialect_read(protocol, &joining->dialect)) return true;
	return refuse(exchange, 400, "bad_protocol", "query protocol must be mcp-x/v0 or mcpx/v0.1");
}

/* history, since, echo, beside, protocol. */
static bool read_wishes(struct exchange *exchange, const struct principal *principal,
	struct joining *joining) {
	uint64_t history;
	struct slice since;
	bool echoes;
	if (!read_dialect(exchange, principal, joining) ||
		!exchange_query_number(exchange, "history", 0, 1000, 0, &history) ||
		!exchange_query(exchange, "since", &since) || !read_flag(exchange, "echo", true, &echoes) ||
		!read_flag(exchange, "beside", false, &joining->is_beside))
		return false;
	if (since.length >= sizeof joining->since)
		return refuse(exchange, 400, "bad_input", "query since must be an envelope's id, below 256 octets");
	if (since.length) memcpy(joining->since, since.bytes, since.length);
	joining->history = (uint16_t)history;
	joining->is_mute = !echoes;
	return true;
}

/* What the token does not say of its bearer, the query may. */
static bool describe(struct exchange *exchange, struct principal **principal) {
	struct slice name, kind, mcp;
	struct fault why;
	if (!exchange_query(exchange, "name", &name) || !exchange_query(exchange, "kind", &kind) ||
		!exchange_query(exchange, "mcp", &mcp))
		return false;
	struct principal *described = principal_describe(*principal, name, kind, mcp, &why);
	if (!described) {
		exchange_fault(exchange, &why);
		return false;
	}
	principal_drop(*principal);
	*principal = described;
	return true;
}

/* Outside open mode the token says who comes. Who names somebody else has mistaken one token for
 * another, and is told so before it takes that one's seat. */
static bool id_is_its_own(struct exchange *exchange, const struct principal *principal) {
	struct slice id;
	if (!exchange_query(exchange, "id", &id)) return false;
	if (!id.length || slice_equal(id, principal->id)) return true;
	exchange_error(exchange, 403, "forbidden", "the token is not that of query id: it is %.*s's",
		SLICE_ARGS(principal->id));
	return false;
}

static void wish_free(struct door_wish *wish) {
	if (!wish) return;
	principal_drop(wish->principal);
	if (wish->live) live_drop(wish->gateway, wish->live);
	free(wish->topic);
	free(wish);
}
AUTO_RELEASE(door_wish, wish_free)

/* Everything that can be refused is refused while it is still HTTP. Takes the principal. */
static void enter(struct exchange *exchange, struct arrival *arrival, struct principal *principal) {
	struct gateway *gateway = exchange->gateway;
	struct fault why;
	AUTO(door_wish) wish = calloc(1, sizeof *wish);
	if (!wish) {
		principal_drop(principal);
		exchange_error(exchange, 503, "no_memory", "no memory for another connection");
		return;
	}
	wish->gateway = gateway;
	wish->principal = principal;
	if (!principal_may_enter(principal, arrival->topic)) {
		exchange_error(exchange, 403, "forbidden", "the token does not hold for this topic");
		return;
	}
	if (reserved_identity(gateway, arrival->topic, principal->id, &why)) {
		exchange_fault(exchange, &why);
		return;
	}
	if (!id_is_its_own(exchange, principal) || !describe(exchange, &wish->principal) ||
		!read_wishes(exchange, wish->principal, &wish->joining))
		return;
	if (!identity_privilege(gateway->identity, wish->principal, arrival->topic,
		    &wish->joining.privilege, NULL, &why) ||
		!(wish->live = live_add(gateway->live, wish->principal, arrival->topic,
			  wish->joining.privilege, &why))) {
		exchange_fault(exchange, &why);
		return;
	}
	if (wish->joining.is_beside) live_sits_beside(wish->live);
	wish->topic = slice_copy(arrival->topic);
	if (!wish->topic) {
		exchange_error(exchange, 503, "no_memory", "no memory for another connection");
		return;
	}
	memcpy(wish->accept, arrival->accept, sizeof wish->accept);
	wish->answers_mcpx = arrival->answers_mcpx;
	wish->joining.may_make = wish->principal->is_admin;
	wish->island = gateway_island(gateway, arrival->topic);
	if (exchange_release(exchange, &wish->socket, &wish->rest, &wish->rest_length))
		door_open(TAKE(wish));
}

/* The token behind it may have been revoked since, by another process too. */
static struct principal *take_ticket(struct gateway *gateway, struct slice topic, struct slice ticket,
	struct fault *why) {
	AUTO(principal) principal = ticket_take(gateway->tickets, ticket, topic, why);
	if (!principal || !live_was_revoked(gateway->live, principal)) return TAKE(principal);
	return fault_null(why, FAULT_REFUSED, "the token that the ticket was made with was revoked");
}

static void enter_by_ticket(struct exchange *exchange, struct arrival *arrival, struct slice ticket) {
	struct fault why;
	struct principal *principal = take_ticket(exchange->gateway, arrival->topic, ticket, &why);
	if (principal) enter(exchange, arrival, principal);
	else if (credentials_may_be_wrong(exchange, &why)) exchange_error(exchange, 401, "bad_ticket", "%s", why.text);
}

static void identified(struct exchange *exchange, struct principal *principal) {
	if (!principal) return;
	struct arrival *arrival = exchange->context;
	exchange->gone = NULL;
	enter(exchange, arrival, principal);
}

void websocket_door(struct exchange *exchange) {
	struct arrival *arrival = arena_zero(&exchange->arena, sizeof *arrival);
	struct slice ticket, bearer;
	bool from_subprotocol = false;
	if (!arrival) {
		exchange_error(exchange, 503, "no_memory", "no memory for another connection");
		return;
	}
	if (!check_handshake(exchange, arrival) || !check_topic(exchange, &arrival->topic) ||
		!exchange_query(exchange, "ticket", &ticket))
		return;
	if (ticket.bytes) {
		enter_by_ticket(exchange, arrival, ticket);
		return;
	}
	if (!credentials_bearer(exchange, &bearer, &from_subprotocol)) return;
	exchange->context = arrival;
	exchange->gone = credentials_forget;
	credentials_ask(exchange, bearer, identified);
}
