/* SPDX-License-Identifier: Apache-2.0 */
/* Audit forwarder: a queue of what is to be told, and a task that tells as much as is taken. */
#include "kernel/audit_forwarder.h"

#include "kernel/governed.h"
#include "store/audit_event.h"
#include "store/audit_listener.h"

#include <stdio.h>
#include <stdlib.h>

#define DROPPED "dev.hustings.audit_dropped" /* the event, which is not forwarded itself */
#define AGAIN_MS 25                          /* until a conversation that rests is looked at again */
#define ABSENT_MS 500                        /* the same where there is none */
#define REPORT_MS 60000

struct event {
	struct link link;
	size_t length; /* of the params, behind the struct */
};

struct audit_forwarder {
	const struct kernel_means *means;
	struct store *store;
	struct audit_listener listener;
	struct hosted_listener servers;
	char server[HOSTED_ID + 1]; /* "": none */
	struct link queue;
	size_t count, octets;
	struct task task;
	struct deadline again;
	struct deadline report;
	uint64_t dropped, unreported;
	bool is_warned; /* that this server is no audit server */
};

/* ---- What is dropped ---- */

static void reported(struct deadline *deadline);

static void report(struct audit_forwarder *forwarder) {
	const struct audit_record record = {
		.event = SLICE(DROPPED),
		.actor_type = SLICE("system"),
		.server_id = slice_of(forwarder->server),
		.result = AUDIT_FAILED,
		.count = (int64_t)forwarder->unreported,
	};
	log_write(forwarder->means->log, LOG_WARNING,
		"audit: %llu events were not forwarded to server %s, which does not take them: they are in the trail here",
		(unsigned long long)forwarder->unreported, forwarder->server);
	forwarder->unreported = 0;
	kernel_audit(forwarder->means, &record);
	deadline_set(forwarder->means->loop, &forwarder->report, REPORT_MS, reported);
}

static void reported(struct deadline *deadline) {
	struct audit_forwarder *forwarder = CONTAINER_OF(deadline, struct audit_forwarder, report);
	if (forwarder->unreported) report(forwarder);
}

static void drop(struct audit_forwarder *forwarder, uint64_t count) {
	if (!count) return;
	forwarder->dropped += count;
	forwarder->unreported += count;
	if (!forwarder->report.at) report(forwarder);
}

/* ---- The queue ---- */

static void forget(struct audit_forwarder *forwarder, struct event *event) {
	list_remove(&event->link);
	forwarder->count--;
	forwarder->octets -= event->length;
	free(event);
}

static bool put(struct audit_forwarder *forwarder, struct slice params) {
	if (forwarder->count >= AUDIT_FORWARD_EVENTS || forwarder->octets + params.length > AUDIT_FORWARD_OCTETS)
		return false;
	struct event *event = malloc(sizeof *event + params.length);
	if (!event) return false;
	memcpy(event + 1, params.bytes, params.length);
	event->length = params.length;
	list_append(&forwarder->queue, &event->link);
	forwarder->count++;
	forwarder->octets += params.length;
	return true;
}

/* ---- Telling ---- */

static void look_again(struct deadline *deadline);

/* The first that is open: what happened is told in its order. */
static struct hosted_child *find_conversation(struct audit_forwarder *forwarder) {
	struct hosted *hosted = hosted_find(forwarder->means->servers, slice_of(forwarder->server));
	const struct governed *governed = hosted ? governed_of(hosted) : NULL;
	if (!governed || hosted_state(hosted) != HOSTED_CONNECTED) return NULL;
	for (struct hosted_child *child = NULL; (child = hosted_child_next(hosted, child));)
		if ((governed->agreed[hosted_child_era(child)].extensions & MGP_AUDIT) && hosted_child_behind(child) != SIZE_MAX)
			return child;
	hosted_child_want(hosted);
	if (!forwarder->is_warned && hosted_child_next(hosted, NULL)) {
		forwarder->is_warned = true;
		log_write(forwarder->means->log, LOG_WARNING,
			"audit: server %s has not agreed on MGP's extension \"audit\": nothing is forwarded to it",
			forwarder->server);
	}
	return NULL;
}

static void tell_all(struct task *task) {
	struct audit_forwarder *forwarder = CONTAINER_OF(task, struct audit_forwarder, task);
	struct hosted_child *child = forwarder->count ? find_conversation(forwarder) : NULL;
	while (child && forwarder->count && hosted_child_behind(child) < AUDIT_FORWARD_BEHIND) {
		struct event *event = CONTAINER_OF(forwarder->queue.next, struct event, link);
		if (!hosted_child_tell(child, "notifications/mgp.audit", slice_make(event + 1, event->length), NULL)) break;
		forget(forwarder, event);
	}
	if (forwarder->count)
		deadline_set(forwarder->means->loop, &forwarder->again, child ? AGAIN_MS : ABSENT_MS, look_again);
}

static void look_again(struct deadline *deadline) {
	struct audit_forwarder *forwarder = CONTAINER_OF(deadline, struct audit_forwarder, again);
	tell_all(&forwarder->task);
}

/* While one waits for the deadline, the next ones do too. */
static void tell_later(struct audit_forwarder *forwarder) {
	if (!forwarder->again.at) loop_later(forwarder->means->loop, &forwarder->task, tell_all);
}

/* ---- What is heard ---- */

static bool is_own(const struct audit_forwarder *forwarder, const struct audit_record *record) {
	struct slice source = record->source;
	if (slice_is(record->event, DROPPED)) return true;
	if (!slice_starts_with(source, "server:")) return false;
	return slice_is(slice_make(source.bytes + 7, source.length - 7), forwarder->server);
}

static void told(struct audit_listener *listener, const struct audit_record *record, int64_t moment) {
	struct audit_forwarder *forwarder = CONTAINER_OF(listener, struct audit_forwarder, listener);
	AUTO_TEXT struct text params = {0};
	if (is_own(forwarder, record)) return;
	text_init(&params, 0);
	audit_write_event(&params, record, moment);
	if (text_failed(&params) || !put(forwarder, text_slice(&params))) drop(forwarder, 1);
	else tell_later(forwarder);
}

static void missed(struct audit_listener *listener, uint64_t count) {
	drop(CONTAINER_OF(listener, struct audit_forwarder, listener), count);
}

static void moved(struct hosted_listener *listener, struct hosted *hosted, enum hosted_state from) {
	struct audit_forwarder *forwarder = CONTAINER_OF(listener, struct audit_forwarder, servers);
	(void)from;
	if (hosted_state(hosted) != HOSTED_CONNECTED || !slice_is(hosted_id(hosted), forwarder->server)) return;
	forwarder->is_warned = false;
	deadline_clear(&forwarder->again);
	tell_later(forwarder);
}

/* ---- Its life ---- */

struct audit_forwarder *audit_forwarder_open(const struct kernel_means *means, struct store *store,
	struct fault *why) {
	struct audit_forwarder *forwarder = calloc(1, sizeof *forwarder);
	if (!forwarder) return fault_null(why, FAULT_NO_MEMORY, "no memory to forward audit events");
	forwarder->means = means;
	forwarder->store = store;
	forwarder->listener.told = told;
	forwarder->listener.missed = missed;
	forwarder->servers.moved = moved;
	list_init(&forwarder->queue);
	hosted_listen(means->servers, &forwarder->servers);
	return forwarder;
}

static void empty(struct audit_forwarder *forwarder) {
	while (forwarder->count) forget(forwarder, CONTAINER_OF(forwarder->queue.next, struct event, link));
}

/* Whoever was aimed at gets nothing more. */
static void let_go(struct audit_forwarder *forwarder) {
	drop(forwarder, forwarder->count);
	empty(forwarder);
	if (forwarder->unreported) report(forwarder);
	deadline_clear(&forwarder->report);
	deadline_clear(&forwarder->again);
	task_clear(&forwarder->task);
	forwarder->server[0] = 0;
	forwarder->is_warned = false;
}

void audit_forwarder_close(struct audit_forwarder *forwarder) {
	if (!forwarder) return;
	/* The last things that happen always find the audit server gone. */
	if (forwarder->count)
		log_write(forwarder->means->log, LOG_INFO, "audit: %zu events of the end were not forwarded to server %s",
			forwarder->count, forwarder->server);
	empty(forwarder);
	let_go(forwarder);
	audit_unlisten(&forwarder->listener);
	hosted_unlisten(&forwarder->servers);
	free(forwarder);
}

bool audit_forwarder_aim(struct audit_forwarder *forwarder, const char *server, struct fault *why) {
	const char *id = server ? server : "";
	bool listens = forwarder->listener.hub != NULL;
	if (strcmp(id, forwarder->server) == 0) return true;
	if (strlen(id) > HOSTED_ID)
		return fault_set(why, FAULT_BAD_INPUT, "kernel.audit_server: the id of a server has at most %d octets", HOSTED_ID);
	if (*id && !listens && !audit_listen(forwarder->store, forwarder->means->loop, &forwarder->listener, why))
		return false;
	let_go(forwarder);
	snprintf(forwarder->server, sizeof forwarder->server, "%s", id);
	if (!*id) audit_unlisten(&forwarder->listener);
	return true;
}

size_t audit_forwarder_waiting(const struct audit_forwarder *forwarder) { return forwarder->count; }
uint64_t audit_forwarder_dropped(const struct audit_forwarder *forwarder) { return forwarder->dropped; }
