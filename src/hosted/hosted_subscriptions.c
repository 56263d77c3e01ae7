/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hosted subscriptions: which principal wants to hear of which resource. A legacy server is asked by
 * resources/subscribe, a modern one by what hosted_listening.c asks for.
 *
 * A subscription is held in every conversation of its principal, since what changes in the process of
 * one need not change in another's. It keeps the last that holds it from ending for idleness.
 */
#include "hosted/hosted_parts.h"

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

/* ---- In one conversation ---- */

static struct hosted_hold *held_by(const struct hosted_subscription *subscription,
	const struct hosted_child *child) {
	LIST_EACH(link, &subscription->holds) {
		struct hosted_hold *hold = CONTAINER_OF(link, struct hosted_hold, link);
		if (hold->child == child) return hold;
	}
	return NULL;
}

bool hosted_subscription_is_held(const struct hosted_subscription *subscription,
	const struct hosted_child *child) {
	return held_by(subscription, child) != NULL;
}

static void let_go(struct hosted_hold *hold) {
	struct hosted_child *child = hold->child;
	if (hold->call) peer_cancel(TAKE(hold->call), SLICE("not wanted any more"));
	list_remove(&hold->link);
	free(hold);
	hosted_listening_renew(child);
	hosted_child_idle(child);
}

/* Refused: this conversation does not tell. */
static void answered(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct hosted_hold *hold = context;
	(void)why;
	hold->call = NULL;
	if (!reply || !reply->result.bytes) let_go(hold);
}

/* Without memory it is asked when the next conversation begins. */
static void ask(struct hosted_subscription *subscription, struct hosted_child *child) {
	AUTO_TEXT struct text params = {0};
	struct hosted_hold *hold = calloc(1, sizeof *hold);
	if (!hold) return;
	hold->child = child;
	list_append(&subscription->holds, &hold->link);
	if (child->era == HOSTED_MODERN) {
		hosted_listening_renew(child);
		return;
	}
	write_params(&params, subscription);
	const struct peer_request request = {
		.method = SLICE("resources/subscribe"),
		.params = text_slice(&params),
		.deadline_ms = subscription->hosted->setup.of.call_ms,
		.answered = answered,
		.context = hold,
	};
	if (!text_failed(&params)) hold->call = hosted_child_ask(child, &request, NULL, NULL);
	if (!hold->call) let_go(hold);
}

static void none(void *context, const struct peer_reply *reply, const struct fault *why) {
	(void)context;
	(void)reply;
	(void)why;
}

static void take_back(const struct hosted_subscription *subscription, struct hosted_hold *hold) {
	AUTO_TEXT struct text params = {0};
	struct hosted_child *child = hold->child;
	let_go(hold);
	if (!child->peer || child->era == HOSTED_MODERN) return;
	write_params(&params, subscription);
	const struct peer_request request = {.method = SLICE("resources/unsubscribe"),
		.params = text_slice(&params),
		.answered = none};
	if (!text_failed(&params)) (void)!peer_ask(child->peer, &request, NULL);
}

/* ---- In all of the principal's ---- */

static bool may_serve(const struct hosted_child *child, const char *principal) {
	bool is_offered = hosted_offers(child->hosted, child->era, "resources", "subscribe");
	if (child->stage != HOSTED_OPEN || !is_offered || child->is_shared) return false;
	if (child->hosted->setup.of.share != HOSTED_SHARE_PRINCIPAL) return true;
	return principal ? child->principal && !strcmp(child->principal, principal) : !child->principal;
}

static void hold_one(struct hosted_subscription *subscription) {
	bool is_principals = subscription->hosted->setup.of.share == HOSTED_SHARE_PRINCIPAL;
	LIST_EACH(link, &subscription->hosted->children) {
		struct hosted_child *child = CONTAINER_OF(link, struct hosted_child, link);
		if (!may_serve(child, NULL)) continue;
		if (is_principals) child->principal = slice_copy(slice_of(subscription->principal));
		if (!is_principals || child->principal) ask(subscription, child);
		return;
	}
}

/* Everybody's conversation is one in which all is told. Where the principal has none yet, it gets one. */
static void hold_all(struct hosted_subscription *subscription) {
	bool is_everybodys = subscription->hosted->setup.of.share == HOSTED_SHARE_ALL;
	if (subscription->hosted->is_removed) return;
	LIST_EACH(link, &subscription->hosted->children) {
		struct hosted_child *child = CONTAINER_OF(link, struct hosted_child, link);
		bool is_enough = is_everybodys && !list_is_empty(&subscription->holds);
		if (is_enough || !may_serve(child, subscription->principal) || held_by(subscription, child)) continue;
		ask(subscription, child);
	}
	if (list_is_empty(&subscription->holds)) hold_one(subscription);
	LIST_EACH(link, &subscription->holds) { /* one that was kept for it alone may end now */
		struct hosted_child *child = CONTAINER_OF(link, struct hosted_hold, link)->child;
		if (!child->deadline.at) hosted_child_idle(child);
	}
}

bool hosted_subscriptions_need(const struct hosted_child *child) {
	LIST_EACH(link, &child->hosted->subscriptions) {
		const struct hosted_subscription *each = CONTAINER_OF(link, struct hosted_subscription, link);
		if (held_by(each, child) && each->holds.next->next == &each->holds) return true;
	}
	return false;
}

/* ---- From outside ---- */

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
	list_init(&subscription->holds);
	list_append(&hosted->subscriptions, &subscription->link);
	subscription->principal = slice_copy(principal);
	subscription->uri = slice_copy(uri);
	if (!subscription->principal || !subscription->uri) {
		subscription_free(subscription);
		return fault_set(why, FAULT_NO_MEMORY, "no memory for a subscription");
	}
	hold_all(subscription);
	return true;
}

void hosted_unsubscribe(struct hosted *hosted, struct slice principal, struct slice uri) {
	struct hosted_subscription *subscription = find(hosted, principal, uri);
	if (!subscription || --subscription->count) return;
	while (!list_is_empty(&subscription->holds))
		take_back(subscription, CONTAINER_OF(subscription->holds.next, struct hosted_hold, link));
	subscription_free(subscription);
}

void hosted_subscriptions_ready(struct hosted_child *child) {
	LIST_EACH(link, &child->hosted->subscriptions)
		hold_all(CONTAINER_OF(link, struct hosted_subscription, link));
}

void hosted_subscriptions_gone(struct hosted_child *child) {
	LIST_EACH(link, &child->hosted->subscriptions) {
		struct hosted_subscription *each = CONTAINER_OF(link, struct hosted_subscription, link);
		struct hosted_hold *hold = held_by(each, child);
		if (hold) let_go(hold);
		if (hold && list_is_empty(&each->holds)) hold_all(each);
	}
}

void hosted_subscriptions_finish(struct hosted *hosted) {
	while (!list_is_empty(&hosted->subscriptions))
		subscription_free(CONTAINER_OF(hosted->subscriptions.next, struct hosted_subscription, link));
}

static struct hosted_subscription *next_untold(struct hosted_child *child, struct slice uri) {
	LIST_EACH(link, &child->hosted->subscriptions) {
		struct hosted_subscription *each = CONTAINER_OF(link, struct hosted_subscription, link);
		bool is_untold = each->told != child->hosted->tellings;
		if (is_untold && slice_is(uri, each->uri) && held_by(each, child)) return each;
	}
	return NULL;
}

/* Whoever is told may unsubscribe anything. */
void hosted_subscriptions_tell(struct hosted_child *child, const struct scan_value *params) {
	struct hosted *hosted = child->hosted;
	struct hosted_subscription *each;
	char lent[512];
	struct arena arena;
	struct scan_value value;
	struct slice uri;
	arena_init(&arena, lent, sizeof lent, 0);
	hosted->tellings++;
	if (scan_find(params, "uri", &value) && scan_string(&value, &arena, &uri))
		while ((each = next_untold(child, uri))) {
			each->told = hosted->tellings;
			hosted_tell_updated(hosted, slice_of(each->principal), uri, params);
		}
	arena_finish(&arena);
}
