/* SPDX-License-Identifier: Apache-2.0 */
/* Ticket: a short-lived map from a random name to who may use it. */
#include "auth/ticket.h"

#include "base/ident.h"
#include "base/list.h"
#include "base/map.h"
#include "base/secret.h"

#include <stdlib.h>

struct ticket {
	struct link in_order; /* of making: the oldest is the first to be over */
	struct principal *principal;
	uint64_t over_at; /* loop ms */
	size_t topic_length;
	char text[TICKET_TEXT];
	char topic[];
};

struct tickets {
	struct loop *loop;
	uint64_t life_ms;
	size_t most;
	size_t most_of_one; /* 0: any */
	struct map by_text;
	struct link in_order;
};

static struct tickets *open_table(struct loop *loop, uint64_t life_ms, size_t most, struct fault *why) {
	struct tickets *tickets = calloc(1, sizeof *tickets);
	if (!tickets) return fault_null(why, FAULT_NO_MEMORY, "no memory for tickets");
	tickets->loop = loop;
	tickets->life_ms = life_ms;
	tickets->most = most;
	map_init(&tickets->by_text);
	list_init(&tickets->in_order);
	return tickets;
}

struct tickets *tickets_open(struct loop *loop, struct fault *why) {
	return open_table(loop, TICKET_LIFE_MS, TICKETS, why);
}

struct tickets *tickets_open_sign_in(struct loop *loop, struct fault *why) {
	struct tickets *tickets = open_table(loop, TICKET_SIGN_IN_LIFE_MS, TICKETS_SIGN_IN, why);
	if (tickets) tickets->most_of_one = TICKETS_SIGN_IN_OF_ONE;
	return tickets;
}

static void throw_away(struct tickets *tickets, struct ticket *ticket) {
	map_remove(&tickets->by_text, slice_of(ticket->text));
	list_remove(&ticket->in_order);
	principal_drop(ticket->principal);
	secret_wipe(ticket->text, sizeof ticket->text);
	free(ticket);
}

void tickets_close(struct tickets *tickets) {
	if (!tickets) return;
	LIST_EACH_SAFE(link, &tickets->in_order)
		throw_away(tickets, CONTAINER_OF(link, struct ticket, in_order));
	map_finish(&tickets->by_text);
	free(tickets);
}

static void sweep(struct tickets *tickets) {
	uint64_t now = loop_now(tickets->loop);
	LIST_EACH_SAFE(link, &tickets->in_order) {
		struct ticket *ticket = CONTAINER_OF(link, struct ticket, in_order);
		if (ticket->over_at > now) break;
		throw_away(tickets, ticket);
	}
}

/* Leaves room for one more of that identity. */
static void crowd_out(struct tickets *tickets, struct slice id) {
	struct ticket *oldest = NULL;
	size_t count = 0;
	LIST_EACH(link, &tickets->in_order) {
		struct ticket *ticket = CONTAINER_OF(link, struct ticket, in_order);
		if (!slice_equal(ticket->principal->id, id)) continue;
		if (!oldest) oldest = ticket;
		count++;
	}
	if (oldest && count >= tickets->most_of_one) throw_away(tickets, oldest);
}

bool ticket_make(struct tickets *tickets, struct principal *principal, struct slice topic,
	char text[TICKET_TEXT], struct fault *why) {
	uint8_t octets[32];
	AUTO_TEXT struct text encoded = {0};
	sweep(tickets);
	if (tickets->most_of_one) crowd_out(tickets, principal->id);
	if (tickets->by_text.count >= tickets->most)
		return fault_set(why, FAULT_FULL, "%zu tickets wait to be used, the most allowed: try again", tickets->most);
	text_init(&encoded, 0);
	ident_random(octets, sizeof octets);
	secret_base64url(&encoded, slice_make(octets, sizeof octets));
	struct ticket *ticket = calloc(1, sizeof *ticket + topic.length);
	if (!ticket || text_failed(&encoded)) {
		free(ticket);
		return fault_set(why, FAULT_NO_MEMORY, "no memory for a ticket");
	}
	memcpy(ticket->text, encoded.bytes, TICKET_TEXT - 1);
	if (topic.length) memcpy(ticket->topic, topic.bytes, topic.length);
	ticket->topic_length = topic.length;
	ticket->over_at = loop_now(tickets->loop) + tickets->life_ms;
	if (!map_add(&tickets->by_text, slice_of(ticket->text), ticket, NULL)) {
		free(ticket);
		return fault_set(why, FAULT_NO_MEMORY, "no memory for a ticket");
	}
	ticket->principal = principal_keep(principal);
	list_append(&tickets->in_order, &ticket->in_order);
	memcpy(text, ticket->text, TICKET_TEXT);
	return true;
}

struct principal *ticket_take(struct tickets *tickets, struct slice text, struct slice topic,
	struct fault *why) {
	sweep(tickets);
	struct ticket *ticket = map_find(&tickets->by_text, text);
	if (!ticket)
		return fault_null(why, FAULT_REFUSED, "the ticket is unknown, used or over: ask for a new one");
	bool fits = slice_equal(slice_make(ticket->topic, ticket->topic_length), topic);
	struct principal *principal = fits ? principal_keep(ticket->principal) : NULL;
	throw_away(tickets, ticket); /* one try, right or wrong */
	if (!fits) return fault_null(why, FAULT_REFUSED, "the ticket was made for another topic");
	return principal;
}

void tickets_revoke(struct tickets *tickets, struct slice token_id, struct slice id) {
	LIST_EACH_SAFE(link, &tickets->in_order) {
		struct ticket *ticket = CONTAINER_OF(link, struct ticket, in_order);
		if (token_id.length && !slice_equal(principal_text(ticket->principal, PRINCIPAL_TOKEN_ID), token_id)) continue;
		if (id.length && !slice_equal(ticket->principal->id, id)) continue;
		throw_away(tickets, ticket);
	}
}
