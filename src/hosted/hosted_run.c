/* SPDX-License-Identifier: Apache-2.0 */
/* Hosted run: an ask on its way: waits for a conversation, is served by it, ends once. */
#include "hosted/hosted_parts.h"

#include "mcp/mcp_modern.h"

#include <stdlib.h>

/* ---- Beginning and end ---- */

static bool keep(struct hosted_run *run, struct slice words, struct slice *kept) {
	*kept = SLICE_NONE;
	return !words.bytes || arena_copy(&run->words, words, kept);
}

/* Into the line of those who wait, and out of it. */
static void line_up(struct hosted_run *run) {
	run->octets = run->ask->params.length > run->params.length ? run->ask->params.length : run->params.length;
	run->hosted->waiting_count++;
	run->hosted->waiting_octets += run->octets;
}

static void leave_line(struct hosted_run *run) {
	list_remove(&run->link);
	run->hosted->waiting_count--;
	run->hosted->waiting_octets -= run->octets;
}

static void enter_child(struct hosted_run *run, struct hosted_child *child) {
	run->child = child;
	run->is_askable = hosted_pool_is_askable(run);
	list_append(&child->runs, &run->link);
	child->askable_count += run->is_askable;
	child->held_count += run->is_held;
	child->run_count++;
	run->hosted->run_count++;
	hosted_child_flow(child);
}

static void leave_child(struct hosted_run *run) {
	struct hosted_child *child = TAKE(run->child);
	list_remove(&run->link);
	child->askable_count -= run->is_askable;
	child->held_count -= run->is_held;
	child->run_count--;
	run->hosted->run_count--;
	hosted_child_flow(child);
	hosted_child_idle(child);
}

void hosted_run_free(struct hosted_run *run) {
	if (run->is_gone) *run->is_gone = true;
	deadline_clear(&run->deadline);
	hosted_halt_finish(run);
	hosted_questions_end(run);
	if (run->child) leave_child(run);
	else leave_line(run);
	/* A place may have become free; at the end of this pass it is given to who waits. */
	if (!list_is_empty(&run->hosted->waiting) || run->hosted->supervisor.state == HOSTED_DRAINING)
		hosted_settle_later(run->hosted);
	arena_finish(&run->words);
	text_finish(&run->state);
	text_finish(&run->responses);
	text_finish(&run->streamed);
	free(run);
}

void hosted_run_end(struct hosted_run *run, const struct hosted_answer *answer,
	const struct fault *why) {
	struct hosted_ask *ask = run->ask;
	if (run->halt.stopped) {
		hosted_halt_end(run, answer, why);
		return;
	}
	ask->run = NULL;
	hosted_run_free(run);
	ask->events->answered(ask, answer, why);
}

static struct hosted_run *run_make(struct hosted *hosted, struct hosted_ask *ask,
	struct fault *why) {
	struct hosted_run *run = calloc(1, sizeof *run);
	if (!run) return fault_null(why, FAULT_NO_MEMORY, "no memory for another request");
	run->hosted = hosted;
	run->ask = ask;
	arena_init(&run->words, run->lent, sizeof run->lent, 0);
	text_init(&run->state, 0);
	text_init(&run->responses, 0);
	text_init(&run->streamed, HOSTED_PARTIAL);
	list_init(&run->questions);
	list_append(&hosted->waiting, &run->link);
	run->params = ask->params;
	line_up(run);
	if (keep(run, ask->method, &run->method) && keep(run, ask->principal, &run->principal) &&
		keep(run, ask->session, &run->session) && keep(run, ask->client_info, &run->client_info) &&
		keep(run, ask->log_level, &run->log_level))
		return run;
	hosted_run_free(run);
	return fault_null(why, FAULT_NO_MEMORY, "no memory for another request");
}

static bool keep_params(struct hosted_run *run, struct fault *why) {
	run->has_params = true;
	return keep(run, run->ask->params, &run->params) ||
		fault_set(why, FAULT_NO_MEMORY, "no memory for another request");
}

void hosted_run_give_up(struct hosted_run *run, struct slice reason) {
	if (!run->call) return;
	struct peer_call *call = TAKE(run->call);
	hosted_pool_haunt(run->child, run->session);
	if (!run->ask->is_awaited || !hosted_talk_await(run->child, call)) peer_cancel(call, reason);
}

static void overdue(struct deadline *deadline) {
	struct hosted_run *run = CONTAINER_OF(deadline, struct hosted_run, deadline);
	struct fault why;
	fault_set(&why, FAULT_TIMEOUT, run->child ? "server %s did not answer in time" : "server %s had no place in time", run->hosted->setup.of.id);
	hosted_run_give_up(run, SLICE("no answer in time"));
	hosted_run_end(run, NULL, &why);
}

void hosted_ask_extend(struct hosted_ask *ask, uint64_t deadline_ms) {
	struct hosted_run *run = ask->run;
	if (!run || run->halt.stopped) return;
	uint64_t patience = deadline_ms ? deadline_ms : run->hosted->setup.of.call_ms;
	if (run->is_unhurried) run->left_ms = patience;
	else if (patience == UINT64_MAX) deadline_clear(&run->deadline);
	else deadline_set(run->hosted->servers->loop, &run->deadline, patience, overdue);
}

/* ---- Serving ---- */

/* It goes to the next conversation, once. */
static void wait_again(struct hosted_run *run) {
	struct hosted *hosted = run->hosted;
	run->is_second = true;
	hosted_run_hurry(run); /* the next conversation is read */
	leave_child(run);
	list_prepend(&hosted->waiting, &run->link);
	line_up(run);
	hosted_settle_later(hosted);
}

/* Reading twice does no harm; a call may have had its effect. */
static bool only_reads(const struct hosted_run *run) {
	return slice_is(run->method, "resources/read") || slice_is(run->method, "prompts/get") ||
		slice_is(run->method, "completion/complete");
}

/* The conversation is lost. FAULT_NOT_READY: the server has not looked at the request. */
static bool may_ask_again(const struct hosted_run *run, const struct fault *why) {
	if (!run->has_params || run->is_second || run->halt.stopped || run->rounds || run->hosted->is_removed) return false;
	return list_is_empty(&run->questions) && (why->code == FAULT_NOT_READY || only_reads(run));
}

static void answered(void *context, const struct peer_reply *reply, const struct fault *why) {
	struct hosted_run *run = context;
	struct hosted_answer answer = {.lacking = run->lacking};
	struct fault own;
	run->call = NULL;
	if (why && may_ask_again(run, why)) {
		wait_again(run);
		return;
	}
	if (why) {
		own = *why;
		hosted_run_end(run, NULL, &own);
		return;
	}
	supervisor_answered(run->hosted);
	answer.result = reply->result;
	answer.code = reply->code;
	answer.message = reply->message;
	answer.data = reply->data;
	if (run->halt.stopped) {
		if (!hosted_halt_keep(run, &answer)) hosted_run_end(run, &answer, NULL);
		return;
	}
	struct scan_value result = {.text = reply->result,
		.type = reply->result.length && reply->result.bytes[0] == '{' ? SCAN_OBJECT : SCAN_NONE};
	if (run->era != HOSTED_MODERN || run->ask->takes_input || !mcp_modern_wants_input(&result))
		hosted_run_end(run, &answer, NULL);
	else if (!hosted_run_wants(run, &result, &own))
		hosted_run_end(run, NULL, &own);
}

struct hosted_run *hosted_run_find(const struct hosted_child *child, const struct scan_value *id) {
	return child->peer ? peer_call_context(child->peer, id, answered) : NULL;
}

static void progressed(void *context, const struct scan_value *params) {
	struct hosted_run *run = context;
	run->ask->events->progressed(run->ask, params);
}

static void write_abilities(struct text *to, unsigned abilities, unsigned mgp) {
	text_add_char(to, '{');
	if (mgp) {
		hosted_child_write_mgp(to, mgp);
		text_add_char(to, ',');
	}
	if (abilities & (HOSTED_CAN_FORM | HOSTED_CAN_URL)) {
		text_add_cstr(to, "\"elicitation\":{");
		if (abilities & HOSTED_CAN_FORM) text_add_cstr(to, "\"form\":{}");
		if (abilities & HOSTED_CAN_URL) text_add_cstr(to, abilities & HOSTED_CAN_FORM ? ",\"url\":{}" : "\"url\":{}");
		text_add_cstr(to, "},");
	}
	if (abilities & HOSTED_CAN_SAMPLE)
		text_add_cstr(to, abilities & HOSTED_CAN_SAMPLE_TOOLS ? "\"sampling\":{\"tools\":{}}," : "\"sampling\":{},");
	if (abilities & HOSTED_CAN_ROOTS) text_add_cstr(to, "\"roots\":{},");
	if (to->length > 1) to->bytes[to->length - 1] = '}';
	else text_add_char(to, '}');
}

/* A legacy server is told the level once, and not by every request. */
static void set_level(struct hosted_run *run) {
	struct hosted_child *child = run->child;
	if (child->era != HOSTED_LEGACY || !run->log_level.length ||
		run->log_level.length >= sizeof child->log_level || slice_is(run->log_level, child->log_level) ||
		!hosted_offers(run->hosted, HOSTED_LEGACY, "logging", NULL))
		return;
	hosted_child_set_level(child, run->log_level);
}

static bool send_run(struct hosted_run *run, struct slice params, struct fault *why) {
	AUTO_TEXT struct text capabilities = {0};
	text_init(&capabilities, 0);
	if (run->era == HOSTED_MODERN) write_abilities(&capabilities, run->ask->abilities, run->child->mgp);
	if (text_failed(&capabilities)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	const struct mcp_modern_meta meta = {
		.capabilities = text_slice(&capabilities),
		.client_info = run->client_info.length ? run->client_info : SLICE(HOSTED_CLIENT_INFO),
		.log_level = run->log_level,
	};
	const struct peer_request request = {
		.method = run->method,
		.params = params,
		.deadline_ms = UINT64_MAX, /* the deadline is the run's, since a question may extend it */
		.answered = answered,
		.progressed = run->ask->events->progressed ? progressed : NULL,
		.context = run,
	};
	run->call = hosted_child_ask(run->child, &request, &meta, why);
	return run->call != NULL;
}

static bool begin(struct hosted_run *run, struct hosted_child *child, struct fault *why) {
	bool is_kept = run->hosted->setup.of.url || only_reads(run) ||
		(child->era == HOSTED_MODERN && !run->ask->takes_input);
	if (is_kept && !run->has_params && !keep_params(run, why)) return false;
	if (!child->session || !slice_is(run->session, child->session)) {
		char *session = slice_copy(run->session);
		if (!session) return fault_set(why, FAULT_NO_MEMORY, "no memory for another request");
		free(child->session);
		child->session = session;
	}
	leave_line(run);
	enter_child(run, child);
	if (run->ask->talk) hosted_talk_join(run->ask->talk, child);
	deadline_clear(&child->deadline);
	set_level(run);
	return send_run(run, run->params, why);
}

bool hosted_run_again(struct hosted_run *run, struct fault *why) {
	AUTO_TEXT struct text params = {0};
	if (run->halt.stopped) return true; /* its end is on the way */
	text_init(&params, 0);
	mcp_modern_write_retry(&params, run->params, text_slice(&run->responses),
		text_slice(&run->state));
	if (text_failed(&params)) return fault_set(why, FAULT_NO_MEMORY, "no memory for a request");
	return send_run(run, text_slice(&params), why);
}

/* ---- Waiting ---- */

void hosted_runs_place(struct hosted *hosted) {
	struct link batch;
	struct fault why;
	list_init(&batch);
	list_move(&batch, &hosted->waiting);
	for (struct link *link; (link = list_pop(&batch));) {
		struct hosted_run *run = CONTAINER_OF(link, struct hosted_run, link);
		list_append(&hosted->waiting, &run->link); /* in the old order; until it is placed */
		if (run->halt.stopped) continue;
		struct hosted_child *child = hosted_pool_place(run, &why);
		if (child ? begin(run, child, &why) : why.code == FAULT_NONE) continue;
		hosted_run_end(run, NULL, &why);
	}
}

void hosted_runs_fail(struct hosted *hosted, enum hosted_era era, const char *principal,
	const struct fault *why) {
	struct link batch;
	struct fault own = *why;
	list_init(&batch);
	list_move(&batch, &hosted->waiting);
	for (struct link *link; (link = list_pop(&batch));) {
		struct hosted_run *run = CONTAINER_OF(link, struct hosted_run, link);
		list_append(&hosted->waiting, &run->link);
		if (era != HOSTED_ERAS && hosted->is_known && hosted_era_for(hosted, run->ask->era) != era) continue;
		if (principal && !slice_is(run->principal, principal)) continue;
		hosted_run_end(run, NULL, &own);
	}
}

/* ---- Asks ---- */

static bool has_room(const struct hosted_run *run) {
	const struct hosted *hosted = run->hosted;
	size_t own = 0;
	if (hosted->waiting_count > HOSTED_WAITING || hosted->waiting_octets > HOSTED_WAITING_OCTETS)
		return false;
	if (hosted->waiting_count <= HOSTED_WAITING_OF_ONE) return true;
	LIST_EACH(link, &hosted->waiting)
		own += slice_equal(CONTAINER_OF(link, struct hosted_run, link)->principal, run->principal);
	return own <= HOSTED_WAITING_OF_ONE;
}

static bool enter(struct hosted_run *run, struct fault *why) {
	struct hosted *hosted = run->hosted;
	struct hosted_child *child = NULL;
	struct fault own = {.code = FAULT_NONE};
	/* Whoever came earlier goes first. */
	if (hosted->waiting_count == 1) child = hosted_pool_place(run, &own);
	if (own.code) {
		if (why) *why = own;
		return false;
	}
	if (child) return begin(run, child, why);
	if (!has_room(run))
		return fault_set(why, FAULT_FULL, "too many requests wait for server %s already: try again later",
			hosted->setup.of.id);
	hosted_settle_later(hosted);
	return keep_params(run, why);
}

bool hosted_ask_start(struct hosted *hosted, struct hosted_ask *ask, struct fault *why) {
	ask->run = NULL;
	if (!supervisor_may_wait(hosted, why)) return false;
	struct hosted_run *run = run_make(hosted, ask, why);
	if (!run) return false;
	if (!enter(run, why)) {
		hosted_run_free(run);
		return false;
	}
	ask->run = run;
	if (!run->has_params) run->params = SLICE_NONE;
	hosted_ask_extend(ask, ask->deadline_ms);
	return true;
}

void hosted_ask_cancel(struct hosted_ask *ask, const char *reason) {
	struct hosted_run *run = TAKE(ask->run);
	if (!run) return;
	hosted_run_give_up(run, slice_of(reason));
	hosted_run_free(run);
}
