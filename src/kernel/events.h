/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Events: who has subscribed to what (MGP 13.2), and what is told them (13.3). Each event is numbered in its
 * subscription from 1 on, told its client, and kept for a while in the subscription's window.
 *
 * A subscription is its principal's and its session's. It ends by events_unsubscribe(), with its session, or,
 * where a principal is all there is, EVENTS_KEPT_MS after its client went and nobody has asked for it again.
 * What one may not use at the time of an event is not told: of tools and servers what the asker may use, of
 * `security.*` everything to administrators and nothing to others. Loop 0.
 *
 * Owned by the kernel (kernel_means->events): events_open(), events_close() after all clients have ended.
 */
#ifndef HUSTINGS_KERNEL_EVENTS_H
#define HUSTINGS_KERNEL_EVENTS_H

#include "kernel/call_run.h"
#include "kernel/event_window.h"
#include "kernel/event_wish.h"
#include "kernel/mgp_client.h"

#define EVENTS_SUBSCRIPTIONS 4096
#define EVENTS_OF_ONE 64      /* principal; those whose client went give way */
#define EVENTS_KEPT_MS 300000 /* after its client went, or asked for a replay */
#define EVENTS_ID 48

struct events;

struct event_subscription {
	struct link link; /* of all, the oldest first */
	struct mgp_client_tie tie;
	struct mgp_client *client; /* NULL: it went */
	struct events *events;
	char id[EVENTS_ID];         /* "sub-UUID" */
	struct call_asker asker;    /* its slices are in the arena, as the channels */
	char server[HOSTED_ID + 1]; /* whose face it came by; "": of all */
	struct event_wish wish;     /* the channels that it is subscribed to */
	bool is_open;               /* its id was told: events may follow */
	uint64_t seq;               /* of the last event */
	struct event_window window;
	struct deadline expiry;
	struct arena arena;
};

struct events *events_open(struct loop *loop, struct fault *why) MUST_USE;
void events_close(struct events *events); /* NULL is fine */

/* Not open yet; nothing is told before events_begin(). client NULL, or one that has ended: nobody is told.
 * `hosted`: whose face it came by; NULL: of all. FAULT_FULL, FAULT_NO_MEMORY. Valid until it ends. */
struct event_subscription *events_subscribe(struct events *events, const struct call_asker *asker,
	struct mgp_client *client, const struct hosted *hosted, const struct event_wish *wish, struct fault *why) MUST_USE;
void events_begin(struct event_subscription *subscription);
void events_unsubscribe(struct event_subscription *subscription);
/* Of that principal and session alone; NULL: none. */
struct event_subscription *events_find(struct events *events, const struct call_asker *asker, struct slice id);
/* for (one = NULL; (one = events_next(events, one));) */
struct event_subscription *events_next(const struct events *events, const struct event_subscription *after);
/* Somebody asked what it has missed: it stays for another while. */
void events_asked(struct event_subscription *subscription);
/* Every event of the client behind that number is told it once more, in their order, as far as windows have
 * them. */
void events_tell_again(struct events *events, struct mgp_client *client, uint64_t number);

/* Whether its asker may hear anything of that server; with a tool, of that tool. */
bool event_subscription_may_hear(const struct event_subscription *subscription, const struct hosted *hosted,
	struct slice tool);

struct event_raised {
	struct slice channel;
	enum event_severity severity;
	const struct hosted *hosted; /* which it is about; NULL: none */
	struct slice tool;           /* of that server; length 0: none */
	struct slice source;         /* who claims it, "server:ID"; length 0: the kernel has seen it */
	struct slice timestamp;      /* length 0: now */
	struct slice data;           /* JSON text of an object */
};
/* Whether anybody has subscribed to anything: else there is nothing to write. */
bool events_are_wanted(const struct events *events);
void events_raise(struct events *events, const struct event_raised *raised);
/* One that is not passed on: its number alone is spent, so that whoever would have heard it sees the gap. */
void events_miss(struct events *events, const struct event_raised *raised);

/* Whoever needs to know; a plain struct in its owner's, whose functions may be NULL. */
struct events_listener {
	struct link link;
	/* A subscription has ended. */
	void (*ended)(struct events_listener *listener, const struct event_subscription *subscription);
	/* An event of a subscription that belongs to no session. True: its principal was told, wherever. */
	bool (*told)(struct events_listener *listener, const struct event_subscription *subscription,
		const struct scan_value *params);
};
void events_listen(struct events *events, struct events_listener *listener);
void events_unlisten(struct events_listener *listener);

#endif
