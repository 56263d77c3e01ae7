/* SPDX-License-Identifier: Apache-2.0 */
/* Call: begun, sent on, answered once. */
#include "kernel/call.h"

#include "kernel/call_answer.h"
#include "kernel/call_audit.h"
#include "kernel/call_events.h"
#include "kernel/call_callback.h"
#include "kernel/call_figures.h"
#include "kernel/call_gates.h"
#include "kernel/call_missing.h"
#include "kernel/call_params.h"
#include "kernel/call_retry.h"
#include "kernel/call_rounds.h"
#include "kernel/tool_sessions.h"
#include "mcp/mcp_reply.h"
#include "mcp/mgp_callback.h"
#include "mcp/mgp_chunk.h"

#include <stdlib.h>

#define NOTHING SLICE("{\"content\":[]}") /* of a call that was stopped before it had done anything */

static const struct fault no_memory = {.code = FAULT_NO_MEMORY, .text = "no memory for the answer: try again"};

static void send_on(struct call *call);
static void end_later(struct call *call, task_fn *how);

static struct call *call_of(struct hosted_ask *inner) { return CONTAINER_OF(inner, struct call, inner); }

/* ---- The end ---- */

static void leave_usage(struct call *call) {
	if (TAKE(call->is_counted)) usage_leave(call->governed->usage, call->asker.principal);
}

/* It counts no more, and nobody finds it. */
static void retire(struct call *call) {
	call_stop_waiting(call);
	call_missing_stop(call);
	call_callbacks_end(call);
	leave_usage(call);
	call_figures_leave(call);
	list_remove(&call->link);
	call->governed->call_count--;
}

static void call_free(struct call *call) {
	if (call->is_gone) *call->is_gone = true;
	validator_report_finish(&call->report);
	call_missing_free(call);
	arena_finish(&call->arena);
	free(call);
}

/* The answer may remove whatever the call knew: it is not looked at afterwards. */
static void finish(struct call *call, const struct hosted_answer *answer, const struct fault *why) {
	struct hosted_ask *outer = TAKE(call->outer);
	hosted_stopped *stopped = TAKE(call->stopped);
	void *context = call->stop_context;
	outer->call = NULL;
	retire(call);
	outer->events->answered(outer, answer, why);
	call_free(call);
	if (stopped) stopped(context, SLICE_NONE); /* it has ended by itself */
}

static void finish_refused(struct call *call) {
	AUTO_TEXT struct text words = {0}, data = {0};
	struct hosted_answer answer;
	text_init(&words, 0);
	text_init(&data, 0);
	call_audit_refusal(call);
	call_answer_refusal(call, &words, &data, &answer);
	if (text_failed(&words) || text_failed(&data)) finish(call, NULL, &no_memory);
	else finish(call, &answer, NULL);
}

static void finish_task(struct task *task) { finish_refused(CONTAINER_OF(task, struct call, ending)); }

static void refused(struct call *call) { end_later(call, finish_task); }

/* It could not be copied: nobody looks at it any more. */
static void forget_lent(struct call *call) {
	leave_usage(call);
	call->asker.principal = call->asker.session = call->asker.kind = call->asker.topic = call->name = SLICE_NONE;
}

static void end_later(struct call *call, task_fn *how) {
	struct fault why;
	if (call->is_started) {
		how(&call->ending);
		return;
	}
	/* What the asker lent is good until call_start() returns, and the records name it. */
	if (!call_keep(call, &why)) forget_lent(call);
	loop_later(call->governed->means->loop, &call->ending, how);
}

/* ---- Back from the server ---- */

/* In the asker's tongue, whatever was lost on the way. */
static void finish_failed(struct call *call, int64_t code, struct slice sentence) {
	AUTO_TEXT struct text words = {0}, data = {0};
	struct hosted_answer answer;
	text_init(&words, 0);
	text_init(&data, 0);
	(void)call_refuse(call, code, "%.*s", SLICE_ARGS(sentence));
	call_answer_refusal(call, &words, &data, &answer);
	if (text_failed(&words) || text_failed(&data)) finish(call, NULL, &no_memory);
	else finish(call, &answer, NULL);
}

static void fail(struct call *call, const struct fault *why) {
	int64_t code = call_answer_code(call, why);
	call_audit_end(call, AUDIT_FAILED, code);
	if (code && (call->is_tool || call->asker.mgp.is_active)) finish_failed(call, code, slice_of(why->text));
	else finish(call, NULL, why);
}

/* What was allowed when it began may be so no more. */
static void try_again(struct deadline *deadline) {
	struct call *call = CONTAINER_OF(deadline, struct call, again);
	call->at = 0;
	call_resume(call);
}

/* The other tool passes the same gates. */
static bool fall_back(struct call *call, struct slice fallback) {
	struct slice instead_of = call->name;
	struct fault why;
	if (!call_params_rename(call, fallback, &why)) return false;
	call->fallback_of = instead_of;
	call->tries = 0;
	call->at = 0;
	call->risk = call->validator = call->decision = NULL;
	call->is_validated = call->was_approved = call->is_marked = call->has_listed = call->is_repeatable = false;
	leave_usage(call);
	call_resume(call);
	return true;
}

static bool goes_on(struct call *call, const struct hosted_answer *answer) {
	uint64_t pause_ms = 0;
	struct slice fallback = SLICE_NONE;
	switch (call_retry(call, answer, &pause_ms, &fallback)) {
	case CALL_RETRY_LATER:
		call_audit_retry(call, answer->code, pause_ms, SLICE_NONE);
		deadline_set(call->governed->means->loop, &call->again, pause_ms, try_again);
		return true;
	case CALL_RETRY_OTHER:
		call_audit_retry(call, answer->code, 0, fallback);
		return fall_back(call, fallback);
	default: return false;
	}
}

static void answered(struct hosted_ask *inner, const struct hosted_answer *answer,
	const struct fault *why) {
	struct call *call = call_of(inner);
	struct fault own;
	call_callbacks_end(call);
	if (why) {
		own = *why;
		fail(call, &own);
		return;
	}
	/* What was said in part is not said again from its beginning, and nobody is asked the same twice. */
	if (call->tries && !call->was_stopped && !call->chunks && !call->has_asked && goes_on(call, answer)) return;
	int64_t upstream = call_answer_upstream(call, answer);
	if (upstream && (call->is_tool || call->asker.mgp.is_active)) {
		call_audit_end(call, AUDIT_FAILED, upstream);
		finish_failed(call, upstream, answer->message);
		return;
	}
	bool is_fine = answer->result.bytes && !mcp_reply_is_error(answer->result);
	call_rounds_note(call->governed->means->call_rounds, call, answer->result);
	bool has_begun = call->is_guided && answer->result.bytes; /* a session, whose end it has */
	if (!has_begun)
		call_audit_end(call, call->is_stopped ? AUDIT_CANCELLED : is_fine ? AUDIT_SUCCESS
										  : AUDIT_FAILED,
			answer->result.bytes ? 0 : answer->code);
	AUTO_TEXT struct text words = {0}, data = {0}, outcome = {0};
	struct hosted_answer shown = *answer;
	text_init(&words, 0);
	text_init(&data, 0);
	text_init(&outcome, 0);
	call_answer_outcome(call, &outcome, &shown);
	call_answer_plain(call, &words, &data, &shown);
	finish(call, &shown, NULL);
}

static void progressed(struct hosted_ask *inner, const struct scan_value *params) {
	struct hosted_ask *outer = call_of(inner)->outer;
	outer->events->progressed(outer, params);
}

static void questioned(struct hosted_ask *inner, struct hosted_question *question, struct slice method,
	const struct scan_value *params) {
	struct call *call = call_of(inner);
	call->has_asked = true;
	if (call_callback_asked(call, question, method, params)) return;
	call->outer->events->questioned(call->outer, question, method, params);
}

static void withdrawn(struct hosted_ask *inner, struct hosted_question *question) {
	struct hosted_ask *outer = call_of(inner)->outer;
	bool is_known = call_callback_withdrawn(call_of(inner), question);
	if (is_known && outer->events->withdrawn) outer->events->withdrawn(outer, question);
}

static void told(struct hosted_ask *inner, struct slice method, const struct scan_value *params) {
	struct hosted_ask *outer = call_of(inner)->outer;
	if (slice_is(method, MGP_CALLBACK_REQUEST)) call_callback_told(call_of(inner), params);
	else if (outer->events->told)
		outer->events->told(outer, method, params);
}

/* Chunks go to who asked for them alone; progress to everybody who can be told of it. */
static void streamed(struct hosted_ask *inner, struct slice method, const struct scan_value *params) {
	struct call *call = call_of(inner);
	bool is_chunk = slice_is(method, MGP_CHUNK_METHOD);
	if (is_chunk && !call->wants_stream) return;
	call->chunks += is_chunk;
	call->outer->events->streamed(call->outer, method, params);
}

/* What the asker does not want is not asked of the server either. */
static void choose_events(struct call *call, const struct hosted_ask_events *outer) {
	call->events = (struct hosted_ask_events){
		.answered = answered,
		.progressed = outer->progressed ? progressed : NULL,
		.questioned = questioned,
		.withdrawn = withdrawn,
		.streamed = outer->streamed ? streamed : NULL,
		.told = told,
	};
}

/* ---- On to the server ---- */

static void fail_task(struct task *task) {
	struct call *call = CONTAINER_OF(task, struct call, ending);
	struct fault why = no_memory;
	if (call->is_kept && hosted_ask_start(call->hosted, &call->inner, &why)) return;
	fail(call, &why);
}

static void send_on(struct call *call) {
	struct fault why;
	call->tries++;
	call_events_started(call);
	if (!(call->is_repeatable ? call_keep(call, &why) : call_keep_names(call, &why))) {
		if (call->is_started) fail(call, &why);
		else end_later(call, fail_task);
		return;
	}
	if (hosted_ask_start(call->hosted, &call->inner, &why)) return;
	if (call->is_started) fail(call, &why);
	else end_later(call, fail_task);
}

/* It stands in the asker's context from now on (MGP 16.7). */
static void note_use(const struct call *call) {
	const struct governed *governed = call->governed;
	enum hosted_era era = hosted_era_for(call->hosted, call->inner.era);
	const struct tool *tool = call->is_tool ? tools_find(governed->tools[era], call->name, NULL) : NULL;
	if (tool)
		tool_sessions_use(governed->means->tool_sessions, &call->asker, hosted_id(call->hosted), tool->name, tool->definition.length);
}

static void passed(struct call *call) {
	struct fault why;
	note_use(call);
	if (call_params_settle(call, &why)) {
		send_on(call);
		return;
	}
	(void)call_refuse(call, MGP_RESOURCE_EXHAUSTED, "%s", why.text);
	refused(call);
}

/* ---- The beginning ---- */

static struct call *make(struct governed *governed, const struct call_asker *asker,
	struct hosted_ask *ask, struct fault *why) {
	struct call *call = malloc(sizeof *call);
	if (!call) return fault_null(why, FAULT_NO_MEMORY, "no memory for another request: try again");
	memset(call, 0, offsetof(struct call, lent));
	arena_init(&call->arena, call->lent, sizeof call->lent, 0);
	call->governed = governed;
	call->hosted = governed->hosted;
	call->asker = *asker;
	call->outer = ask;
	call->inner = *ask;
	call->inner.run = NULL;
	call->inner.call = NULL;
	call->inner.context = call;
	choose_events(call, ask->events);
	call->inner.events = &call->events;
	call->deadline_ms = ask->deadline_ms ? ask->deadline_ms : governed->policy.call_timeout_ms;
	call->inner.deadline_ms = call->deadline_ms;
	call->began_at = loop_now(governed->means->loop);
	call->is_tool = slice_is(ask->method, "tools/call");
	call->is_guided = slice_is(ask->method, "interaction.start");
	call->gates = call->is_tool ? call_gates : call->is_guided ? guided_gates
								   : ask_gates;
	call->counted_gates = call_gates;
	call->passed = passed;
	call->refused = refused;
	call_figures_begin(call);
	call_callbacks_begin(call);
	list_append(&governed->calls, &call->link);
	governed->call_count++;
	return call;
}

bool call_start(struct hosted *hosted, const struct call_asker *asker, struct hosted_ask *ask,
	struct fault *why) {
	struct governed *governed = governed_of(hosted);
	ask->call = NULL;
	if (!governed && !hosted_is_governed(hosted)) return hosted_ask_start(hosted, ask, why);
	if (!governed || governed->is_ending)
		return fault_set(why, FAULT_NOT_READY, "server %.*s cannot be used now", SLICE_ARGS(hosted_id(hosted)));
	if (governed->call_count >= CALLS_OPEN)
		return fault_set(why, FAULT_FULL, "too many requests are under way: try again later");
	struct call *call = make(governed, asker, ask, why);
	if (!call) return false;
	ask->call = call;
	call_resume(call);
	call->is_started = true;
	return true;
}

void call_cancel(struct hosted_ask *ask, const char *reason) {
	struct call *call = TAKE(ask->call);
	if (!call) {
		hosted_ask_cancel(ask, reason);
		return;
	}
	hosted_stopped *stopped = TAKE(call->stopped);
	void *context = call->stop_context;
	call->outer = NULL;
	hosted_ask_cancel(&call->inner, reason);
	if (call->refusal.code) call_audit_refusal(call); /* it was about to be told so */
	else call_audit_end(call, AUDIT_CANCELLED, 0);
	retire(call);
	call_free(call);
	if (stopped) stopped(context, NOTHING);
}

/* ---- Stopped (MGP 12.7) ---- */

/* False: the call was given up meanwhile. */
static bool tell_stopped(struct call *call, struct slice partial) {
	hosted_stopped *stopped = TAKE(call->stopped);
	bool is_gone = false, *outer = call->is_gone;
	call->is_stopped = partial.bytes != NULL;
	if (!stopped) return true;
	call->is_gone = &is_gone;
	stopped(call->stop_context, partial);
	if (!is_gone) call->is_gone = outer;
	else if (outer) *outer = true;
	return !is_gone;
}

/* The server has been stopped, or has answered before; its answer follows. */
static void inner_stopped(void *context, struct slice partial) { (void)tell_stopped(context, partial); }

/* It stood at a gate, or waited to be asked again. */
static void stop_here(struct task *task) {
	struct call *call = CONTAINER_OF(task, struct call, ending);
	bool is_modern = call->inner.era == HOSTED_MODERN &&
		hosted_era_for(call->hosted, HOSTED_MODERN) == HOSTED_MODERN;
	const struct hosted_answer answer = {
		.result = is_modern ? SLICE("{\"resultType\":\"complete\",\"content\":[],\"_mgp\":{\"cancelled\":true}}")
				    : SLICE("{\"content\":[],\"_mgp\":{\"cancelled\":true}}"),
	};
	if (!tell_stopped(call, NOTHING)) return;
	call_audit_end(call, AUDIT_CANCELLED, 0);
	finish(call, &answer, NULL);
}

bool call_stop(struct hosted_ask *ask, struct slice reason, hosted_stopped *stopped, void *context) {
	struct call *call = ask->call;
	if (!call) return hosted_ask_stop(ask, reason, stopped, context);
	if (call->was_stopped || call->refusal.code) return false; /* its end is on the way */
	call->was_stopped = true;
	call->stopped = stopped;
	call->stop_context = context;
	if (!call->inner.run) {
		call_stop_waiting(call);
		call_missing_stop(call);
		loop_later(call->governed->means->loop, &call->ending, stop_here);
		return true;
	}
	if (hosted_ask_stop(&call->inner, reason, inner_stopped, call)) return true;
	call->stopped = NULL;
	return false;
}

void call_hold_back(struct hosted_ask *ask, bool is_behind) {
	hosted_ask_hold(ask->call ? &ask->call->inner : ask, is_behind);
}

void call_extend(struct hosted_ask *ask, uint64_t deadline_ms) {
	struct call *call = ask->call;
	if (!call) hosted_ask_extend(ask, deadline_ms);
	else hosted_ask_extend(&call->inner, call_callbacks_patience(call, deadline_ms ? deadline_ms : call->deadline_ms));
}

#define ENDS "the gateway ends, and waits for no person: call again when it is back"

static struct call *find_waiting(const struct governed *governed) {
	LIST_EACH(link, &governed->calls) {
		struct call *call = CONTAINER_OF(link, struct call, link);
		bool is_asked = call->waits.decision || call_missing_waits(call) || hosted_ask_waits_for_person(&call->inner);
		if (is_asked && call->is_started && !call->refusal.code && !call->outer->is_unheard) return call;
	}
	return NULL;
}

void calls_drain(struct governed *governed) {
	struct fault why;
	fault_set(&why, FAULT_NOT_READY, ENDS);
	for (struct call *call; (call = find_waiting(governed));) {
		if (call->inner.run) {
			hosted_ask_cancel(&call->inner, why.text);
			fail(call, &why);
			continue;
		}
		call_stop_waiting(call);
		call_missing_stop(call);
		(void)call_refuse(call, MGP_SERVER_DRAINING, "%s", why.text);
		finish_refused(call);
	}
}

bool calls_have(const struct governed *governed, struct slice decision) {
	LIST_EACH(link, &governed->calls) {
		const struct call *call = CONTAINER_OF(link, struct call, link);
		if (call->decision && slice_is(decision, call->decision)) return true;
	}
	return false;
}

void calls_end(struct governed *governed) {
	struct fault why;
	fault_set(&why, FAULT_CLOSED, "server %.*s was removed", SLICE_ARGS(hosted_id(governed->hosted)));
	while (!list_is_empty(&governed->calls)) {
		struct call *call = CONTAINER_OF(governed->calls.next, struct call, link);
		hosted_ask_cancel(&call->inner, why.text);
		fail(call, &why);
	}
}
