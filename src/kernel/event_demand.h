/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Event demand: a set of channels and patterns, and the least severity that somebody wants of them: what all
 * subscriptions together want of one server, or what that has of it. Zeroed it is empty. Loop 0.
 */
#ifndef HUSTINGS_KERNEL_EVENT_DEMAND_H
#define HUSTINGS_KERNEL_EVENT_DEMAND_H

#include "kernel/events.h"

struct event_demand {
	struct text names; /* LF behind each */
	size_t count;
	enum event_severity least;
};

void event_demand_finish(struct event_demand *demand);
bool event_demand_has(const struct event_demand *demand, struct slice channel);
/* Adds what subscriptions want whose asker may hear of that server; at most so many names. */
void event_demand_gather(struct event_demand *demand, const struct events *events, const struct hosted *hosted,
	size_t most);
/* Whether who was asked for `asked`, and has said what it lacks of that, need not be asked anew for `wanted`. */
bool event_demand_is_met(const struct event_demand *wanted, const struct event_demand *asked,
	const struct event_demand *lacks);
/* What a JSON array of names says of `asked`: *has and *lacks, made anew. False: no memory. */
bool event_demand_split(const struct event_demand *asked, const struct scan_value *names, struct arena *arena,
	struct event_demand *has, struct event_demand *lacks) MUST_USE;
/* The params of mgp/events/subscribe. */
void event_demand_write(struct text *to, const struct event_demand *demand);

#endif
