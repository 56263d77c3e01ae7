/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted: the list of all servers, what each is, and who wants to hear of them. */
#include "hosted/hosted_parts.h"
#include "mcp/mgp.h"
#include "net/fetch_desk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define LEAVE_STEP_MS 20

struct hosted_servers *hosted_servers_open(struct loop *loop, struct log *log,
	struct fault *why) {
	struct hosted_servers *servers = calloc(1, sizeof *servers);
	if (!servers) return fault_null(why, FAULT_NO_MEMORY, "no memory for servers");
	servers->loop = loop;
	servers->log = log;
	list_init(&servers->servers);
	list_init(&servers->listeners);
	map_init(&servers->by_id);
	return servers;
}

void hosted_servers_close(struct hosted_servers *servers) {
	if (!servers) return;
	while (!list_is_empty(&servers->servers))
		hosted_remove(CONTAINER_OF(servers->servers.next, struct hosted, link));
	fetch_desk_close(servers->desk);
	map_finish(&servers->by_id);
	free(servers);
}

/* A session with a remote server, and a server that wants to hear of its end (MGP 11.4). */
bool hosted_wants_farewell(const struct hosted *hosted) {
	if (hosted->setup.of.url) return true;
	for (const struct hosted_child *child = NULL; (child = hosted_child_next(hosted, child));)
		if (child->mgp & MGP_LIFECYCLE) return true;
	return false;
}

void hosted_set_leaving(struct hosted *hosted) { hosted->is_leaving = true; }
bool hosted_is_leaving(const struct hosted *hosted) { return hosted->is_leaving; }

static size_t children_to_leave(const struct hosted_servers *servers) {
	size_t count = 0;
	for (struct hosted *one = NULL; (one = hosted_next(servers, one));)
		if (one->is_leaving) count += one->child_count;
	return count;
}

void hosted_servers_leave(struct hosted_servers *servers, uint64_t patience_ms) {
	if (!servers) return;
	uint64_t end = loop_now(servers->loop) + patience_ms;
	for (struct hosted *one = NULL; (one = hosted_next(servers, one));) {
		one->is_leaving = hosted_wants_farewell(one);
		if (one->is_leaving) (void)!hosted_stop(one, 0, NULL);
	}
	while (children_to_leave(servers) && loop_now(servers->loop) < end) loop_step(servers->loop, LEAVE_STEP_MS);
}

/* ---- Settling ---- */

#define REPLACE_MS 1000 /* a conversation that is lost sooner is replaced when somebody asks */

static void bury(struct hosted *hosted, struct hosted_child *child) {
	bool is_lost_probe = child->is_probe && !child->has_opened;
	bool was_asked_to = (child->was_asked_to || child->is_lost) && child->has_opened;
	int status = is_lost_probe || !child->has_opened ? 1 : child->status;
	struct fault why = child->why;
	bool has_spoken = hosted->speaks[HOSTED_LEGACY] || hosted->speaks[HOSTED_MODERN];
	if (is_lost_probe) hosted->is_known = true;
	else if (!child->has_opened) {
		if (hosted->supervisor.state == HOSTED_CONNECTED) { /* one more that was wanted, in vain */
			hosted_runs_fail(hosted, child->era, child->principal, &why);
			hosted_lists_fail(hosted, &why);
		}
		if (!has_spoken && !child->is_introduced && hosted->setup.of.eras == HOSTED_ERA_FIND)
			hosted->first_era = hosted->first_era == HOSTED_LEGACY ? HOSTED_MODERN : HOSTED_LEGACY;
	}
	bool is_replaced = child->is_lost && child->has_opened &&
		loop_now(hosted->servers->loop) - child->opened_at >= REPLACE_MS;
	enum hosted_era era = child->era;
	hosted_child_close(child);
	supervisor_look(hosted, status, was_asked_to, &why);
	/* Without a conversation of that era it could not tell us of anything. */
	if (is_replaced) (void)hosted_pool_any(hosted, era);
}

static void bury_all(struct hosted *hosted) {
	bool is_again = true;
	while (is_again) {
		is_again = false;
		LIST_EACH(link, &hosted->children) {
			struct hosted_child *child = CONTAINER_OF(link, struct hosted_child, link);
			if (child->stage != HOSTED_GONE) continue;
			bury(hosted, child);
			is_again = true;
			break;
		}
	}
}

static void settle(struct task *task) {
	struct hosted *hosted = CONTAINER_OF(task, struct hosted, settle);
	struct fault why;
	for (int kind = 0; kind < HOSTED_KINDS; kind++)
		if (TAKE(hosted->has_changed[kind])) hosted_tell_changed(hosted, (enum hosted_kind)kind);
	bury_all(hosted);
	supervisor_drain(hosted);
	if (!supervisor_may_wait(hosted, &why)) {
		hosted_runs_fail(hosted, HOSTED_ERAS, NULL, &why);
		hosted_lists_fail(hosted, &why);
		return;
	}
	hosted_runs_place(hosted);
	hosted_lists_pump(hosted);
}

void hosted_settle_later(struct hosted *hosted) {
	loop_later(hosted->servers->loop, &hosted->settle, settle);
}

/* ---- One server ---- */

static void hosted_free(struct hosted *hosted) {
	supervisor_finish(hosted);
	deadline_clear(&hosted->declined_due);
	hosted_facts_finish(hosted);
	hosted_setup_finish(&hosted->setup);
	text_finish(&hosted->lines);
	free(hosted);
}

static struct hosted *hosted_make(struct hosted_servers *servers,
	const struct hosted_settings *settings, struct fault *why) {
	struct hosted *hosted = calloc(1, sizeof *hosted);
	if (!hosted) return fault_null(why, FAULT_NO_MEMORY, "no memory for another server");
	if (!hosted_setup_init(&hosted->setup, settings, why)) {
		free(hosted);
		return NULL;
	}
	hosted->servers = servers;
	list_init(&hosted->children);
	list_init(&hosted->waiting);
	list_init(&hosted->subscriptions);
	list_init(&hosted->link);
	text_init(&hosted->lines, 0);
	error_lines_init(&hosted->babble, loop_now(servers->loop));
	hosted_lists_init(hosted);
	hosted->first_era = hosted->setup.of.eras == HOSTED_ERA_ONLY_MODERN ? HOSTED_MODERN : HOSTED_LEGACY;
	hosted->is_known = hosted->setup.of.eras != HOSTED_ERA_FIND;
	if (supervisor_init(hosted, why)) return hosted;
	hosted_free(hosted);
	return NULL;
}

struct hosted *hosted_add(struct hosted_servers *servers, const struct hosted_settings *settings,
	struct fault *why) {
	void *existing = NULL;
	if (servers->by_id.count >= HOSTED_SERVERS)
		return fault_null(why, FAULT_FULL, "%d servers are configured already", HOSTED_SERVERS);
	struct hosted *hosted = hosted_make(servers, settings, why);
	if (!hosted) return NULL;
	if (!map_add(&servers->by_id, slice_of(hosted->setup.of.id), hosted, &existing)) {
		hosted_free(hosted);
		return existing ? fault_null(why, FAULT_EXISTS, "there is a server %s already", settings->id)
				: fault_null(why, FAULT_NO_MEMORY, "no memory for another server");
	}
	list_append(&servers->servers, &hosted->link);
	LIST_EACH_SAFE(link, &servers->listeners) {
		struct hosted_listener *listener = CONTAINER_OF(link, struct hosted_listener, link);
		if (listener->added) listener->added(listener, hosted);
	}
	return hosted;
}

void hosted_remove(struct hosted *hosted) {
	struct fault why;
	fault_set(&why, FAULT_CLOSED, "server %s was removed", hosted->setup.of.id);
	hosted_tell_declined(hosted);
	LIST_EACH_SAFE(link, &hosted->servers->listeners) {
		struct hosted_listener *listener = CONTAINER_OF(link, struct hosted_listener, link);
		if (listener->removed) listener->removed(listener, hosted);
	}
	map_remove(&hosted->servers->by_id, slice_of(hosted->setup.of.id));
	list_remove(&hosted->link);
	hosted->is_removed = true;
	while (!list_is_empty(&hosted->children))
		hosted_child_close(CONTAINER_OF(hosted->children.next, struct hosted_child, link));
	hosted_runs_fail(hosted, HOSTED_ERAS, NULL, &why);
	hosted_lists_finish(hosted, &why);
	hosted_subscriptions_finish(hosted);
	task_clear(&hosted->settle);
	hosted_free(hosted);
}

void hosted_servers_hide(struct hosted_servers *servers, const char *folder) {
	servers->hidden = folder;
}

void hosted_servers_hide_files(struct hosted_servers *servers, const char *const files[HOSTED_HIDDEN]) {
	for (size_t i = 0; i < HOSTED_HIDDEN; i++) servers->hidden_files[i] = files[i];
}

void hosted_servers_govern(struct hosted_servers *servers, const struct hosted_governor *governor) {
	servers->governor = governor;
}

void hosted_set_governed(struct hosted *hosted, struct governed *governed) { hosted->governed = governed; }
struct governed *hosted_governed(const struct hosted *hosted) {
	return hosted->governed;
}
bool hosted_is_governed(const struct hosted *hosted) { return hosted->servers->governor != NULL; }

struct hosted *hosted_find(const struct hosted_servers *servers, struct slice id) {
	return map_find(&servers->by_id, id);
}

struct hosted *hosted_next(const struct hosted_servers *servers, const struct hosted *after) {
	const struct link *next = after ? after->link.next : servers->servers.next;
	return next == &servers->servers ? NULL : CONTAINER_OF(next, struct hosted, link);
}

size_t hosted_count(const struct hosted_servers *servers) { return servers->by_id.count; }

const char *hosted_state_word(enum hosted_state state) {
	static const char *const words[HOSTED_STATES] = {"registered", "connecting", "connected",
		"draining", "disconnected", "error", "restarting"};
	return words[state];
}

const char *hosted_health_word(enum hosted_health health) {
	static const char *const words[] = {"healthy", "degraded", "unhealthy"};
	return words[health];
}

struct slice hosted_id(const struct hosted *hosted) {
	return slice_of(hosted->setup.of.id);
}
const struct hosted_settings *hosted_settings(const struct hosted *hosted) { return &hosted->setup.of; }
enum hosted_state hosted_state(const struct hosted *hosted) { return hosted->supervisor.state; }
enum hosted_health hosted_health(const struct hosted *hosted) { return hosted->supervisor.health; }
int64_t hosted_changed_at(const struct hosted *hosted) { return hosted->supervisor.changed_at; }
const char *hosted_reason(const struct hosted *hosted) { return hosted->supervisor.reason; }
uint64_t hosted_restarts(const struct hosted *hosted) { return hosted->supervisor.total; }
size_t hosted_children(const struct hosted *hosted) { return hosted->child_count; }
size_t hosted_asks(const struct hosted *hosted) { return hosted->run_count + hosted->waiting_count; }

int hosted_process(const struct hosted *hosted) {
	if (list_is_empty(&hosted->children) || !hosted->setup.of.arguments) return 0;
	return hosted_pipe_process(CONTAINER_OF(hosted->children.next, struct hosted_child, link));
}

/* ---- Its words ---- */

void hosted_say(struct hosted *hosted, struct slice line) {
	char words[1024];
	text_display_in(words, sizeof words, line);
	log_write(hosted->servers->log, LOG_INFO, "server %s says: %s", hosted->setup.of.id, words);
	if (hosted->lines.length > HOSTED_LOG_OCTETS) { /* the newer half stays, from a line's beginning on */
		const char *half = hosted->lines.bytes + hosted->lines.length / 2;
		const char *end = strchr(half, '\n');
		size_t from = end ? (size_t)(end + 1 - hosted->lines.bytes) : hosted->lines.length;
		hosted->lines.length -= from;
		memmove(hosted->lines.bytes, hosted->lines.bytes + from, hosted->lines.length + 1);
	}
	text_add_cstr(&hosted->lines, words);
	text_add_char(&hosted->lines, '\n');
	if (text_failed(&hosted->lines)) text_clear(&hosted->lines);
}

void hosted_babble(struct hosted *hosted, struct slice line) {
	char words[48];
	uint64_t left_out;
	if (!error_lines_allow(&hosted->babble, loop_now(hosted->servers->loop), &left_out)) return;
	if (left_out) {
		int length = snprintf(words, sizeof words, "(%" PRIu64 " lines left out)", left_out);
		hosted_say(hosted, slice_make(words, (size_t)length));
	}
	hosted_say(hosted, line);
}

void hosted_write_log(const struct hosted *hosted, struct text *to) {
	text_add(to, text_slice(&hosted->lines));
}

/* ---- Listeners ---- */

void hosted_listen(struct hosted_servers *servers, struct hosted_listener *listener) {
	list_append(&servers->listeners, &listener->link);
}

void hosted_unlisten(struct hosted_listener *listener) { list_remove(&listener->link); }

void hosted_tell_moved(struct hosted *hosted, enum hosted_state from) {
	LIST_EACH_SAFE(link, &hosted->servers->listeners) {
		struct hosted_listener *listener = CONTAINER_OF(link, struct hosted_listener, link);
		if (listener->moved) listener->moved(listener, hosted, from);
	}
}

void hosted_tell_spent(struct hosted *hosted) {
	LIST_EACH_SAFE(link, &hosted->servers->listeners) {
		struct hosted_listener *listener = CONTAINER_OF(link, struct hosted_listener, link);
		if (listener->spent) listener->spent(listener, hosted);
	}
}

void hosted_tell_declined(struct hosted *hosted) {
	unsigned count = hosted->declined;
	hosted->declined = 0;
	if (!count) return;
	log_write(hosted->servers->log, LOG_WARNING,
		"server %s: %s declined (%u times): whose request it is about cannot be told", hosted->setup.of.id,
		hosted->declined_method, count);
	LIST_EACH_SAFE(link, &hosted->servers->listeners) {
		struct hosted_listener *listener = CONTAINER_OF(link, struct hosted_listener, link);
		if (listener->declined)
			listener->declined(listener, hosted, slice_of(hosted->declined_method), count);
	}
}

void hosted_tell_changed(struct hosted *hosted, enum hosted_kind kind) {
	LIST_EACH_SAFE(link, &hosted->servers->listeners) {
		struct hosted_listener *listener = CONTAINER_OF(link, struct hosted_listener, link);
		if (listener->changed) listener->changed(listener, hosted, kind);
	}
}

void hosted_tell_updated(struct hosted *hosted, struct slice principal, struct slice uri,
	const struct scan_value *params) {
	LIST_EACH_SAFE(link, &hosted->servers->listeners) {
		struct hosted_listener *listener = CONTAINER_OF(link, struct hosted_listener, link);
		if (listener->updated) listener->updated(listener, hosted, principal, uri, params);
	}
}

void hosted_tell_logged(struct hosted *hosted, struct slice principal,
	const struct scan_value *params) {
	LIST_EACH_SAFE(link, &hosted->servers->listeners) {
		struct hosted_listener *listener = CONTAINER_OF(link, struct hosted_listener, link);
		if (listener->logged) listener->logged(listener, hosted, principal, params);
	}
}
