/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Event sources: the MGP servers that have `bidirectional`, as those who raise events of their own. In each of
 * their conversations the kernel has one subscription to all that somebody here wants of that server, taken
 * anew when that changes or a conversation opens, and given back when nobody wants anything.
 *
 * A server that has not answered within EVENT_SOURCE_MS has no channels. What it tells goes out under
 * "server:ID", of channels of MGP 13.5 or such as it said it has. What is more than EVENTS_A_MINUTE, or larger
 * than EVENT_DATA, is a gap in its subscribers' numbers; what is malformed, or of no subscription of ours, is
 * nothing. Loop 0.
 *
 * Owned by the kernel (kernel_means->event_sources): event_sources_open() after events_open(), and
 * event_sources_close() before events_close().
 */
#ifndef HUSTINGS_KERNEL_EVENT_SOURCES_H
#define HUSTINGS_KERNEL_EVENT_SOURCES_H

#include "kernel/events.h"

#define EVENT_SOURCE_MS 5000
#define EVENT_SOURCE_CHANNELS 256 /* that a server is asked for; others are unsupported there */
#define EVENTS_A_MINUTE 600       /* of one server */

struct event_sources;

struct event_sources *event_sources_open(const struct kernel_means *means, struct fault *why) MUST_USE;
void event_sources_close(struct event_sources *sources); /* NULL is fine */

/* The governor's (kernel/kernel.c). */
void event_sources_opened(struct event_sources *sources, struct hosted_child *child);
void event_sources_gone(struct event_sources *sources, const struct hosted_child *child);
/* The server is removed: nobody asks or hears it any more. */
void event_sources_removed(struct event_sources *sources, const struct hosted *hosted);
/* notifications/mgp.event. */
void event_sources_told(struct event_sources *sources, const struct hosted_child *child,
	const struct scan_value *params);

/* A subscription was made: servers are asked at once. */
void event_sources_renew(struct event_sources *sources);
/* A server of that subscription's asker has said that it has the channel. */
bool event_sources_have(const struct event_sources *sources, const struct event_subscription *subscription,
	struct slice channel);
/* None of those servers is still to answer. */
bool event_sources_are_settled(const struct event_sources *sources, const struct event_subscription *subscription);

/* Somebody who waits for answers; a plain struct in its owner's. */
struct event_sources_waiter {
	struct link link;
	/* One has answered, or is gone. From the loop; anybody may leave inside. */
	void (*answered)(struct event_sources_waiter *waiter);
};
void event_sources_wait(struct event_sources *sources, struct event_sources_waiter *waiter);

#endif
