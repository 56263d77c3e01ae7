/* SPDX-License-Identifier: Apache-2.0 */
/* Flow led parts: made, ended, written down, refused. */
#include "kernel/flow_led_parts.h"

#include "base/clock.h"
#include "kernel/call_events.h"
#include "kernel/call_figures.h"
#include "kernel/call_guided.h"
#include "mcp/peer_call.h"
#include "wire/jsonrpc.h"

#include <stdio.h>
#include <stdlib.h>

#define WORDS 1000 /* octets of the message of a server's error */

/* ---- Its memory ---- */

static void lost(struct hosted_talk *talk, const struct fault *why) {
	struct flow_led *led = CONTAINER_OF(talk, struct flow_led, talk);
	(void)why;
	if (!led->entry->is_over) flow_led_fail(led, "the server's process has ended, and the session with it", false);
}

struct flow_led *flow_led_of(const struct flow_entry *entry) {
	if (!entry->session->is_led || !entry->driver) return NULL;
	struct flow_driver *driver = entry->driver;
	return CONTAINER_OF(driver, struct flow_led, driver);
}

struct flow_led *flow_led_make(const struct kernel_means *means, struct flow_entry *entry,
	void (*give_up)(struct flow_driver *driver, const char *reason)) {
	const struct flow_session *session = entry->session;
	struct flow_led *led = calloc(1, sizeof *led);
	if (!led) return NULL;
	led->driver.give_up = give_up;
	led->means = means;
	led->entry = entry;
	led->talk.principal = slice_of(session->principal);
	led->talk.session = slice_of(session->session);
	led->talk.lost = lost;
	list_init(&led->requests);
	entry->driver = &led->driver;
	entry->more = sizeof *led;
	return led;
}

struct flow_led *flow_led_find(const struct hosted_child *child, const struct scan_value *params) {
	struct flow_led *found = NULL;
	struct arena arena;
	char lent[512];
	struct slice id;
	arena_init(&arena, lent, sizeof lent, 0);
	if (flow_message_server_id(params, &arena, &id))
		for (struct hosted_talk *talk = NULL; !found && (talk = hosted_talk_next(child, talk));) {
			struct flow_led *led = CONTAINER_OF(talk, struct flow_led, talk);
			if (led->id && slice_is(id, led->id)) found = led;
		}
	arena_finish(&arena);
	return found;
}

void flow_led_free(struct flow_led *led) {
	hosted_talk_end(&led->talk);
	while (led->early) {
		struct flow_led_early *early = led->early;
		led->early = early->next;
		free(early);
	}
	free(led->id);
	free(led);
}

/* ---- Whether it may go on ---- */

bool flow_led_may(const struct flow_led *led, struct flow_refusal *refusal) {
	const struct flow_session *session = led->entry->session;
	struct hosted *hosted = hosted_find(led->means->servers, slice_of(session->server));
	const struct governed *governed = hosted ? governed_of(hosted) : NULL;
	const struct call_asker asker = {
		.principal = slice_of(session->principal),
		.is_admin = led->is_admin,
		.is_local = led->is_local,
		.is_in_room = led->is_in_room,
	};
	if (!governed || !call_asker_may(&asker, governed, slice_of(session->tool)))
		return flow_refuse(refusal, FLOW_INVALID_PARAMS, "unknown_tool", "the session's tool is not to be had any more");
	const struct tool *tool = flow_asked_tool(NULL, hosted, slice_of(session->tool), refusal);
	if (!tool) return refusal->code == FLOW_INTERNAL; /* its list is on its way */
	return call_guided_may(governed, tool, asker.principal) ||
		flow_refuse(refusal, FLOW_INVALID_PARAMS, "not_led", "calls of this tool are looked at now, and its server leads it no more");
}

/* ---- Audited ---- */

static struct slice result_of(const struct flow_session *session) {
	switch (session->state) {
	case FLOW_COMPLETED: return AUDIT_SUCCESS;
	case FLOW_ERROR: return AUDIT_FAILED;
	default: return AUDIT_CANCELLED;
	}
}

static void audit(const struct flow_led *led, struct slice event, struct slice result) {
	const struct flow_session *session = led->entry->session;
	AUTO_TEXT struct text details = {0};
	text_init(&details, 0);
	text_printf(&details, "{\"session\":\"%s\",\"state\":\"%s\",\"duration_ms\":%lld,\"prompts\":%u}", session->id,
		flow_state_word(session->state), (long long)(clock_wall_ms() - session->created_at), led->prompts);
	const struct audit_record record = {
		.event = event,
		.actor = slice_of(session->principal),
		.actor_type = SLICE("agent"),
		.result = result,
		.trace_id = slice_of(led->trace),
		.server_id = slice_of(session->server),
		.tool_name = slice_of(session->tool),
		.details = text_failed(&details) ? SLICE_NONE : text_slice(&details),
	};
	kernel_audit(led->means, &record);
}

void flow_led_begun(struct flow_led *led) {
	led->has_begun = true;
	audit(led, SLICE("dev.hustings.flow_started"), AUDIT_SUCCESS);
}

static void raise_end(const struct flow_led *led, const struct hosted *hosted, struct slice result) {
	const struct flow_session *session = led->entry->session;
	AUTO_TEXT struct text data = {0};
	text_init(&data, 0);
	text_add_cstr(&data, "{\"server_id\":");
	text_json(&data, slice_of(session->server));
	text_add_cstr(&data, ",\"tool_name\":");
	text_json(&data, slice_of(session->tool));
	text_add_cstr(&data, ",\"agent_id\":");
	text_json(&data, slice_of(session->principal));
	text_printf(&data, ",\"trace_id\":\"%s\",\"duration_ms\":%lld%s}", led->trace,
		(long long)(clock_wall_ms() - session->created_at), slice_equal(result, AUDIT_CANCELLED) ? ",\"cancelled\":true" : "");
	if (!text_failed(&data))
		call_events_session(led->means->events, hosted, slice_of(session->tool), result, text_slice(&data));
}

/* What its start was as a call ends here, once. */
static void tell_over(struct flow_led *led) {
	struct slice result = result_of(led->entry->session);
	const struct hosted *hosted = hosted_find(led->means->servers, slice_of(led->entry->session->server));
	if (!led->has_begun || led->is_told_over) return;
	led->is_told_over = true;
	audit(led, SLICE("TOOL_EXECUTED"), result);
	call_figures_session(led->means->call_figures, result);
	if (hosted) raise_end(led, hosted, result);
}

/* ---- The end ---- */

void flow_led_over(struct flow_led *led) {
	if (flow_state_is_over(led->entry->session->state) && !led->entry->is_over) flow_book_settle(led->entry);
	tell_over(led);
	hosted_talk_close(&led->talk);
}

void flow_led_fail(struct flow_led *led, const char *reason, bool is_to_cancel) {
	flow_session_fail(led->entry->session, reason, clock_wall_ms());
	if (is_to_cancel) flow_led_tell_cancel(led, reason);
	flow_led_over(led);
	if (led->id) flows_push_entry(led->means->flows, led->entry, FLOW_NEWS_COMPLETE);
}

static void no_matter(void *context, const struct peer_reply *reply, const struct fault *why) {
	(void)context, (void)reply, (void)why;
}

static void send_cancel(struct hosted_child *child, struct slice id, const char *reason) {
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	text_add_cstr(&params, "{\"sessionId\":");
	text_json(&params, id);
	text_add_cstr(&params, ",\"reason\":");
	text_json(&params, slice_of(reason));
	text_add_char(&params, '}');
	const struct peer_request request = {
		.method = SLICE("interaction.cancel"),
		.params = text_slice(&params),
		.answered = no_matter,
	};
	if (!text_failed(&params)) (void)!hosted_child_request(child, &request, NULL);
}

void flow_led_tell_cancel(struct flow_led *led, const char *reason) {
	if (led->talk.child && led->id) send_cancel(led->talk.child, slice_of(led->id), reason);
}

void flow_led_cancel_named(struct hosted_child *child, const struct scan_value *result, const char *reason) {
	struct arena arena;
	char lent[512];
	struct slice id;
	if (!child || result->type != SCAN_OBJECT) return;
	const struct flow_led *other = flow_led_find(child, result);
	if (other && !other->entry->is_over) return; /* not that one */
	arena_init(&arena, lent, sizeof lent, 0);
	if (flow_message_server_id(result, &arena, &id)) send_cancel(child, id, reason);
	arena_finish(&arena);
}

/* ---- Refusals ---- */

void flow_led_refuse(struct mgp_ask *ask, const struct flow_led *led, const struct flow_refusal *refusal) {
	if (ask) flow_asked_refuse(ask, refusal, led->id ? slice_of(led->entry->session->id) : SLICE_NONE);
}

static bool is_flows(int64_t code) { return code <= FLOW_SESSION_NOT_FOUND && code >= FLOW_NOT_INTERACTIVE; }

/* An error of the server's own: its code where that is one of MCP Flow's, its words without its id. */
void flow_led_refuse_as_server(struct mgp_ask *ask, const struct flow_led *led, const struct hosted_answer *answer) {
	AUTO_TEXT struct text words = {0}, data = {0};
	struct slice id = slice_of(led->entry->session->id);
	struct slice message = slice_make(answer->message.bytes, slice_cut(answer->message, WORDS));
	struct flow_refusal refusal = {.code = (int)(is_flows(answer->code) ? answer->code : FLOW_TIMEOUT)};
	char more[64];
	text_init(&words, 0);
	text_init(&data, 0);
	flow_write_words(&words, message, slice_of(led->id), id);
	(void)flow_refuse(&refusal, (enum flow_code)refusal.code, is_flows(answer->code) ? NULL : "server_error", "%s", "");
	flow_refusal_write_data(&data, &refusal, led->id ? id : SLICE_NONE);
	if (!is_flows(answer->code) && data.length) {
		snprintf(more, sizeof more, ",\"code\":%lld}", (long long)answer->code);
		data.length--;
		text_add_cstr(&data, more);
	}
	if (text_failed(&words) || text_failed(&data)) {
		mgp_ask_refuse(ask, JSONRPC_INTERNAL_ERROR, "no memory for the answer: try again");
		return;
	}
	const struct hosted_answer own = {.code = refusal.code, .message = text_slice(&words), .data = text_slice(&data)};
	ask->cancel = NULL;
	ask->answered(ask, &own);
}

void flow_led_read_fault(const struct fault *why, struct flow_refusal *refusal) {
	switch (why->code) {
	case FAULT_TIMEOUT: (void)flow_refuse(refusal, FLOW_TIMEOUT, NULL, "%.200s", why->text); break;
	case FAULT_FULL: (void)flow_refuse(refusal, FLOW_LIMIT, "too_many_sessions", "%.200s", why->text); break;
	case FAULT_NO_MEMORY: (void)flow_refuse(refusal, FLOW_INTERNAL, "no_memory", "%.200s", why->text); break;
	default: (void)flow_refuse(refusal, FLOW_INTERNAL, "server_not_ready", "%.200s", why->text); break;
	}
}
