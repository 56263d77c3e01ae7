/* SPDX-License-Identifier: Apache-2.0 */
/* Event sources: a list of conversations, each with what it was asked for. */
#include "kernel/event_sources.h"

#include "kernel/event_demand.h"
#include "mcp/peer_call.h"

#include <stdlib.h>

struct event_sources {
	const struct kernel_means *means;
	struct link all;
	struct link waiters;
	struct task renewal;
	struct task telling; /* waiters, that something was found out */
	struct events_listener events;
	struct access_listener access;
};

struct source {
	struct link link;
	struct event_sources *sources;
	struct hosted *hosted;
	struct hosted_child *child;
	struct peer_call *call;    /* a question under way; NULL: none */
	struct event_demand asked; /* the last that was asked for */
	struct event_demand has;   /* of it, what it says it has */
	struct event_demand lacks; /* and what it says it has not */
	char *id;                  /* of its subscription; NULL: none */
	bool is_old;               /* something else is wanted meanwhile */
	bool is_silent;            /* it has left a question unanswered: nobody waits for it */
};

static struct source *source_of(struct link *link) { return CONTAINER_OF(link, struct source, link); }

static void renew(struct source *source);

static void source_free(struct source *source) {
	if (source->call) peer_cancel(TAKE(source->call), SLICE("the conversation has ended"));
	list_remove(&source->link);
	event_demand_finish(&source->asked);
	event_demand_finish(&source->has);
	event_demand_finish(&source->lacks);
	free(source->id);
	free(source);
}

/* Whoever is told may answer somebody, whose next request may end any other. */
static void tell_now(struct task *task) {
	struct event_sources *sources = CONTAINER_OF(task, struct event_sources, telling);
	struct link due, *link;
	list_init(&due);
	list_move(&due, &sources->waiters);
	while ((link = list_pop(&due))) {
		struct event_sources_waiter *waiter = CONTAINER_OF(link, struct event_sources_waiter, link);
		list_append(&sources->waiters, link);
		waiter->answered(waiter);
	}
}

static void tell_waiters(struct event_sources *sources) {
	if (!list_is_empty(&sources->waiters)) loop_later(sources->means->loop, &sources->telling, tell_now);
}

/* ---- Asked ---- */

static void ignored(void *context, const struct peer_reply *reply, const struct fault *why) {
	(void)context, (void)reply, (void)why;
}

static void give_back(struct source *source, const char *id) {
	AUTO_TEXT struct text params = {0};
	struct fault why;
	text_init(&params, 0);
	text_add_cstr(&params, "{\"subscription_id\":");
	text_json(&params, slice_of(id));
	text_add_char(&params, '}');
	if (text_failed(&params)) return;
	const struct peer_request request = {
		.method = SLICE("mgp/events/unsubscribe"),
		.params = text_slice(&params),
		.deadline_ms = EVENT_SOURCE_MS,
		.answered = ignored,
	};
	(void)!hosted_child_request(source->child, &request, &why);
}

/* What it says it has of what it was asked for. False: it is no sound answer. */
static bool take_answer(struct source *source, struct slice result) {
	const struct scan_value object = {.text = slice_trim(result), .type = SCAN_OBJECT};
	struct scan_value subscribed, id;
	struct slice word;
	struct arena arena;
	char lent[1024];
	if (!object.text.length || object.text.bytes[0] != '{' || !scan_find(&object, "subscribed", &subscribed) ||
		subscribed.type != SCAN_ARRAY || !scan_find(&object, "subscription_id", &id))
		return false;
	arena_init(&arena, lent, sizeof lent, 0);
	char *own = NULL;
	if (scan_string(&id, &arena, &word) && word.length && word.length <= EVENT_SUBSCRIPTION_ID) own = slice_copy(word);
	bool is_fine = own && event_demand_split(&source->asked, &subscribed, &arena, &source->has, &source->lacks);
	arena_finish(&arena);
	if (!is_fine) {
		free(own);
		return false;
	}
	char *before = source->id;
	source->id = own;
	if (before && strcmp(before, own) != 0) give_back(source, before);
	free(before);
	return true;
}

static void answered(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct source *source = context;
	struct event_sources *sources = source->sources;
	source->call = NULL;
	source->is_silent = why && why->code == FAULT_TIMEOUT;
	if (why || !reply->result.bytes || !take_answer(source, reply->result)) {
		event_demand_finish(&source->has);
		event_demand_finish(&source->lacks);
	}
	if (TAKE(source->is_old)) renew(source);
	tell_waiters(sources);
}

static bool ask(struct source *source) {
	AUTO_TEXT struct text params = {0};
	struct fault why;
	text_init(&params, 0);
	event_demand_write(&params, &source->asked);
	const struct peer_request request = {
		.method = SLICE("mgp/events/subscribe"),
		.params = text_slice(&params),
		.deadline_ms = EVENT_SOURCE_MS,
		.answered = answered,
		.context = source,
	};
	source->call = text_failed(&params) ? NULL : hosted_child_request(source->child, &request, &why);
	return source->call != NULL;
}

static void renew(struct source *source) {
	struct event_demand wanted = {0};
	if (source->call) {
		source->is_old = true;
		return;
	}
	event_demand_gather(&wanted, source->sources->means->events, source->hosted, EVENT_SOURCE_CHANNELS);
	if (event_demand_is_met(&wanted, &source->asked, &source->lacks)) {
		event_demand_finish(&wanted);
		return;
	}
	event_demand_finish(&source->asked);
	source->asked = wanted;
	if (wanted.count) {
		if (ask(source)) return;
		event_demand_finish(&source->asked); /* with the next change */
	} else if (source->id) {
		give_back(source, source->id);
		free(TAKE(source->id));
	}
	event_demand_finish(&source->has);
	event_demand_finish(&source->lacks);
}

void event_sources_renew(struct event_sources *sources) {
	task_clear(&sources->renewal);
	LIST_EACH_SAFE(link, &sources->all) renew(source_of(link));
}

static void renew_task(struct task *task) { event_sources_renew(CONTAINER_OF(task, struct event_sources, renewal)); }

static void ended(struct events_listener *listener, const struct event_subscription *subscription) {
	struct event_sources *sources = CONTAINER_OF(listener, struct event_sources, events);
	(void)subscription;
	loop_later(sources->means->loop, &sources->renewal, renew_task);
}

static void access_changed(struct access_listener *listener, struct slice agent, struct slice server) {
	struct event_sources *sources = CONTAINER_OF(listener, struct event_sources, access);
	(void)agent, (void)server;
	loop_later(sources->means->loop, &sources->renewal, renew_task);
}

/* ---- Conversations ---- */

void event_sources_opened(struct event_sources *sources, struct hosted_child *child) {
	struct hosted *hosted = hosted_child_server(child);
	const struct governed *governed = governed_of(hosted);
	if (!governed || !(governed->agreed[hosted_child_era(child)].extensions & MGP_BIDIRECTIONAL)) return;
	struct source *source = calloc(1, sizeof *source);
	if (!source) {
		log_write(sources->means->log, LOG_WARNING, "server %.*s is not asked for its events: no memory",
			SLICE_ARGS(hosted_id(hosted)));
		return;
	}
	source->sources = sources;
	source->hosted = hosted;
	source->child = child;
	list_append(&sources->all, &source->link);
	renew(source);
}

void event_sources_gone(struct event_sources *sources, const struct hosted_child *child) {
	LIST_EACH_SAFE(link, &sources->all)
		if (source_of(link)->child == child) source_free(source_of(link));
	tell_waiters(sources);
}

void event_sources_removed(struct event_sources *sources, const struct hosted *hosted) {
	LIST_EACH_SAFE(link, &sources->all)
		if (source_of(link)->hosted == hosted) source_free(source_of(link));
	tell_waiters(sources);
}

/* ---- What they tell ---- */

static bool may_tell(struct governed *governed) {
	uint64_t now = loop_now(governed->means->loop);
	if (!governed->events || now - governed->events_at >= 60000) {
		governed->events_at = now;
		governed->events = 0;
	}
	if (governed->events > EVENTS_A_MINUTE) return false;
	if (governed->events++ < EVENTS_A_MINUTE) return true;
	const struct audit_record record = {
		.event = SLICE("dev.hustings.events_left_out"),
		.actor = hosted_id(governed->hosted),
		.actor_type = SLICE("server"),
		.server_id = hosted_id(governed->hosted),
		.result = AUDIT_BLOCKED,
	};
	kernel_audit(governed->means, &record);
	log_write(governed->means->log, LOG_WARNING,
		"server %.*s tells of more than %d events within a minute: the rest is left out",
		SLICE_ARGS(hosted_id(governed->hosted)), EVENTS_A_MINUTE);
	return false;
}

static void tell(const struct source *source, const struct event_claim *claim, bool is_left_out) {
	AUTO_TEXT struct text whence = {0};
	text_init(&whence, 0);
	text_printf(&whence, "server:%.*s", SLICE_ARGS(hosted_id(source->hosted)));
	if (text_failed(&whence)) return;
	const struct event_raised raised = {
		.channel = claim->channel,
		.severity = claim->severity,
		.hosted = source->hosted,
		.tool = claim->tool,
		.source = text_slice(&whence),
		.timestamp = claim->timestamp,
		.data = claim->data,
	};
	(is_left_out ? events_miss : events_raise)(source->sources->means->events, &raised);
}

void event_sources_told(struct event_sources *sources, const struct hosted_child *child,
	const struct scan_value *params) {
	struct source *source = NULL;
	struct event_claim claim;
	struct arena arena;
	char lent[1024];
	LIST_EACH(link, &sources->all)
		if (source_of(link)->child == child) source = source_of(link);
	if (!source || !source->id) return;
	bool is_too_much = !may_tell(governed_of(source->hosted));
	arena_init(&arena, lent, sizeof lent, 0);
	if (event_claim_read(&claim, params, &arena) && slice_is(claim.subscription, source->id) &&
		(event_channel_is_standard(claim.channel) || event_demand_has(&source->has, claim.channel)))
		tell(source, &claim, is_too_much || claim.is_too_large);
	arena_finish(&arena);
}

/* ---- Questions ---- */

static bool is_for(const struct source *source, const struct event_subscription *subscription) {
	return event_subscription_may_hear(subscription, source->hosted, SLICE_NONE);
}

bool event_sources_have(const struct event_sources *sources, const struct event_subscription *subscription,
	struct slice channel) {
	LIST_EACH(link, &sources->all) {
		const struct source *source = source_of(link);
		if (event_demand_has(&source->has, channel) && is_for(source, subscription)) return true;
	}
	return false;
}

bool event_sources_are_settled(const struct event_sources *sources, const struct event_subscription *subscription) {
	LIST_EACH(link, &sources->all) {
		const struct source *source = source_of(link);
		if (source->call && !source->is_silent && is_for(source, subscription)) return false;
	}
	return true;
}

void event_sources_wait(struct event_sources *sources, struct event_sources_waiter *waiter) {
	list_append(&sources->waiters, &waiter->link);
}

/* ---- All of them ---- */

struct event_sources *event_sources_open(const struct kernel_means *means, struct fault *why) {
	struct event_sources *sources = calloc(1, sizeof *sources);
	if (!sources) return fault_null(why, FAULT_NO_MEMORY, "no memory for events");
	sources->means = means;
	list_init(&sources->all);
	list_init(&sources->waiters);
	sources->events.ended = ended;
	sources->access.changed = access_changed;
	events_listen(means->events, &sources->events);
	access_listen(means->access, &sources->access);
	return sources;
}

void event_sources_close(struct event_sources *sources) {
	if (!sources) return;
	events_unlisten(&sources->events);
	access_unlisten(&sources->access);
	task_clear(&sources->renewal);
	task_clear(&sources->telling);
	while (!list_is_empty(&sources->all)) source_free(source_of(sources->all.next));
	free(sources);
}
