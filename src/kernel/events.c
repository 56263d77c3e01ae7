/* SPDX-License-Identifier: Apache-2.0 */
/* Events: a list of subscriptions, each asked about every event. */
#include "kernel/events.h"

#include "base/ident.h"

#include <stdio.h>
#include <stdlib.h>

#define TOLD "notifications/mgp.event"
#define WORDS ((size_t)64 * 1024) /* octets of what a subscription keeps of its asker and channels */

struct events {
	struct loop *loop;
	struct link all;
	size_t count;
	struct link listeners;
};

static struct event_subscription *subscription_of(struct link *link) {
	return CONTAINER_OF(link, struct event_subscription, link);
}

struct events *events_open(struct loop *loop, struct fault *why) {
	struct events *events = calloc(1, sizeof *events);
	if (!events) return fault_null(why, FAULT_NO_MEMORY, "no memory for events");
	events->loop = loop;
	list_init(&events->all);
	list_init(&events->listeners);
	return events;
}

static void release(struct event_subscription *subscription) {
	deadline_clear(&subscription->expiry);
	event_window_finish(&subscription->window);
	arena_finish(&subscription->arena);
	free(subscription);
}

/* Its client has been seen to. */
static void end(struct event_subscription *subscription) {
	struct events *events = subscription->events;
	list_remove(&subscription->link);
	events->count--;
	LIST_EACH_SAFE(link, &events->listeners) {
		struct events_listener *listener = CONTAINER_OF(link, struct events_listener, link);
		if (listener->ended) listener->ended(listener, subscription);
	}
	release(subscription);
}

void events_close(struct events *events) {
	struct link *link;
	if (!events) return;
	while ((link = list_pop(&events->all))) release(subscription_of(link));
	free(events);
}

void events_unsubscribe(struct event_subscription *subscription) {
	struct mgp_client *client = TAKE(subscription->client);
	if (client) mgp_client_untie(client, &subscription->tie);
	end(subscription);
}

/* ---- Its life ---- */

static void expired(struct deadline *deadline) {
	end(CONTAINER_OF(deadline, struct event_subscription, expiry));
}

void events_asked(struct event_subscription *subscription) {
	if (!subscription->client)
		deadline_set(subscription->events->loop, &subscription->expiry, EVENTS_KEPT_MS, expired);
}

/* Nobody else can name what belonged to a session. */
static void client_ended(struct mgp_client_tie *tie) {
	struct event_subscription *subscription = CONTAINER_OF(tie, struct event_subscription, tie);
	subscription->client = NULL;
	if (subscription->asker.session.length || !subscription->is_open) end(subscription);
	else events_asked(subscription);
}

static bool is_of(const struct event_subscription *subscription, const struct call_asker *asker) {
	return slice_equal(subscription->asker.principal, asker->principal);
}

/* The oldest of one's own whose client went gives way; nobody else's. */
static bool make_place(struct events *events, const struct call_asker *asker, struct fault *why) {
	struct event_subscription *oldest = NULL;
	size_t own = 0;
	LIST_EACH(link, &events->all) {
		struct event_subscription *one = subscription_of(link);
		if (!is_of(one, asker)) continue;
		own++;
		if (!oldest && !one->client && one->is_open) oldest = one;
	}
	if (own < EVENTS_OF_ONE && events->count < EVENTS_SUBSCRIPTIONS) return true;
	if (oldest) {
		end(oldest);
		return true;
	}
	if (own >= EVENTS_OF_ONE)
		return fault_set(why, FAULT_FULL, "you have %d subscriptions: end one by mgp/events/unsubscribe", EVENTS_OF_ONE);
	return fault_set(why, FAULT_FULL, "there are %d subscriptions here: try again later", EVENTS_SUBSCRIPTIONS);
}

static bool copy_words(struct event_subscription *subscription, const struct call_asker *asker,
	const struct event_wish *wish) {
	struct arena *arena = &subscription->arena;
	struct call_asker *own = &subscription->asker;
	*own = *asker;
	subscription->wish = *wish;
	bool is_fine = arena_copy(arena, asker->principal, &own->principal) &&
		arena_copy(arena, asker->session, &own->session) && arena_copy(arena, asker->kind, &own->kind);
	for (size_t i = 0; is_fine && i < wish->count; i++)
		is_fine = arena_copy(arena, wish->channels[i], &subscription->wish.channels[i]);
	return is_fine;
}

struct event_subscription *events_subscribe(struct events *events, const struct call_asker *asker,
	struct mgp_client *client, const struct hosted *hosted, const struct event_wish *wish, struct fault *why) {
	if (!make_place(events, asker, why)) return NULL;
	struct event_subscription *subscription = calloc(1, sizeof *subscription);
	if (!subscription) return fault_null(why, FAULT_NO_MEMORY, "no memory for a subscription: try again");
	arena_init(&subscription->arena, NULL, 0, WORDS);
	event_window_init(&subscription->window);
	subscription->events = events;
	if (!copy_words(subscription, asker, wish)) {
		release(subscription);
		return fault_null(why, FAULT_NO_MEMORY, "no memory for a subscription: try again");
	}
	memcpy(subscription->id, "sub-", 4);
	ident_uuid(subscription->id + 4);
	if (hosted)
		snprintf(subscription->server, sizeof subscription->server, "%.*s", SLICE_ARGS(hosted_id(hosted)));
	list_append(&events->all, &subscription->link);
	events->count++;
	if (client && client->face) mgp_client_tie(subscription->client = client, &subscription->tie, client_ended);
	return subscription;
}

void events_begin(struct event_subscription *subscription) {
	subscription->is_open = true;
	events_asked(subscription);
}

struct event_subscription *events_find(struct events *events, const struct call_asker *asker, struct slice id) {
	LIST_EACH(link, &events->all) {
		struct event_subscription *one = subscription_of(link);
		if (slice_is(id, one->id) && is_of(one, asker) && slice_equal(one->asker.session, asker->session)) return one;
	}
	return NULL;
}

struct event_subscription *events_next(const struct events *events, const struct event_subscription *after) {
	struct link *next = after ? after->link.next : events->all.next;
	return next == &events->all ? NULL : subscription_of(next);
}

/* ---- Telling ---- */

static bool tell(struct event_subscription *subscription, const struct event *event, uint64_t seq,
	uint64_t number) {
	struct mgp_client *client = subscription->client;
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	event_write(&text, event, subscription->id, seq);
	if (text_failed(&text)) return false;
	const struct scan_value params = {.text = text_slice(&text), .type = SCAN_OBJECT};
	bool is_told = false;
	if (client) {
		client->event = number;
		is_told = mgp_client_tell(client, TOLD, &params);
		client->event = 0;
	}
	if (subscription->asker.session.length) return is_told;
	LIST_EACH_SAFE(link, &subscription->events->listeners) {
		struct events_listener *listener = CONTAINER_OF(link, struct events_listener, link);
		if (listener->told && listener->told(listener, subscription, &params)) is_told = true;
	}
	return is_told;
}

bool event_subscription_may_hear(const struct event_subscription *subscription, const struct hosted *hosted,
	struct slice tool) {
	const struct call_asker *asker = &subscription->asker;
	const struct governed *governed = governed_of(hosted);
	if (subscription->server[0] && !slice_is(hosted_id(hosted), subscription->server)) return false;
	if (!governed) return false;
	if (tool.length || asker->is_in_room) return call_asker_may(asker, governed, tool);
	return asker->is_admin || asker->is_local ||
		access_has_any(governed->means->access, asker->principal, hosted_id(hosted), governed->policy.access);
}

static bool wants(const struct event_subscription *subscription, const struct event_raised *raised) {
	const struct event_wish *wish = &subscription->wish;
	bool is_covered = false;
	if (!subscription->is_open || raised->severity < wish->least) return false;
	for (size_t i = 0; i < wish->count && !is_covered; i++)
		is_covered = event_channel_covers(wish->channels[i], raised->channel);
	if (!is_covered) return false;
	if (slice_starts_with(raised->channel, "security.") && !subscription->asker.is_admin) return false;
	if (raised->hosted) return event_subscription_may_hear(subscription, raised->hosted, raised->tool);
	return !subscription->server[0];
}

static struct event *make(const struct events *events, const struct event_raised *raised) {
	AUTO_TEXT struct text text = {0};
	text_init(&text, 0);
	text_printf(&text, ",\"channel\":\"%.*s\",\"timestamp\":\"%.*s\",\"severity\":\"%s\"", SLICE_ARGS(raised->channel),
		SLICE_ARGS(raised->timestamp.length ? raised->timestamp : slice_of(loop_wall_text(events->loop))),
		event_severity_word(raised->severity));
	if (raised->hosted) text_printf(&text, ",\"server_id\":\"%.*s\"", SLICE_ARGS(hosted_id(raised->hosted)));
	if (raised->source.length) text_printf(&text, ",\"source\":\"%.*s\"", SLICE_ARGS(raised->source));
	text_add_cstr(&text, ",\"data\":");
	text_add(&text, raised->data);
	text_add_char(&text, '}');
	return text_failed(&text) ? NULL : event_make(text_slice(&text));
}

bool events_are_wanted(const struct events *events) { return !list_is_empty(&events->all); }

void events_miss(struct events *events, const struct event_raised *raised) {
	LIST_EACH(link, &events->all) {
		struct event_subscription *one = subscription_of(link);
		if (!wants(one, raised)) continue;
		one->seq++;
		if (one->client) one->client->event_count++;
	}
}

void events_raise(struct events *events, const struct event_raised *raised) {
	struct event *event = NULL;
	LIST_EACH_SAFE(link, &events->all) {
		struct event_subscription *one = subscription_of(link);
		if (!wants(one, raised)) continue;
		if (!event) event = make(events, raised);
		uint64_t seq = ++one->seq; /* even without memory: whoever looks sees the gap */
		uint64_t number = one->client ? ++one->client->event_count : 0;
		if (!event) continue;
		event_window_add(&one->window, event, seq, number);
		if (tell(one, event, seq, number)) events_asked(one);
	}
	event_drop(event);
}

/* ---- Once more ---- */

struct cursor {
	struct event_subscription *of;
	const struct event_kept *at;
};

static size_t begin_cursors(struct events *events, const struct mgp_client *client, uint64_t number,
	struct cursor cursors[EVENTS_OF_ONE]) {
	size_t count = 0;
	for (struct event_subscription *one = NULL; (one = events_next(events, one)) && count < EVENTS_OF_ONE;) {
		const struct event_kept *kept = NULL;
		if (one->client != client) continue;
		while ((kept = event_window_next(&one->window, kept)) && kept->number <= number)
			;
		if (kept) cursors[count++] = (struct cursor){.of = one, .at = kept};
	}
	return count;
}

void events_tell_again(struct events *events, struct mgp_client *client, uint64_t number) {
	struct cursor cursors[EVENTS_OF_ONE];
	size_t count = begin_cursors(events, client, number, cursors);
	for (;;) {
		struct cursor *first = NULL;
		for (size_t i = 0; i < count; i++)
			if (cursors[i].at && (!first || cursors[i].at->number < first->at->number)) first = &cursors[i];
		if (!first || !tell(first->of, first->at->event, first->at->seq, first->at->number)) return;
		first->at = event_window_next(&first->of->window, first->at);
	}
}

/* ---- Listeners ---- */

void events_listen(struct events *events, struct events_listener *listener) {
	list_append(&events->listeners, &listener->link);
}

void events_unlisten(struct events_listener *listener) {
	if (listener->link.next) list_remove(&listener->link);
}
