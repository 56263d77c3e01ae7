/* SPDX-License-Identifier: Apache-2.0 */
/* Flow led: what a client asks, asked of the server under the server's own id. */
#include "kernel/flow_led.h"

#include "base/clock.h"
#include "kernel/call.h"
#include "kernel/call_guided.h"
#include "kernel/flow_led_told.h"
#include "wire/jsonrpc.h"

#include <stdlib.h>

#define ANSWER (FLOW_RESULT + FLOW_HISTORY + FLOW_DATA) /* octets of a server's */

struct led_request {
	struct link link; /* of the session's */
	struct flow_led *led;
	struct mgp_ask *ask; /* NULL: nobody waits for it any more */
	enum flow_method method;
	unsigned prompts; /* that had come when it left */
	struct hosted_ask hosted;
};

/* ---- Requests ---- */

static void request_free(struct led_request *request) {
	if (request->ask) request->ask->cancel = NULL;
	list_remove(&request->link);
	request->led->request_count--;
	free(request);
}

/* The server may be at it: its answer counts, and nobody hears of it. */
static void nobody_waits(struct mgp_ask *ask) {
	struct led_request *request = TAKE(ask->later);
	request->ask = NULL;
}

static struct led_request *request_make(struct flow_led *led, struct mgp_ask *ask, enum flow_method method,
	const struct hosted_ask_events *events, struct slice params) {
	const struct governed *governed = hosted_governed(hosted_find(led->means->servers, slice_of(led->entry->session->server)));
	struct led_request *request = governed ? calloc(1, sizeof *request) : NULL;
	if (!request) return NULL;
	request->led = led;
	request->ask = ask;
	request->method = method;
	request->prompts = led->prompts;
	request->hosted = (struct hosted_ask){
		.method = slice_of(flow_method_name(method)),
		.params = params,
		.principal = led->talk.principal,
		.session = led->talk.session,
		.trace = slice_of(led->trace),
		.era = HOSTED_LEGACY,
		.deadline_ms = governed->policy.call_timeout_ms,
		.talk = &led->talk,
		.is_awaited = method == FLOW_METHOD_START,
		.events = events,
	};
	ask->later = request;
	ask->cancel = nobody_waits;
	list_append(&led->requests, &request->link);
	led->request_count++;
	return request;
}

/* Out of the request, which goes: whom it is to be answered. */
static struct mgp_ask *request_end(struct led_request *request) {
	struct mgp_ask *ask = request->ask;
	request_free(request);
	return ask;
}

/* ---- Answers ---- */

/* What the server says, with our id; it is an object. */
static void answer(struct mgp_ask *ask, const struct flow_led *led, const struct scan_value *result) {
	AUTO_TEXT struct text own = {0};
	if (!ask) return;
	text_init(&own, 0);
	flow_write_renamed(&own, result, slice_of(led->entry->session->id));
	mgp_ask_answer(ask, &own);
}

/* False: *refusal; *result is an object, or SCAN_NONE. */
static bool read_answer(const struct hosted_answer *answer, struct scan_value *result, struct flow_refusal *refusal) {
	*result = (struct scan_value){.text = slice_trim(answer->result), .type = SCAN_OBJECT};
	if (!result->text.length || result->text.bytes[0] != '{') {
		result->type = SCAN_NONE;
		return flow_refuse(refusal, FLOW_TIMEOUT, "server_error", "the server's answer is no object");
	}
	return result->text.length <= ANSWER ||
		flow_refuse(refusal, FLOW_TIMEOUT, "too_large", "the server's answer is over %zu octets", ANSWER);
}

/* ---- The session goes ---- */

static void give_up(struct flow_driver *driver, const char *reason) {
	struct flow_led *led = CONTAINER_OF(driver, struct flow_led, driver);
	struct flow_refusal refusal;
	bool is_open = !led->talk.is_closed;
	(void)flow_refuse(&refusal, FLOW_TIMEOUT, NULL, "the session ended before its server answered");
	while (!list_is_empty(&led->requests)) {
		struct led_request *request = CONTAINER_OF(led->requests.next, struct led_request, link);
		call_cancel(&request->hosted, reason);
		flow_led_refuse(request_end(request), led, &refusal);
	}
	if (is_open) {
		flow_led_tell_cancel(led, reason);
		flow_led_over(led);
	}
	flow_led_free(led);
}

/* ---- interaction.start ---- */

/* An id is one open session's. One that is over lets go of an id that comes again: what it was is not asked any more. */
static bool is_taken(const struct flow_led *led, struct slice id) {
	for (struct hosted_talk *talk = NULL; (talk = hosted_talk_next(led->talk.child, talk));) {
		struct flow_led *other = CONTAINER_OF(talk, struct flow_led, talk);
		if (other == led || !other->id || !slice_is(id, other->id)) continue;
		if (!other->entry->is_over) return true;
		free(TAKE(other->id));
	}
	return false;
}

static bool take_id(struct flow_led *led, const struct scan_value *result, struct flow_refusal *refusal) {
	struct arena arena;
	char lent[512];
	struct slice id;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_named = flow_message_server_id(result, &arena, &id) && !memchr(id.bytes, '\0', id.length);
	bool is_fine = is_named && led->talk.child && !is_taken(led, id);
	char *kept = is_fine ? slice_copy(id) : NULL;
	if (is_fine) led->entry->more = sizeof *led + id.length;
	arena_finish(&arena);
	if (kept) {
		free(led->id);
		led->id = kept;
		return true;
	}
	if (is_fine) return flow_refuse(refusal, FLOW_INTERNAL, "no_memory", "no memory for another session: try again later");
	return flow_refuse(refusal, FLOW_TIMEOUT, "server_error", "the server's answer has no sessionId of its own");
}

/* The server's own first prompt counts as one. */
static bool take_started(struct flow_led *led, const struct scan_value *result, struct flow_refusal *refusal) {
	struct scan_value prompt;
	if (!take_id(led, result, refusal)) return false;
	if (!scan_find(result, "initialPrompt", &prompt) || prompt.type != SCAN_OBJECT) return true;
	led->prompts++;
	return flow_session_led_prompt(led->entry->session, clock_wall_ms(), refusal);
}

/* A gate has refused it, or the server: where it has no conversation, the server has not seen it. */
static void refuse_start(struct mgp_ask *ask, const struct flow_led *led, const struct hosted_answer *answer) {
	if (led->talk.child || led->talk.was_lost) {
		flow_led_refuse_as_server(ask, led, answer);
		return;
	}
	struct hosted_answer own = *answer;
	if (!own.data.length) own.data = SLICE("{\"type\":\"refused\"}");
	ask->cancel = NULL;
	ask->answered(ask, &own);
}

/* The server has begun a session that nobody gets: it hears so, by whatever id it gave. */
static void discard(struct flow_led *led, const struct scan_value *result, const char *reason) {
	if (led->id) flow_led_tell_cancel(led, reason);
	else
		flow_led_cancel_named(led->talk.child, result, reason);
	flow_led_over(led);
}

static void started(struct hosted_ask *hosted, const struct hosted_answer *answer_, const struct fault *why) {
	struct led_request *request = CONTAINER_OF(hosted, struct led_request, hosted);
	struct flow_led *led = request->led;
	struct mgp_ask *ask = request_end(request);
	struct flow_refusal refusal = {0};
	struct scan_value result = {.type = SCAN_NONE};
	bool is_error = answer_ && !answer_->result.bytes, is_answered = answer_ && !is_error;
	if (why) flow_led_read_fault(why, &refusal);
	if (is_answered) flow_led_begun(led);
	bool is_fine = is_answered && read_answer(answer_, &result, &refusal) && take_started(led, &result, &refusal);
	if (is_fine && ask && !led->entry->is_over) {
		flow_book_touch(led->entry);
		answer(ask, led, &result);
		flow_led_take_early(led);
		return;
	}
	if (is_answered && !is_fine) flow_session_fail(led->entry->session, refusal.message, clock_wall_ms());
	if (is_answered) discard(led, &result, is_fine ? "nobody waits for it any more" : refusal.message);
	if (ask && is_error) refuse_start(ask, led, answer_);
	else if (!is_fine)
		flow_led_refuse(ask, led, &refusal);
	else if (ask)
		mgp_ask_refuse(ask, JSONRPC_INTERNAL_ERROR, "the session ended before it had begun: begin another");
	flow_book_remove(led->entry, 0);
}

static const struct hosted_ask_events start_events = {.answered = started};

static struct flow_entry *enter(struct mgp_ask *ask, const struct flow_start *start, struct hosted *hosted,
	struct slice tool, struct flow_refusal *refusal) {
	const struct flow_limits limits = flows_limits(ask->means->flows);
	const struct flow_wish wish = {
		.principal = ask->asker.principal,
		.session = ask->asker.session,
		.server = hosted_id(hosted),
		.tool = tool,
		.name = start->tool,
		.timeout_ms = start->timeout_ms,
	};
	int64_t now = clock_wall_ms();
	struct flow_session *session = flow_session_begin(&wish, &limits, now, refusal);
	if (!session) return NULL;
	session->is_led = true;
	if (flow_session_activate(session, refusal) && flow_session_process(session, now, refusal))
		return flow_book_add(flows_book(ask->means->flows), session, true, refusal);
	flow_session_free(session);
	return NULL;
}

/* Refusals of gates come in the words of a plain client. */
static bool call(struct mgp_ask *ask, struct led_request *request, struct hosted *hosted, struct fault *why) {
	struct call_asker plain = ask->asker;
	plain.mgp = (struct mgp_agreed){0};
	plain.has_authorization = false;
	return call_start(hosted, &plain, &request->hosted, why);
}

void flow_led_start(struct mgp_ask *ask, const struct flow_start *start, struct hosted *hosted, struct slice tool) {
	struct flow_refusal refusal = {0};
	struct fault why = {.code = FAULT_NO_MEMORY, .text = "no memory for another session: try again later"};
	AUTO_TEXT struct text params = {0};
	struct flow_entry *entry = enter(ask, start, hosted, tool, &refusal);
	if (!entry) {
		flow_asked_refuse(ask, &refusal, SLICE_NONE);
		return;
	}
	text_init(&params, 0);
	flow_write_start(&params, start, tool);
	struct flow_led *led = text_failed(&params) ? NULL : flow_led_make(ask->means, entry, give_up);
	if (led) {
		memcpy(led->trace, ask->trace, sizeof led->trace);
		led->is_admin = ask->asker.is_admin;
		led->is_local = ask->asker.is_local;
		led->is_in_room = ask->asker.is_in_room;
	}
	struct led_request *request = led ? request_make(led, ask, FLOW_METHOD_START, &start_events, text_slice(&params)) : NULL;
	if (request && call(ask, request, hosted, &why)) return;
	if (request) (void)request_end(request);
	flow_led_read_fault(&why, &refusal);
	flow_book_remove(entry, 0);
	flow_asked_refuse(ask, &refusal, SLICE_NONE);
}

/* ---- Everything behind it ---- */

static void take_response(struct flow_led *led, const struct led_request *request, const struct scan_value *result,
	struct flow_refusal *refusal) {
	struct flow_session *session = led->entry->session;
	struct scan_value value;
	bool is_accepted = false;
	if (scan_find(result, "accepted", &value) && !scan_boolean(&value, &is_accepted)) is_accepted = false;
	/* A server without sessions of its own goes on by another token. */
	if (scan_find(result, "sessionId", &value) && !take_id(led, result, refusal)) {
		flow_led_fail(led, refusal->message, true);
		return;
	}
	/* The next prompt, or the end, may have come before. */
	if (led->entry->is_over || (is_accepted && led->prompts != request->prompts)) return;
	if (!flow_session_led_answer(session, is_accepted, clock_wall_ms(), refusal)) {
		flow_led_tell_cancel(led, refusal->message);
		flow_led_over(led);
		flows_push_entry(led->means->flows, led->entry, FLOW_NEWS_COMPLETE);
	} else flow_book_touch(led->entry);
}

/* Idle, where it says nothing that is a state. */
static enum flow_state state_of(const struct scan_value *result) {
	struct scan_value value;
	char lent[64];
	struct arena arena;
	struct slice word;
	enum flow_state state = FLOW_IDLE;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_said = scan_find(result, "state", &value) && value.type == SCAN_STRING && scan_string(&value, &arena, &word) &&
		flow_state_read(word, &state);
	arena_finish(&arena);
	return is_said ? state : FLOW_IDLE;
}

/* We were not told: what it says goes. */
static void take_state(struct flow_led *led, const struct scan_value *result) {
	struct flow_session *session = led->entry->session;
	struct flow_refusal refusal;
	struct scan_value final;
	enum flow_state state = state_of(result);
	if (led->entry->is_over || !flow_state_is_over(state)) return;
	bool has_result = scan_find(result, "finalResult", &final) && final.type == SCAN_OBJECT;
	int64_t now = clock_wall_ms();
	bool is_taken_so = state == FLOW_COMPLETED
		? flow_session_led_complete(session, has_result ? final.text : SLICE_NONE, SLICE_NONE, now, &refusal)
		: state == FLOW_CANCELLED && flow_session_cancel(session, SLICE("by its server"), now, &refusal);
	if (!is_taken_so) flow_session_fail(session, "its server says that it failed", now);
	flow_led_over(led);
}

static void take_cancelled(struct flow_led *led, struct slice reason) {
	struct flow_refusal refusal;
	if (led->entry->is_over) return;
	(void)!flow_session_cancel(led->entry->session, reason, clock_wall_ms(), &refusal);
	flow_led_over(led);
}

static void take(struct flow_led *led, const struct led_request *request, const struct scan_value *result,
	struct flow_refusal *refusal) {
	if (request->method == FLOW_METHOD_RESPOND) take_response(led, request, result, refusal);
	else if (request->method == FLOW_METHOD_CANCEL)
		take_cancelled(led, SLICE("cancelled by its client"));
	else
		take_state(led, result);
}

/* A session that its server does not know any more is over. */
static void take_error(struct flow_led *led, const struct hosted_answer *answer_) {
	bool is_gone = answer_->code == FLOW_SESSION_NOT_FOUND || answer_->code == FLOW_SESSION_EXPIRED;
	if (is_gone && !led->entry->is_over) flow_led_fail(led, "its server does not know the session any more", false);
}

/* A server that is silent leads nothing; one that is cancelled needs not answer. True: that was an answer. */
static bool take_silence(struct flow_led *led, const struct led_request *request, const struct fault *why) {
	bool is_cancel = request->method == FLOW_METHOD_CANCEL && !led->entry->is_over;
	if (is_cancel) take_cancelled(led, SLICE("cancelled by its client"));
	else if (request->method == FLOW_METHOD_RESPOND && why->code == FAULT_TIMEOUT && !led->entry->is_over)
		flow_led_fail(led, "its server did not answer in time", true);
	return is_cancel;
}

/* What is over stays so, whatever its server says later. */
static void answer_state(struct mgp_ask *ask, const struct flow_led *led) {
	const struct flow_session *session = led->entry->session;
	AUTO_TEXT struct text result = {0};
	text_init(&result, 0);
	flow_write_state(&result, session, slice_of(session->id));
	mgp_ask_answer(ask, &result);
}

static void answered(struct hosted_ask *hosted, const struct hosted_answer *answer_, const struct fault *why) {
	struct led_request *request = CONTAINER_OF(hosted, struct led_request, hosted);
	struct flow_led *led = request->led;
	struct flow_refusal refusal = {0};
	const struct scan_value cancelled = {.text = SLICE("{\"cancelled\":true}"), .type = SCAN_OBJECT};
	struct scan_value result = cancelled;
	bool is_error = answer_ && !answer_->result.bytes;
	if (why) flow_led_read_fault(why, &refusal);
	if (why && take_silence(led, request, why)) refusal.code = 0;
	else if (is_error)
		take_error(led, answer_);
	else if (!why && read_answer(answer_, &result, &refusal))
		take(led, request, &result, &refusal);
	enum flow_method method = request->method;
	struct mgp_ask *ask = request_end(request);
	if (!ask) return;
	if (is_error) flow_led_refuse_as_server(ask, led, answer_);
	else if (refusal.code)
		flow_led_refuse(ask, led, &refusal);
	else if (method == FLOW_METHOD_GET_STATE && led->entry->is_over && !flow_state_is_over(state_of(&result)))
		answer_state(ask, led);
	else
		answer(ask, led, &result);
}

static const struct hosted_ask_events request_events = {.answered = answered};

/* The ask's params, toward the server. False: answered. */
static bool forward(struct mgp_ask *ask, struct flow_led *led, enum flow_method method) {
	struct hosted *hosted = hosted_find(led->means->servers, slice_of(led->entry->session->server));
	struct flow_refusal refusal = {0};
	struct fault why = {.code = FAULT_NO_MEMORY, .text = "no memory for another request: try again"};
	AUTO_TEXT struct text params = {0};
	text_init(&params, 0);
	flow_write_renamed(&params, &ask->params, slice_of(led->id));
	struct led_request *request = NULL;
	if (led->request_count >= FLOW_LED_REQUESTS)
		fault_set(&why, FAULT_FULL, "%d requests of this session wait for its server already: wait for their answers", FLOW_LED_REQUESTS);
	else if (!text_failed(&params))
		request = request_make(led, ask, method, &request_events, text_slice(&params));
	if (request && hosted_ask_start(hosted, &request->hosted, &why)) return true;
	if (request) (void)request_end(request);
	flow_led_read_fault(&why, &refusal);
	if (refusal.code == FLOW_LIMIT) refusal.type = "too_many_requests";
	flow_led_refuse(ask, led, &refusal);
	return false;
}

static bool is_there(const struct flow_led *led) { return led && led->id && led->talk.child; }

/* Asked again with every answer: what was free of questions when it began may not be any more. */
static bool may_go_on(struct mgp_ask *ask, const struct flow_entry *entry, struct flow_refusal *refusal) {
	struct slice name = slice_of(entry->session->tool);
	struct hosted *hosted = hosted_find(ask->means->servers, slice_of(entry->session->server));
	if (!hosted)
		return flow_refuse(refusal, FLOW_INVALID_PARAMS, "unknown_tool", "the session's tool is not there any more: cancel it");
	if (!flow_asked_may(ask, hosted, name, refusal)) return false;
	const struct tool *tool = flow_asked_tool(ask, hosted, name, refusal);
	if (!tool) return false;
	if (call_guided_may(governed_of(hosted), tool, ask->asker.principal)) return true;
	return flow_refuse(refusal, FLOW_INVALID_PARAMS, "not_led",
		"calls of this tool are looked at now, and its server leads it no more: begin the session again");
}

void flow_led_respond(struct mgp_ask *ask, struct flow_entry *entry) {
	struct flow_led *led = flow_led_of(entry);
	struct flow_refusal refusal = {0};
	struct slice id = slice_of(entry->session->id);
	if (!is_there(led))
		(void)flow_refuse(&refusal, FLOW_INVALID_TRANSITION, NULL, "the session is %s: nothing is asked", flow_state_word(entry->session->state));
	else if (ask->params.text.length > FLOW_DATA)
		(void)flow_refuse(&refusal, FLOW_INVALID_PARAMS, "too_large", "an answer is at most %zu octets", FLOW_DATA);
	else if (!entry->is_over && !may_go_on(ask, entry, &refusal) && refusal.code != FLOW_INTERNAL)
		flow_led_fail(led, refusal.message, true);
	if (refusal.code) flow_asked_refuse(ask, &refusal, id);
	else
		(void)forward(ask, led, FLOW_METHOD_RESPOND);
}

/* False: the book answers. The server of who may not use it any more hears of the end from the book's own. */
bool flow_led_cancel(struct mgp_ask *ask, struct flow_entry *entry) {
	struct flow_led *led = flow_led_of(entry);
	struct flow_refusal refusal;
	if (!is_there(led) || (!entry->is_over && !flow_led_may(led, &refusal))) return false;
	(void)forward(ask, led, FLOW_METHOD_CANCEL);
	return true;
}

/* False: the book answers, with what was taken while it was allowed. */
bool flow_led_get_state(struct mgp_ask *ask, struct flow_entry *entry) {
	struct flow_led *led = flow_led_of(entry);
	struct flow_refusal refusal = {0};
	if (!is_there(led) || entry->session->state == FLOW_ERROR) return false;
	if (!flow_led_may(led, &refusal)) {
		if (!entry->is_over) flow_led_fail(led, refusal.message, true);
		return false;
	}
	(void)forward(ask, led, FLOW_METHOD_GET_STATE);
	return true;
}
