/* SPDX-License-Identifier: Apache-2.0 */
/* Mcp_news: three kinds of listeners, and the ears that each is for. */
#include "gateway/mcp_news.h"

#include "base/clock.h"
#include "gateway/mcp_ear_parts.h"
#include "kernel/events.h"
#include "kernel/flows.h"
#include "kernel/governed.h"
#include "kernel/health.h"
#include "kernel/kernel.h"
#include "kernel/tool_sessions.h"
#include "store/audit_event.h"
#include "store/audit_listener.h"

#include <stdio.h>
#include <stdlib.h>

struct mcp_news {
	struct mcp_face *face;
	struct audit_listener audit; /* only while somebody wants it */
	struct access_listener access;
	struct events_listener events;
	struct tool_listener tools;
	struct flow_listener flows;
	struct task changed;        /* lists are old */
	struct task failed;         /* the next three are still to be told */
	char server[HOSTED_ID + 1]; /* which is in error; "": none */
	enum hosted_state from;
};

static struct mcp_ear *ear_of(struct link *link) { return CONTAINER_OF(link, struct mcp_ear, link); }

/* ---- States (MGP 11.4) ---- */

static const char *own_word(enum hosted_state from, enum hosted_state to) {
	if (to == HOSTED_CONNECTING) return from == HOSTED_RESTARTING ? "restart" : "start";
	if (to == HOSTED_CONNECTED) return "ready";
	return to == HOSTED_DISCONNECTED ? "exited" : "failed";
}

/* Of a shutdown the reason that it was asked for with. */
static const char *reason_of(struct hosted *hosted, enum hosted_state from, enum hosted_state to) {
	const struct governed *governed = governed_of(hosted);
	bool is_shutdown = to == HOSTED_DRAINING || from == HOSTED_DRAINING ||
		(to == HOSTED_DISCONNECTED && from != HOSTED_CONNECTED);
	if (is_shutdown) return governed ? health_reason(governed->health) : "operator_request";
	return hosted_reason(hosted)[0] ? hosted_reason(hosted) : own_word(from, to);
}

static void tell_state(struct mcp_news *news, struct hosted *hosted, enum hosted_state from,
	enum hosted_state to) {
	AUTO_TEXT struct text params = {0};
	char moment[CLOCK_TEXT_SIZE];
	if (list_is_empty(&news->face->ears)) return;
	text_init(&params, 0);
	clock_write(clock_wall_ms(), moment);
	text_add_cstr(&params, "{\"server_id\":");
	text_json(&params, hosted_id(hosted));
	text_printf(&params, ",\"previous_state\":\"%s\",\"new_state\":\"%s\",\"reason\":", hosted_state_word(from),
		hosted_state_word(to));
	text_json(&params, slice_of(reason_of(hosted, from, to)));
	text_printf(&params, ",\"timestamp\":\"%s\"}", moment);
	if (text_failed(&params)) return;
	const struct scan_value value = {.text = text_slice(&params), .type = SCAN_OBJECT};
	LIST_EACH_SAFE(link, &news->face->ears) {
		struct mcp_ear *ear = ear_of(link);
		if ((mcp_ear_extensions(ear) & MGP_LIFECYCLE) && mcp_ear_is_about(ear, hosted_id(hosted)) &&
			mcp_ear_may_use(ear, hosted))
			mcp_ear_say(ear, "notifications/mgp.lifecycle", &value);
	}
}

/* No restart has followed. */
static void tell_failed(struct task *task) {
	struct mcp_news *news = CONTAINER_OF(task, struct mcp_news, failed);
	struct hosted *hosted = hosted_find(news->face->servers, slice_of(news->server));
	task_clear(task);
	news->server[0] = 0;
	if (hosted) tell_state(news, hosted, news->from, HOSTED_ERROR);
}

void mcp_news_moved(struct mcp_news *news, struct hosted *hosted, enum hosted_state from) {
	enum hosted_state to = hosted_state(hosted);
	bool is_restart = from == HOSTED_ERROR && to == HOSTED_RESTARTING &&
		slice_is(hosted_id(hosted), news->server);
	if (is_restart) {
		task_clear(&news->failed);
		news->server[0] = 0;
		from = news->from;
	} else if (news->server[0])
		tell_failed(&news->failed);
	if (to != HOSTED_ERROR) {
		tell_state(news, hosted, from, to);
		return;
	}
	snprintf(news->server, sizeof news->server, "%.*s", SLICE_ARGS(hosted_id(hosted)));
	news->from = from;
	loop_later(news->face->gateway->loop, &news->failed, tell_failed);
}

/* ---- Audit events (MGP 6.3) ---- */

/* What is about a server that one may not use says that it exists; and what a server claims may be about
 * anybody. */
static bool is_ones_own(const struct mcp_ear *ear, const struct audit_record *record) {
	struct slice server = audit_event_server(record);
	struct hosted *hosted = hosted_find(ear->face->servers, server);
	if (audit_is_claimed(record) || !slice_equal(record->actor, ear->principal->id)) return false;
	return server.length == 0 || (hosted && mcp_ear_may_use(ear, hosted));
}

static void told(struct audit_listener *listener, const struct audit_record *record, int64_t moment) {
	struct mcp_news *news = CONTAINER_OF(listener, struct mcp_news, audit);
	struct scan_value value = {.type = SCAN_NONE};
	AUTO_TEXT struct text params = {0};
	bool is_wanted = false;
	text_init(&params, 0);
	LIST_EACH_SAFE(link, &news->face->ears) {
		struct mcp_ear *ear = ear_of(link);
		if (!(mcp_ear_extensions(ear) & MGP_AUDIT)) continue;
		is_wanted = true;
		if (!mcp_ear_is_about(ear, audit_event_server(record)) ||
			!(ear->principal->is_admin || is_ones_own(ear, record)))
			continue;
		if (!value.type) {
			audit_write_event(&params, record, moment);
			if (text_failed(&params)) return;
			value = (struct scan_value){.text = text_slice(&params), .type = SCAN_OBJECT};
		}
		mcp_ear_say(ear, "notifications/mgp.audit", &value);
	}
	if (!is_wanted) audit_unlisten(listener);
}

void mcp_news_listen(struct mcp_news *news) {
	struct gateway *gateway = news->face->gateway;
	struct fault why;
	bool is_wanted = false;
	LIST_EACH(link, &news->face->ears)
		is_wanted = is_wanted || (mcp_ear_extensions(ear_of(link)) & MGP_AUDIT);
	if (!is_wanted || news->audit.hub || audit_listen(gateway->store, gateway->loop, &news->audit, &why)) return;
	log_write(gateway->log, LOG_WARNING, "audit: MGP clients are told nothing: %s", why.text);
}

/* ---- Events (MGP 13.3) ---- */

/* To modern clients that listen in the subscriber's name, at the same face or at that of all servers; beside
 * the stream of the subscription itself. */
static bool told_event(struct events_listener *listener, const struct event_subscription *subscription,
	const struct scan_value *params) {
	struct mcp_news *news = CONTAINER_OF(listener, struct mcp_news, events);
	bool is_told = false;
	if (subscription->asker.is_in_room) return false;
	LIST_EACH_SAFE(link, &news->face->ears) {
		struct mcp_ear *ear = ear_of(link);
		bool is_meant = !ear->session && (mcp_ear_extensions(ear) & MGP_BIDIRECTIONAL) &&
			slice_equal(ear->principal->id, subscription->asker.principal) &&
			(!ear->target[0] || slice_is(slice_of(ear->target), subscription->server));
		if (is_meant && mcp_ear_say_event(ear, "notifications/mgp.event", params, 0)) is_told = true;
	}
	return is_told;
}

/* ---- Guided sessions (MCP Flow) ---- */

/* Of the MCP session that it began in; of a modern client, whoever listens in the principal's name. */
static bool follows(const struct mcp_ear *ear, const struct flow_push *push) {
	if (!slice_equal(ear->principal->id, push->principal) || mcp_ear_is_of_room(ear)) return false;
	if (!ear->session) return ear->hears_flow && mcp_ear_is_about(ear, push->server) && (push->is_anywhere || !push->session.length);
	return push->is_anywhere || slice_is(push->session, ear->session->id);
}

static void told_flow(struct flow_listener *listener, const struct flow_push *push) {
	struct mcp_news *news = CONTAINER_OF(listener, struct mcp_news, flows);
	const struct scan_value params = {.text = push->params, .type = SCAN_OBJECT};
	char id[32];
	snprintf(id, sizeof id, "\"flow-%llu\"", (unsigned long long)push->id);
	LIST_EACH_SAFE(link, &news->face->ears) {
		struct mcp_ear *ear = ear_of(link);
		if (!follows(ear, push)) continue;
		if (push->id) (void)mcp_ear_ask(ear, push->method, &params, id);
		else mcp_ear_say(ear, push->method, &params);
	}
}

/* ---- Access (MGP 5) ---- */

static void tell_changed(struct task *task) {
	struct mcp_news *news = CONTAINER_OF(task, struct mcp_news, changed);
	LIST_EACH_SAFE(link, &news->face->ears) {
		struct mcp_ear *ear = ear_of(link);
		for (int kind = 0; kind < HOSTED_KINDS; kind++)
			if (TAKE(ear->is_old[kind])) mcp_ear_say_changed(ear, (enum hosted_kind)kind);
	}
}

/* Who needs no grant has the lists that it had. */
static bool concerns(const struct mcp_ear *ear, struct slice agent, struct slice server) {
	const struct principal *principal = ear->principal;
	if (principal->is_admin || principal->is_local || mcp_ear_is_of_room(ear)) return false;
	return (!agent.length || slice_equal(agent, principal->id)) &&
		(!server.length || mcp_ear_is_about(ear, server));
}

/* A client is told of lists that its face has, as far as a server named has them. */
static bool has_list(const struct mcp_ear *ear, const struct hosted *hosted, const char *member) {
	if (!hosted) return !ear->target[0];
	return hosted_offers(hosted, HOSTED_LEGACY, member, NULL) || hosted_offers(hosted, HOSTED_MODERN, member, NULL);
}

/* May be called while ears are told something: they are told of this later. */
static void access_changed(struct access_listener *listener, struct slice agent, struct slice server) {
	struct mcp_news *news = CONTAINER_OF(listener, struct mcp_news, access);
	LIST_EACH(link, &news->face->ears) {
		struct mcp_ear *ear = ear_of(link);
		if (!concerns(ear, agent, server)) continue;
		const struct hosted *hosted = server.length ? hosted_find(news->face->servers, server) : mcp_ear_server(ear);
		ear->is_old[HOSTED_TOOLS] = true;
		ear->is_old[HOSTED_PROMPTS] |= has_list(ear, hosted, "prompts");
		ear->is_old[HOSTED_RESOURCES] |= has_list(ear, hosted, "resources");
		loop_later(news->face->gateway->loop, &news->changed, tell_changed);
	}
}

/* ---- A client's context (MGP 16.7) ---- */

/* Everywhere else the list is that of all tools, and stays what it was. */
static bool lists_context(const struct mcp_ear *ear, struct slice principal, struct slice session) {
	if (!slice_equal(ear->principal->id, principal) || mcp_ear_is_of_room(ear)) return false;
	if (!ear->session) return ear->searches && !session.length;
	return ear->session->searches && slice_is(session, ear->session->id);
}

static void context_changed(struct tool_listener *listener, struct slice principal, struct slice session) {
	struct mcp_news *news = CONTAINER_OF(listener, struct mcp_news, tools);
	LIST_EACH(link, &news->face->ears) {
		struct mcp_ear *ear = ear_of(link);
		if (!lists_context(ear, principal, session)) continue;
		ear->is_old[HOSTED_TOOLS] = true;
		loop_later(news->face->gateway->loop, &news->changed, tell_changed);
	}
}

/* ---- Its life ---- */

struct mcp_news *mcp_news_open(struct mcp_face *face, struct fault *why) {
	struct mcp_news *news = calloc(1, sizeof *news);
	struct kernel *kernel = face->gateway->kernel;
	if (!news) return fault_null(why, FAULT_NO_MEMORY, "no memory for the MCP face");
	news->face = face;
	news->audit.told = told;
	news->access.changed = access_changed;
	list_init(&news->access.link);
	news->tools.changed = context_changed;
	news->events.told = told_event;
	news->flows.told = told_flow;
	list_init(&news->flows.link);
	if (!kernel) return news;
	access_listen(kernel_means(kernel)->access, &news->access);
	events_listen(kernel_means(kernel)->events, &news->events);
	flows_listen(kernel_means(kernel)->flows, &news->flows);
	if (kernel) tool_sessions_listen(kernel_means(kernel)->tool_sessions, &news->tools);
	return news;
}

void mcp_news_close(struct mcp_news *news) {
	if (!news) return;
	audit_unlisten(&news->audit);
	access_unlisten(&news->access);
	events_unlisten(&news->events);
	flows_unlisten(&news->flows);
	tool_sessions_unlisten(&news->tools);
	task_clear(&news->changed);
	task_clear(&news->failed);
	free(news);
}
