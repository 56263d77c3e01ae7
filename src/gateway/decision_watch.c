/* SPDX-License-Identifier: Apache-2.0 */
/* Decision watch: a listener of the inbox that speaks from a task, never from inside a change. */
#include "gateway/decision_watch.h"

#include "decide/decision_record.h"
#include "gateway/decision_standing.h"
#include "gateway/mcp_admitted.h"
#include "wire/sse.h"

#include <stdio.h>
#include <stdlib.h>

#define BEAT_MS 5000

struct watcher {
	struct inbox_listener listener;
	struct exchange *exchange;
	struct gateway *gateway;
	struct decision_filter filter;
	struct task speak;
	struct deadline deadline; /* a poll's end, a stream's next beat */
	uint64_t admitted_at;
	uint64_t after;
	struct text events; /* of a stream, not yet said */
	size_t first;       /* octets of the events that it began with */
	bool is_over;       /* the poll's time */
};

static void release(struct watcher *watcher) {
	inbox_unlisten(&watcher->listener);
	task_clear(&watcher->speak);
	deadline_clear(&watcher->deadline);
	text_finish(&watcher->events);
	watcher->gateway->decision_watchers--;
	free(watcher);
}

static void gone(struct exchange *exchange) { release(exchange->context); }

static struct exchange *leave(struct watcher *watcher) {
	struct exchange *exchange = watcher->exchange;
	exchange->gone = NULL;
	release(watcher);
	return exchange;
}

static bool is_admitted(struct watcher *watcher) {
	return mcp_is_admitted(watcher->gateway, watcher->exchange->principal, &watcher->admitted_at);
}

/* False: answered already. */
static struct watcher *watcher_open(struct exchange *exchange, const struct decision_filter *filter) {
	struct gateway *gateway = exchange->gateway;
	size_t most = exchange->principal->is_admin ? DECISION_WATCH_MOST : DECISION_WATCH_OTHERS;
	if (gateway->decision_watchers >= most) {
		exchange_error(exchange, 503, "full", "%zu requests wait for decisions, the most allowed: try again later",
			most);
		return NULL;
	}
	struct watcher *watcher = calloc(1, sizeof *watcher);
	if (!watcher) {
		exchange_error(exchange, 503, "no_memory", "no memory for the request: try again");
		return NULL;
	}
	gateway->decision_watchers++;
	watcher->exchange = exchange;
	watcher->gateway = gateway;
	watcher->filter = *filter;
	text_init(&watcher->events, 2 * INBOX_OCTETS); /* what waits at the beginning */
	list_init(&watcher->listener.link);
	exchange->context = watcher;
	exchange->gone = gone;
	exchange->needs_peer = true;
	exchange->owes_nothing = true;
	return watcher;
}

/* ---- One answer ---- */

static void answer_poll(struct task *task) {
	struct watcher *watcher = CONTAINER_OF(task, struct watcher, speak);
	struct inbox *inbox = watcher->gateway->inbox;
	AUTO_TEXT struct text body = {0};
	text_init(&body, 0);
	size_t count = decision_filter_write(&watcher->filter, watcher->exchange->principal, inbox, &body);
	bool has_news = watcher->after ? inbox_version(inbox) != watcher->after : count > 0;
	if (!is_admitted(watcher)) {
		exchange_error(leave(watcher), 401, "revoked_token", "the token is no longer good");
		return;
	}
	if (has_news || watcher->is_over) exchange_text(leave(watcher), 200, &body);
}

static void poll_over(struct deadline *deadline) {
	struct watcher *watcher = CONTAINER_OF(deadline, struct watcher, deadline);
	watcher->is_over = true;
	loop_later(watcher->gateway->loop, &watcher->speak, answer_poll);
}

static void poll_told(struct inbox_listener *listener, const struct decision *decision) {
	struct watcher *watcher = CONTAINER_OF(listener, struct watcher, listener);
	(void)decision;
	loop_later(watcher->gateway->loop, &watcher->speak, answer_poll);
}

void decision_watch_poll(struct exchange *exchange, const struct decision_filter *filter, uint64_t wait_s,
	uint64_t after) {
	struct watcher *watcher = watcher_open(exchange, filter);
	if (!watcher) return;
	watcher->after = after;
	watcher->listener.changed = poll_told;
	inbox_listen(watcher->gateway->inbox, &watcher->listener);
	deadline_set(watcher->gateway->loop, &watcher->deadline, wait_s * 1000, poll_over);
	loop_later(watcher->gateway->loop, &watcher->speak, answer_poll);
}

/* ---- Events ---- */

static void add_event(struct watcher *watcher, const struct decision *decision) {
	AUTO_TEXT struct text record = {0};
	char version[24];
	text_init(&record, 0);
	decision_write(decision, &record);
	snprintf(version, sizeof version, "%llu",
		(unsigned long long)inbox_version(watcher->gateway->inbox));
	if (text_failed(&record)) watcher->events.failed = true;
	else sse_write(&watcher->events, SLICE("decision"), slice_of(version), text_slice(&record));
}

static void say_events(struct task *task) {
	struct watcher *watcher = CONTAINER_OF(task, struct watcher, speak);
	bool is_behind = text_failed(&watcher->events) ||
		exchange_behind(watcher->exchange) > DECISION_WATCH_BEHIND + watcher->first;
	if (is_behind || !is_admitted(watcher)) {
		exchange_stream_end(leave(watcher));
		return;
	}
	if (watcher->events.length) exchange_piece(watcher->exchange, text_slice(&watcher->events));
	text_finish(&watcher->events);
	text_init(&watcher->events, DECISION_WATCH_BEHIND);
}

static void stream_told(struct inbox_listener *listener, const struct decision *decision) {
	struct watcher *watcher = CONTAINER_OF(listener, struct watcher, listener);
	if (!decision_is_shown(watcher->gateway, watcher->exchange->principal, decision) ||
		(watcher->filter.has_kind && decision->kind != watcher->filter.kind) ||
		(watcher->filter.has_state && decision->state != watcher->filter.state))
		return;
	add_event(watcher, decision);
	loop_later(watcher->gateway->loop, &watcher->speak, say_events);
}

static void beat(struct deadline *deadline) {
	struct watcher *watcher = CONTAINER_OF(deadline, struct watcher, deadline);
	deadline_set(watcher->gateway->loop, &watcher->deadline, BEAT_MS, beat);
	text_add_cstr(&watcher->events, ":\n\n");
	loop_later(watcher->gateway->loop, &watcher->speak, say_events);
}

void decision_watch_stream(struct exchange *exchange, const struct decision_filter *filter) {
	struct watcher *watcher = watcher_open(exchange, filter);
	if (!watcher) return;
	struct inbox *inbox = watcher->gateway->inbox;
	if (!exchange_stream(exchange, "text/event-stream", SLICE("X-Accel-Buffering: no\r\n"))) {
		exchange_error(leave(watcher), 503, "no_memory", "no memory for the answer: try again");
		return;
	}
	watcher->listener.changed = stream_told;
	inbox_listen(inbox, &watcher->listener);
	deadline_set(watcher->gateway->loop, &watcher->deadline, BEAT_MS, beat);
	text_add_cstr(&watcher->events, ":\n\n"); /* whoever waits for the first octet has it */
	for (const struct decision *decision = NULL; (decision = inbox_next(inbox, decision));) {
		bool is_wanted = filter->has_state || decision->state == DECISION_PENDING;
		if (is_wanted && decision_filter_fits(filter, exchange->principal, decision)) add_event(watcher, decision);
	}
	watcher->first = watcher->events.length;
	loop_later(watcher->gateway->loop, &watcher->speak, say_events);
}
