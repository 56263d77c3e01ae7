/* SPDX-License-Identifier: Apache-2.0 */
/* Companion: JSON-RPC in envelopes, to one and from one. */
#include "client/companion.h"

#include "client/guest_parts.h"

#include <stdlib.h>

static bool send_to(void *context, struct slice message, struct slice about, char *sent,
	struct fault *why) {
	const struct companion *companion = context;
	struct slice to = slice_of(companion->id);
	return membership_send(companion->asker.guest->membership, ENVELOPE_MCP, &to, 1, about, message,
		sent, why);
}

static bool recalled(void *context, struct slice sent) {
	const struct companion *companion = context;
	return membership_withdraw(companion->asker.guest->membership, sent);
}

static void asked(void *context, struct peer_question *question, const struct jsonrpc *request) {
	const struct companion *companion = context;
	struct guest *guest = companion->asker.guest;
	bool is_taken = guest->options.asked &&
		guest->options.asked(guest->options.asked_context, slice_of(companion->id), question, request);
	if (!is_taken) mcp_server_asked(guest->server, question, request);
}

static void told(void *context, const struct jsonrpc *notification) {
	struct companion *companion = context;
	if (!slice_is(notification->method, "notifications/tools/list_changed")) return;
	companion->changes++;
	mcp_listing_drop(TAKE(companion->listing));
	GUEST_TELL(companion->asker.guest, tools_changed, slice_of(companion->id));
}

static void cancelled(void *context, struct peer_question *question) {
	struct guest *guest = ((struct companion *)context)->asker.guest;
	if (guest->options.cancelled) guest->options.cancelled(guest->options.cancelled_context, question);
}

static const struct peer_events companion_events = {
	.send = send_to,
	.recalled = recalled,
	.asked = asked,
	.told = told,
	.cancelled = cancelled,
};

struct companion *companion_open(struct guest *guest, struct slice id, struct fault *why) {
	struct companion *companion = calloc(1, sizeof *companion);
	if (!companion) return fault_null(why, FAULT_NO_MEMORY, "no memory for another participant");
	list_init(&companion->in_queue);
	list_init(&companion->waiters);
	companion->id = slice_copy(id);
	companion->asker = (struct asker){.guest = guest, .id = companion->id};
	companion->peer = peer_open(guest->loop, &companion_events, companion, why);
	if (companion->id && companion->peer) {
		mcp_client_init(&companion->client, companion->peer, companion);
		companion->client.most_listed = guest->options.most_listed;
		return companion;
	}
	peer_close(companion->peer, NULL);
	free(companion->id);
	free(companion);
	return fault_null(why, FAULT_NO_MEMORY, "no memory for another participant");
}

void companion_await(struct companion *companion, struct companion_waiter *waiter) {
	list_append(&companion->waiters, &waiter->link);
}

void companion_leave(struct companion_waiter *waiter) {
	list_remove(&waiter->link);
}

void companion_tell(struct companion *companion, const struct fault *why) {
	for (struct link *link; (link = list_pop(&companion->waiters));) {
		struct companion_waiter *waiter = CONTAINER_OF(link, struct companion_waiter, link);
		waiter->told(waiter, why);
	}
}

void companion_close(struct companion *companion, const struct fault *why) {
	list_remove(&companion->in_queue);
	companion_tell(companion, why);
	const struct guest_options *options = &companion->asker.guest->options;
	mcp_client_finish(&companion->client);
	peer_close(companion->peer, why);
	if (companion->asker.note.client && options->forgot)
		options->forgot(options->forgot_context, &companion->asker.note);
	mcp_listing_drop(companion->listing);
	free(companion->id);
	free(companion);
}
