/* SPDX-License-Identifier: Apache-2.0 */
/* Event demand: few names, looked through from the first on. */
#include "kernel/event_demand.h"

#define NAMES 1024 /* of an answer that are looked at */

void event_demand_finish(struct event_demand *demand) {
	text_finish(&demand->names);
	*demand = (struct event_demand){.count = 0};
}

/* The next name; false behind the last. */
static bool next(struct slice *rest, struct slice *name) {
	return slice_split(rest, '\n', name) && name->length;
}

bool event_demand_has(const struct event_demand *demand, struct slice channel) {
	struct slice rest = text_slice(&demand->names), name;
	while (demand->count && next(&rest, &name))
		if (slice_equal(name, channel)) return true;
	return false;
}

static void add(struct event_demand *demand, struct slice channel) {
	if (!demand->count) text_init(&demand->names, 0);
	text_add(&demand->names, channel);
	text_add_char(&demand->names, '\n');
	if (!text_failed(&demand->names)) demand->count++;
}

static void add_of(struct event_demand *demand, const struct event_subscription *subscription, size_t most) {
	const struct event_wish *wish = &subscription->wish;
	if (!demand->count || wish->least < demand->least) demand->least = wish->least;
	for (size_t i = 0; i < wish->count && demand->count < most; i++) {
		bool is_secret = slice_starts_with(wish->channels[i], "security.") && !subscription->asker.is_admin;
		if (!is_secret && !event_demand_has(demand, wish->channels[i])) add(demand, wish->channels[i]);
	}
}

void event_demand_gather(struct event_demand *demand, const struct events *events, const struct hosted *hosted,
	size_t most) {
	for (struct event_subscription *one = NULL; (one = events_next(events, one));)
		if (event_subscription_may_hear(one, hosted, SLICE_NONE)) add_of(demand, one, most);
}

bool event_demand_is_met(const struct event_demand *wanted, const struct event_demand *asked,
	const struct event_demand *lacks) {
	struct slice rest = text_slice(&wanted->names), name;
	if (!wanted->count || !asked->count) return wanted->count == asked->count;
	if (wanted->least != asked->least) return false;
	while (next(&rest, &name))
		if (!event_demand_has(asked, name)) return false;
	rest = text_slice(&asked->names);
	while (next(&rest, &name))
		if (!event_demand_has(wanted, name) && !event_demand_has(lacks, name)) return false;
	return true;
}

bool event_demand_split(const struct event_demand *asked, const struct scan_value *names, struct arena *arena,
	struct event_demand *has, struct event_demand *lacks) {
	struct slice rest = text_slice(&asked->names), name;
	struct scan_walk walk;
	struct scan_member member;
	size_t seen = 0;
	event_demand_finish(has);
	event_demand_finish(lacks);
	for (scan_open(&walk, names); scan_next(&walk, &member) && seen++ < NAMES;)
		if (scan_string(&member.value, arena, &name) && event_demand_has(asked, name) && !event_demand_has(has, name))
			add(has, name);
	while (asked->count && next(&rest, &name))
		if (!event_demand_has(has, name)) add(lacks, name);
	return !text_failed(&has->names) && !text_failed(&lacks->names);
}

void event_demand_write(struct text *to, const struct event_demand *demand) {
	struct slice rest = text_slice(&demand->names), name;
	const char *before = "";
	text_add_cstr(to, "{\"channels\":[");
	while (next(&rest, &name)) {
		text_printf(to, "%s\"%.*s\"", before, SLICE_ARGS(name));
		before = ",";
	}
	text_add_char(to, ']');
	if (demand->least > EVENT_DEBUG)
		text_printf(to, ",\"filter\":{\"min_severity\":\"%s\"}", event_severity_word(demand->least));
	text_add_char(to, '}');
}
