/* SPDX-License-Identifier: Apache-2.0 */
/* Flow methods: read, found, stepped, stored, answered, in this order. */
#include "kernel/flow_methods.h"

#include "base/clock.h"
#include "kernel/call_guided.h"
#include "kernel/flow_asked.h"
#include "kernel/flow_led.h"
#include "kernel/flow_speech.h"
#include "kernel/flow_stateless.h"
#include "kernel/flow_step.h"
#include "kernel/flow_course.h"
#include "wire/jsonrpc.h"

#include <inttypes.h>

/* ---- interaction.start ---- */

static struct flow_session *make(struct mgp_ask *ask, const struct flow_start *start, struct hosted *hosted,
	struct slice name, struct flow_refusal *refusal) {
	const struct tool *tool = flow_asked_tool(ask, hosted, name, refusal);
	const struct flow_limits limits = flows_limits(ask->means->flows);
	const struct flow_wish wish = {
		.principal = ask->asker.principal,
		.session = ask->asker.session,
		.server = hosted_id(hosted),
		.tool = name,
		.name = start->tool,
		.initial_params = start->initial_params,
		.context = start->context,
		.timeout_ms = start->timeout_ms,
	};
	int64_t now = clock_wall_ms();
	struct flow_session *session = tool ? flow_session_begin(&wish, &limits, now, refusal) : NULL;
	if (!session) return NULL;
	if (flow_session_activate(session, refusal) && flow_course_next(session, tool, now, refusal)) return session;
	flow_session_free(session);
	return NULL;
}

static void keep(struct mgp_ask *ask, struct flow_session *session, struct hosted *hosted) {
	struct flows *flows = ask->means->flows;
	struct flow_refusal refusal = {0};
	AUTO_TEXT struct text result = {0};
	struct flow_entry *entry = flow_book_add(flows_book(flows), session, true, &refusal);
	if (!entry) {
		flow_asked_refuse(ask, &refusal, SLICE_NONE);
		return;
	}
	text_init(&result, 0);
	flow_write_started(&result, session, slice_of(session->id));
	if (session->state == FLOW_PROCESSING) flow_course_run(flows, entry, hosted, &ask->asker);
	mgp_ask_answer(ask, &result);
}

enum started {
	START_ASKED,
	START_LISTED, /* the server's tools are known, or cannot be had */
	START_HEARD,  /* and whether it leads sessions by itself */
};

static void start(struct mgp_ask *ask, enum started stage);
static void start_listed(struct mgp_ask *ask) { start(ask, START_LISTED); }
static void start_heard(struct mgp_ask *ask) { start(ask, START_HEARD); }

/* Led by its server, where that can, and may. *waits: the ask goes on when that is known. */
static bool is_led(struct mgp_ask *ask, struct hosted *hosted, struct slice name, enum started stage, bool *waits) {
	const struct governed *governed = governed_of(hosted);
	struct flow_refusal refusal;
	const struct tool *tool = flow_asked_tool(ask, hosted, name, &refusal);
	if (!tool || !call_guided_may(governed, tool, ask->asker.principal)) return false;
	enum flow_speech_word word = flow_speech_of(governed);
	*waits = word == FLOW_SPEECH_UNKNOWN && stage < START_HEARD && flow_asked_hears(ask, hosted, start_heard);
	return word == FLOW_SPEECH_OWN;
}

static void start(struct mgp_ask *ask, enum started stage) {
	struct flow_refusal refusal = {0};
	struct flow_start wish;
	struct hosted *hosted;
	struct slice name;
	struct flow_session *session = NULL;
	if (flow_message_start(&ask->params, ask->arena, &wish, &refusal) &&
		flow_asked_find(ask, wish.tool, &hosted, &name, &refusal)) {
		bool waits = stage == START_ASKED && flow_asked_waits(ask, hosted, start_listed);
		bool is_by_server = !waits && is_led(ask, hosted, name, stage, &waits);
		if (is_by_server) flow_led_start(ask, &wish, hosted, name);
		if (waits || is_by_server) return;
		session = make(ask, &wish, hosted, name, &refusal);
	}
	if (!session) flow_asked_refuse(ask, &refusal, SLICE_NONE);
	else if (ask->means->flow.is_stateless) flow_stateless_start(ask, session, hosted);
	else keep(ask, session, hosted);
}

static void flow_start_asked(struct mgp_ask *ask) { start(ask, START_ASKED); }

/* ---- Sessions that are kept ---- */

static struct flow_entry *find(struct mgp_ask *ask, struct slice id, struct flow_refusal *refusal) {
	return flow_book_find(flows_book(ask->means->flows), id, ask->asker.principal, ask->asker.session, refusal);
}

/* Each message counts, whatever comes of it; one that waited counts once. */
static bool is_in_pace(struct mgp_ask *ask, struct flow_entry *entry, struct flow_refusal *refusal) {
	const struct pace_rate *rate = &ask->means->flow.pace;
	uint64_t retry_after_ms = 0;
	if (pace_take(&entry->pace, rate, clock_monotonic_us(), &retry_after_ms)) return true;
	(void)flow_refuse(refusal, FLOW_LIMIT, "rate_limited", "more than %u messages of one session in %u ms (flow.pace): try again in %" PRIu64 " ms",
		rate->count, rate->span_ms, retry_after_ms);
	refusal->retry_after_ms = retry_after_ms;
	return false;
}

static struct flow_entry *find_in_pace(struct mgp_ask *ask, struct slice id, struct flow_refusal *refusal) {
	struct flow_entry *entry = find(ask, id, refusal);
	return entry && is_in_pace(ask, entry, refusal) ? entry : NULL;
}

/* It may have been answered too often; then it is in error, and that stands. */
static void refuse_step(struct mgp_ask *ask, struct flow_entry *entry, const struct flow_refusal *refusal, struct slice id) {
	if (flow_state_is_over(entry->session->state) && !entry->is_over) {
		flow_book_settle(entry);
		flows_push_entry(ask->means->flows, entry, FLOW_NEWS_COMPLETE);
	}
	flow_asked_refuse(ask, refusal, id);
}

static void step(struct mgp_ask *ask, struct flow_entry *entry, struct slice id, const struct flow_response *response,
	const struct flow_place *place) {
	struct flows *flows = ask->means->flows;
	struct flow_refusal refusal = {0};
	struct prompt_verdict verdict = {0};
	AUTO_TEXT struct text result = {0};
	if (!flow_step_take(entry->session, response, place, &verdict, &refusal)) {
		refuse_step(ask, entry, &refusal, id);
		return;
	}
	if (!flow_book_save(entry, &refusal)) {
		flow_asked_refuse(ask, &refusal, id);
		return;
	}
	text_init(&result, 0);
	flow_write_response(&result, &verdict, SLICE_NONE);
	bool is_asked = entry->session->state != FLOW_PROCESSING;
	if (!is_asked) flow_course_run(flows, entry, place->hosted, &ask->asker);
	mgp_ask_answer(ask, &result);
	if (is_asked) flows_push_entry(flows, entry, FLOW_NEWS_PROMPT); /* behind the answer, as the text draws it */
}

/* What its tool asked while it runs: nothing of it is stored but its turn, once the tool goes on. */
static void step_aside(struct mgp_ask *ask, struct flow_entry *entry, struct slice id, const struct flow_response *response) {
	struct flow_session *session = entry->session;
	struct flow_driver *driver = entry->driver;
	struct flow_refusal refusal = {0};
	struct prompt_verdict verdict = {0};
	AUTO_TEXT struct text result = {0};
	if (!flow_step_take(session, response, NULL, &verdict, &refusal)) {
		if (flow_state_is_over(session->state)) flows_give_up(entry, refusal.message);
		refuse_step(ask, entry, &refusal, id);
		return;
	}
	text_init(&result, 0);
	flow_write_response(&result, &verdict, SLICE_NONE);
	if (session->state == FLOW_PROCESSING) {
		flow_book_settle(entry);
		driver->answer(driver, &response->value);
	} else
		flow_book_touch(entry);
	mgp_ask_answer(ask, &result);
}

static bool is_aside(const struct flow_entry *entry) {
	const struct flow_driver *driver = entry->driver;
	return entry->session->state == FLOW_WAITING_USER && driver && driver->answer;
}

static void respond(struct mgp_ask *ask, bool has_waited);
static void respond_again(struct mgp_ask *ask) { respond(ask, true); }

static void respond(struct mgp_ask *ask, bool has_waited) {
	struct flow_refusal refusal = {0};
	struct flow_response response;
	struct flow_place place;
	struct slice id = SLICE_NONE;
	struct flow_entry *entry = NULL;
	if (!flow_message_session(&ask->params, ask->arena, &id, &refusal) ||
		!flow_message_respond(&ask->params, ask->arena, &response, &refusal)) {
		flow_asked_refuse(ask, &refusal, id);
		return;
	}
	if (flow_token_is_one(id)) {
		flow_stateless_respond(ask, id, &response, has_waited ? NULL : respond_again);
		return;
	}
	entry = has_waited ? find(ask, id, &refusal) : find_in_pace(ask, id, &refusal);
	if (!entry) flow_asked_refuse(ask, &refusal, id);
	else if (entry->session->is_led)
		flow_led_respond(ask, entry);
	else if (is_aside(entry))
		step_aside(ask, entry, id, &response);
	else if (entry->session->state != FLOW_WAITING_USER)
		step(ask, entry, id, &response, NULL);
	else {
		bool is_found = flow_step_find(ask, entry->session, &place, has_waited ? NULL : respond_again, &refusal);
		if (place.waits) return;
		if (is_found) step(ask, entry, id, &response, &place);
		else {
			/* Its tool is not to be had any more: there is nothing that could come of it. */
			if (refusal.code != FLOW_INTERNAL) flow_session_fail(entry->session, refusal.message, clock_wall_ms());
			refuse_step(ask, entry, &refusal, id);
		}
	}
}

static void flow_respond_asked(struct mgp_ask *ask) { respond(ask, false); }

static void cancel(struct mgp_ask *ask) {
	struct flow_refusal refusal = {0};
	AUTO_TEXT struct text result = {0};
	struct flow_entry *entry = NULL;
	struct slice id = SLICE_NONE;
	bool is_named = flow_message_session(&ask->params, ask->arena, &id, &refusal);
	if (is_named && flow_token_is_one(id)) {
		flow_stateless_cancel(ask, id);
		return;
	}
	if (is_named) entry = find_in_pace(ask, id, &refusal);
	if (entry && flow_led_cancel(ask, entry)) return;
	struct slice reason = entry ? flow_message_reason(&ask->params, ask->arena) : SLICE_NONE;
	if (!entry || !flow_session_cancel(entry->session, reason, clock_wall_ms(), &refusal) ||
		!flow_book_save(entry, &refusal)) {
		flow_asked_refuse(ask, &refusal, id);
		return;
	}
	flows_give_up(entry, "the guided session was cancelled");
	text_init(&result, 0);
	flow_write_cancelled(&result);
	mgp_ask_answer(ask, &result);
}

static void get_state(struct mgp_ask *ask) {
	struct flow_refusal refusal = {0};
	AUTO_TEXT struct text result = {0};
	struct flow_entry *entry = NULL;
	struct slice id = SLICE_NONE;
	bool is_named = flow_message_session(&ask->params, ask->arena, &id, &refusal);
	if (is_named && flow_token_is_one(id)) {
		flow_stateless_get_state(ask, id);
		return;
	}
	if (is_named) entry = find_in_pace(ask, id, &refusal);
	if (!entry) {
		flow_asked_refuse(ask, &refusal, id);
		return;
	}
	if (flow_led_get_state(ask, entry)) return;
	text_init(&result, 0);
	flow_write_state(&result, entry->session, id);
	mgp_ask_answer(ask, &result);
}

static void complete(struct mgp_ask *ask) {
	struct flow_refusal refusal = {0};
	AUTO_TEXT struct text result = {0};
	struct flow_entry *entry = NULL;
	struct slice id = SLICE_NONE;
	if (flow_message_session(&ask->params, ask->arena, &id, &refusal))
		entry = flow_token_is_one(id) ? flow_stateless_find(ask, id, &refusal) : find_in_pace(ask, id, &refusal);
	if (entry && entry->session->state != FLOW_COMPLETED) {
		(void)flow_refuse(&refusal, FLOW_INVALID_TRANSITION, NULL, "the session is %s and has no result: its tool completes it",
			flow_state_word(entry->session->state));
		entry = NULL;
	}
	if (!entry) {
		flow_asked_refuse(ask, &refusal, id);
		return;
	}
	text_init(&result, 0);
	flow_write_completed(&result, entry->session);
	mgp_ask_answer(ask, &result);
}

/* ---- capabilities ---- */

void flow_methods_write_capabilities(struct text *to, const struct kernel_means *means, const struct hosted *hosted) {
	const struct governed *governed = hosted ? governed_of(hosted) : NULL;
	if (means->flow.is_enabled && !(governed && governed->policy.is_flowless)) {
		flow_write_capabilities(to, means->flow.is_stateless);
		return;
	}
	text_add_cstr(to,
		"{\"interactive\":false,\"version\":\"" FLOW_VERSION "\",\"features\":{\"statefulSessions\":false,"
		"\"progressTracking\":false,\"validation\":false,\"multiplePromptTypes\":false,\"sessionPersistence\":false}}");
}

static void capabilities(struct mgp_ask *ask) {
	AUTO_TEXT struct text result = {0};
	text_init(&result, 0);
	flow_methods_write_capabilities(&result, ask->means, ask->hosted);
	mgp_ask_answer(ask, &result);
}

/* ---- All of them ---- */

static void (*const methods[FLOW_METHODS])(struct mgp_ask *ask) = {
	[FLOW_METHOD_START] = flow_start_asked,
	[FLOW_METHOD_RESPOND] = flow_respond_asked,
	[FLOW_METHOD_COMPLETE] = complete,
	[FLOW_METHOD_CANCEL] = cancel,
	[FLOW_METHOD_GET_STATE] = get_state,
	[FLOW_METHOD_CAPABILITIES] = capabilities,
};

bool flow_methods_have(struct slice method) {
	enum flow_method which;
	return flow_method_read(method, &which);
}

void flow_methods_ask(struct mgp_ask *ask, struct slice method) {
	struct flow_refusal refusal = {0};
	enum flow_method which;
	if (!flow_method_read(method, &which) || !methods[which])
		mgp_ask_refuse(ask, JSONRPC_METHOD_NOT_FOUND, "this method goes from server to client alone");
	else if (which == FLOW_METHOD_CAPABILITIES || ask->means->flow.is_enabled)
		methods[which](ask);
	else {
		(void)flow_refuse(&refusal, FLOW_NOT_INTERACTIVE, NULL, "there are no guided sessions here (flow.enabled): call the tool with tools/call");
		flow_asked_refuse(ask, &refusal, SLICE_NONE);
	}
}
