/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosted subscriptions: which principal wants to hear of which resource. A legacy server is asked by
 * resources/subscribe, a modern one by what hosted_listening.c asks for.
 */
#include "kernel/hosted_parts.h"

#include <stdlib.h>

static struct hosted_subscription *find(struct hosted *hosted, struct slice principal,
	struct slice uri) {
	LIST_EACH(link, &hosted->subscriptions) {
		struct hosted_subscription *each = CONTAINER_OF(link, struct hosted_subscription, link);
		if (slice_is(principal, each->principal) && slice_is(uri, each->uri)) return each;
	}
	return NULL;
}

static bool has_room(const struct hosted *hosted, struct slice principal) {
	size_t count = 0;
	LIST_EACH(link, &hosted->subscriptions)
		count += slice_is(principal, CONTAINER_OF(link, struct hosted_subscription, link)->principal);
	return count < HOSTED_SUBSCRIPTIONS;
}

static void subscription_free(struct hosted_subscription *subscription) {
	list_remove(&subscription->link);
	free(subscription->principal);
	free(subscription->uri);
	free(subscription);
}

static void write_params(struct text *to, const struct hosted_subscription *subscription) {
	text_init(to, 0);
	text_add_cstr(to, "{\"uri\":");
	text_json(to, slice_of(subscription->uri));
	text_add_char(to, '}');
}

static void let_go(struct hosted_subscription *subscription) {
	struct hosted_child *child = TAKE(subscription->child);
	if (!child) return;
	child->subscriptions--;
	hosted_listening_renew(child);
	hosted_child_idle(child);
}

/* Refused or over: the server does not tell; whoever subscribed still counts, for the next one. */
static void answered(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct hosted_subscription *subscription = context;
	(void)why;
	subscription->call = NULL;
	if (!reply || !reply->result.bytes) let_go(subscription);
}

static void ask(struct hosted_subscription *subscription, struct hosted_child *child) {
	AUTO_TEXT struct text params = {0};
	subscription->child = child;
	child->subscriptions++;
	if (child->era == HOSTED_MODERN) {
		deadline_clear(&child->deadline);
		hosted_listening_renew(child);
		return;
	}
	write_params(&params, subscription);
	const struct peer_request request = {
		.method = SLICE("resources/subscribe"),
		.params = text_slice(&params),
		.deadline_ms = subscription->hosted->setup.of.call_ms,
		.answered = answered,
		.context = subscription,
	};
	if (!text_failed(&params)) subscription->call = hosted_child_ask(child, &request, NULL, NULL);
	if (!subscription->call) let_go(subscription);
	else deadline_clear(&child->deadline);
}

static void none(void *context, const struct peer_reply *reply, const struct fault *why) {
	(void)context;
	(void)reply;
	(void)why;
}

static void take_back(struct hosted_subscription *subscription) {
	AUTO_TEXT struct text params = {0};
	struct hosted_child *child = subscription->child;
	if (!child || !child->peer) return;
	if (subscription->call) peer_cancel(TAKE(subscription->call), SLICE("not wanted any more"));
	if (child->era == HOSTED_MODERN) return;
	write_params(&params, subscription);
	const struct peer_request request = {.method = SLICE("resources/unsubscribe"),
		.params = text_slice(&params),
		.answered = none};
	if (!text_failed(&params)) (void)!peer_ask(child->peer, &request, NULL);
}

/* In the principal's own conversation, where it has one. */
static bool may_serve(const struct hosted_child *child, const struct hosted_subscription *for_whom) {
	if (child->stage != HOSTED_OPEN) return false;
	if (child->hosted->setup.of.share != HOSTED_SHARE_PRINCIPAL) return true;
	return !child->principal || !strcmp(child->principal, for_whom->principal);
}

static void look_for_child(struct hosted_subscription *subscription) {
	LIST_EACH(link, &subscription->hosted->children) {
		struct hosted_child *child = CONTAINER_OF(link, struct hosted_child, link);
		if (subscription->child || !may_serve(child, subscription)) continue;
		if (subscription->hosted->setup.of.share == HOSTED_SHARE_PRINCIPAL && !child->principal)
			child->principal = slice_copy(slice_of(subscription->principal));
		ask(subscription, child);
	}
}

bool hosted_subscribe(struct hosted *hosted, struct slice principal, struct slice uri,
	struct fault *why) {
	struct hosted_subscription *subscription = find(hosted, principal, uri);
	bool is_offered = hosted_offers(hosted, HOSTED_LEGACY, "resources", "subscribe") ||
		hosted_offers(hosted, HOSTED_MODERN, "resources", "subscribe");
	if (!is_offered)
		return fault_set(why, FAULT_UNSUPPORTED, "server %s offers no subscriptions", hosted->setup.of.id);
	if (subscription) {
		subscription->count++;
		return true;
	}
	if (uri.length > HOSTED_URI)
		return fault_set(why, FAULT_BAD_INPUT, "a uri is of %d octets at most", HOSTED_URI);
	if (!has_room(hosted, principal))
		return fault_set(why, FAULT_FULL, "%d resources of server %s are subscribed to already",
			HOSTED_SUBSCRIPTIONS, hosted->setup.of.id);
	subscription = calloc(1, sizeof *subscription);
	if (!subscription) return fault_set(why, FAULT_NO_MEMORY, "no memory for a subscription");
	subscription->hosted = hosted;
	subscription->count = 1;
	list_append(&hosted->subscriptions, &subscription->link);
	subscription->principal = slice_copy(principal);
	subscription->uri = slice_copy(uri);
	if (!subscription->principal || !subscription->uri) {
		subscription_free(subscription);
		return fault_set(why, FAULT_NO_MEMORY, "no memory for a subscription");
	}
	look_for_child(subscription);
	return true;
}

void hosted_unsubscribe(struct hosted *hosted, struct slice principal, struct slice uri) {
	struct hosted_subscription *subscription = find(hosted, principal, uri);
	if (!subscription || --subscription->count) return;
	take_back(subscription);
	let_go(subscription);
	subscription_free(subscription);
}

void hosted_subscriptions_ready(struct hosted_child *child) {
	LIST_EACH(link, &child->hosted->subscriptions) {
		struct hosted_subscription *each = CONTAINER_OF(link, struct hosted_subscription, link);
		if (!each->child) look_for_child(each);
	}
}

void hosted_subscriptions_gone(struct hosted_child *child) {
	LIST_EACH(link, &child->hosted->subscriptions) {
		struct hosted_subscription *each = CONTAINER_OF(link, struct hosted_subscription, link);
		if (each->child == child) let_go(each);
	}
}

void hosted_subscriptions_finish(struct hosted *hosted) {
	while (!list_is_empty(&hosted->subscriptions))
		subscription_free(CONTAINER_OF(hosted->subscriptions.next, struct hosted_subscription, link));
}

void hosted_subscriptions_tell(struct hosted_child *child, const struct scan_value *params) {
	char lent[512];
	struct arena arena;
	struct scan_value value;
	struct slice uri;
	arena_init(&arena, lent, sizeof lent, 0);
	if (scan_find(params, "uri", &value) && scan_string(&value, &arena, &uri))
		LIST_EACH_SAFE(link, &child->hosted->subscriptions) {
			struct hosted_subscription *each = CONTAINER_OF(link, struct hosted_subscription, link);
			if (each->child == child && slice_is(uri, each->uri))
				hosted_tell_updated(child->hosted, slice_of(each->principal), uri, params);
		}
	arena_finish(&arena);
}
