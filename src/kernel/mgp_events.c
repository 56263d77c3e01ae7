/* SPDX-License-Identifier: Apache-2.0 */
/* Mgp_events: subscribed, perhaps after servers were asked; told once more. */
#include "kernel/mgp_events.h"

#include "kernel/event_sources.h"
#include "wire/jsonrpc.h"

#include <stdlib.h>

#define REPLAY ((size_t)256 * 1024) /* octets of events in one answer */

/* ---- Subscribe ---- */

/* In ask->later, until the servers have answered. */
struct waiting {
	struct event_sources_waiter waiter;
	struct deadline patience;
	struct mgp_ask *ask;
	char id[EVENTS_ID]; /* of the subscription, which may end meanwhile */
};

static bool is_had(const struct mgp_ask *ask, const struct event_subscription *subscription, struct slice channel) {
	return event_channel_is_pattern(channel) || event_channel_is_ours(channel) ||
		event_sources_have(ask->means->event_sources, subscription, channel);
}

static void add_name(struct text *to, struct slice name) {
	if (to->length) text_add_char(to, ',');
	text_json(to, name);
}

/* What nobody has is not subscribed to. */
static void settle(const struct mgp_ask *ask, struct event_subscription *subscription, struct text *subscribed,
	struct text *unsupported) {
	struct event_wish *wish = &subscription->wish;
	size_t count = 0;
	for (size_t i = 0; i < wish->count; i++) {
		bool is_there = is_had(ask, subscription, wish->channels[i]);
		add_name(is_there ? subscribed : unsupported, wish->channels[i]);
		if (is_there) wish->channels[count++] = wish->channels[i];
	}
	wish->count = count;
}

static void answer_subscribed(struct mgp_ask *ask, struct event_subscription *subscription) {
	AUTO_TEXT struct text result = {0}, subscribed = {0}, unsupported = {0};
	text_init(&result, 0);
	text_init(&subscribed, 0);
	text_init(&unsupported, 0);
	settle(ask, subscription, &subscribed, &unsupported);
	text_add_cstr(&result, "{\"subscribed\":[");
	text_add(&result, text_slice(&subscribed));
	text_add_cstr(&result, "],\"unsupported\":[");
	text_add(&result, text_slice(&unsupported));
	text_printf(&result, "],\"subscription_id\":\"%s\"}", subscription->id);
	if (text_failed(&subscribed) || text_failed(&unsupported)) result.failed = true;
	if (text_failed(&result)) {
		events_unsubscribe(subscription);
		mgp_ask_answer(ask, &result);
		return;
	}
	events_begin(subscription);
	mgp_ask_answer(ask, &result);
}

static void stop_waiting(struct waiting *waiting) {
	list_remove(&waiting->waiter.link);
	deadline_clear(&waiting->patience);
	free(waiting);
}

static void forget(struct mgp_ask *ask) {
	struct waiting *waiting = ask->later;
	struct event_subscription *subscription =
		events_find(ask->means->events, &ask->asker, slice_of(waiting->id));
	if (subscription) events_unsubscribe(subscription);
	stop_waiting(waiting);
}

/* All that could be found out is known: every channel is had, or nobody is still to answer. */
static bool is_ready(const struct mgp_ask *ask, const struct event_subscription *subscription) {
	const struct event_wish *wish = &subscription->wish;
	size_t had = 0;
	for (size_t i = 0; i < wish->count; i++) had += is_had(ask, subscription, wish->channels[i]);
	return had == wish->count || event_sources_are_settled(ask->means->event_sources, subscription);
}

static void go_on(struct waiting *waiting, bool is_over) {
	struct mgp_ask *ask = waiting->ask;
	struct event_subscription *subscription =
		events_find(ask->means->events, &ask->asker, slice_of(waiting->id));
	if (subscription && !is_over && !is_ready(ask, subscription)) return;
	stop_waiting(waiting);
	ask->cancel = NULL;
	if (subscription) answer_subscribed(ask, subscription);
	else mgp_ask_refuse(ask, JSONRPC_INTERNAL_ERROR, "the session has ended");
}

static void source_answered(struct event_sources_waiter *waiter) {
	go_on(CONTAINER_OF(waiter, struct waiting, waiter), false);
}

static void waited_enough(struct deadline *deadline) {
	go_on(CONTAINER_OF(deadline, struct waiting, patience), true);
}

void mgp_events_subscribe(struct mgp_ask *ask) {
	struct event_wish wish;
	struct hosted *hosted;
	struct fault why;
	if (!mgp_ask_server(ask, "server_id", false, &hosted)) return;
	if (!event_wish_read(&wish, &ask->params, ask->arena, &why)) {
		mgp_ask_fail(ask, &why);
		return;
	}
	struct event_subscription *subscription =
		events_subscribe(ask->means->events, &ask->asker, ask->client, hosted, &wish, &why);
	if (!subscription) {
		mgp_ask_fail(ask, &why);
		return;
	}
	event_sources_renew(ask->means->event_sources);
	if (is_ready(ask, subscription)) {
		answer_subscribed(ask, subscription);
		return;
	}
	struct waiting *waiting = calloc(1, sizeof *waiting);
	if (!waiting) { /* as if no server had answered */
		answer_subscribed(ask, subscription);
		return;
	}
	waiting->waiter.answered = source_answered;
	waiting->ask = ask;
	memcpy(waiting->id, subscription->id, sizeof waiting->id);
	ask->later = waiting;
	ask->cancel = forget;
	event_sources_wait(ask->means->event_sources, &waiting->waiter);
	deadline_set(ask->means->loop, &waiting->patience, EVENT_SOURCE_MS, waited_enough);
}

/* ---- By its id ---- */

/* NULL: answered. Somebody else's sounds like none. */
static struct event_subscription *find(struct mgp_ask *ask) {
	struct slice id;
	if (!mgp_ask_word(ask, "subscription_id", true, &id)) return NULL;
	struct event_subscription *subscription = events_find(ask->means->events, &ask->asker, id);
	if (subscription && subscription->is_open) return subscription;
	mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS,
		"params.subscription_id: you have no such subscription (one is kept for %d s after its client went): "
		"subscribe again",
		EVENTS_KEPT_MS / 1000);
	return NULL;
}

void mgp_events_unsubscribe(struct mgp_ask *ask) {
	struct event_subscription *subscription = find(ask);
	AUTO_TEXT struct text result = {0};
	if (!subscription) return;
	text_init(&result, 0);
	text_printf(&result, "{\"unsubscribed\":true,\"subscription_id\":\"%s\"}", subscription->id);
	events_unsubscribe(subscription);
	mgp_ask_answer(ask, &result);
}

/* ---- Replay ---- */

static bool read_after(struct mgp_ask *ask, uint64_t *after) {
	struct scan_value value;
	int64_t read = 0;
	*after = 0;
	if (!scan_find(&ask->params, "after_seq", &value)) return true;
	if (value.type == SCAN_NUMBER && scan_integer(&value, &read) && read >= 0) {
		*after = (uint64_t)read;
		return true;
	}
	mgp_ask_refuse(ask, JSONRPC_INVALID_PARAMS, "params.after_seq: a whole number of 0 or more is due");
	return false;
}

/* The next seq to ask for; what came and is not kept any more, at the beginning or between, is a gap. */
static uint64_t write_events(struct text *to, const struct event_subscription *subscription, uint64_t after,
	bool *has_gap) {
	const struct event_kept *kept = event_window_after(&subscription->window, after);
	uint64_t due = after + 1;
	for (; kept && to->length < REPLAY; kept = event_window_next(&subscription->window, kept)) {
		if (to->length) text_add_char(to, ',');
		*has_gap = *has_gap || kept->seq != due;
		event_write(to, kept->event, subscription->id, kept->seq);
		due = kept->seq + 1;
	}
	if (!kept && due <= subscription->seq) {
		*has_gap = true;
		due = subscription->seq + 1;
	}
	return due;
}

void mgp_events_replay(struct mgp_ask *ask) {
	struct event_subscription *subscription = find(ask);
	AUTO_TEXT struct text result = {0}, events = {0};
	bool has_gap = false;
	uint64_t after;
	if (!subscription || !read_after(ask, &after)) return;
	text_init(&result, 0);
	text_init(&events, 0);
	if (after > subscription->seq) after = subscription->seq;
	uint64_t next = write_events(&events, subscription, after, &has_gap);
	text_add_cstr(&result, "{\"events\":[");
	text_add(&result, text_slice(&events));
	text_printf(&result, "],\"next_seq\":%llu,\"gap\":%s}", (unsigned long long)next, has_gap ? "true" : "false");
	if (text_failed(&events)) result.failed = true;
	events_asked(subscription);
	mgp_ask_answer(ask, &result);
}
