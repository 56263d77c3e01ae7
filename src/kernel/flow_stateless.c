/* SPDX-License-Identifier: Apache-2.0 */
/* Flow stateless: from a token to the next. */
#include "kernel/flow_stateless.h"

#include "base/clock.h"

#include <stdlib.h>

/* ---- Tokens ---- */

struct opened {
	struct flow_session *session; /* the caller's to free, or to hand on */
	struct flow_entry *entry;     /* of the same session, where it runs or has run; NULL: none */
	uint8_t spent[SECRET_HASH_SIZE];
	int64_t expires_at;
};

static bool open_token(struct mgp_ask *ask, struct slice token, struct opened *opened, struct flow_refusal *refusal) {
	struct flows *flows = ask->means->flows;
	struct flow_refusal ended = {0};
	*opened = (struct opened){0};
	struct flow_session *session = flow_token_read(token, flows_key(flows), ask->asker.principal, 0, opened->spent, refusal);
	if (!session) return false;
	/* Whoever has the token, and is its principal, goes on with it, in whatever MCP session. */
	opened->session = session;
	opened->expires_at = flow_session_expires_at(session);
	opened->entry = flow_book_find(flows_book(flows), slice_of(session->id), ask->asker.principal,
		session->session ? slice_of(session->session) : SLICE_NONE, &ended);
	bool is_gone = !opened->entry && ended.code != FLOW_SESSION_NOT_FOUND; /* and known as that */
	if (is_gone || opened->expires_at <= clock_wall_ms()) {
		if (is_gone) *refusal = ended;
		else (void)flow_refuse(refusal, FLOW_SESSION_EXPIRED, NULL, "the session has expired: begin another");
		flow_session_free(TAKE(opened->session));
		return false;
	}
	if (!opened->entry && session->state == FLOW_PROCESSING)
		flow_session_fail(session, "the gateway restarted while the tool ran", clock_wall_ms());
	return true;
}

/* A token is good for one step, whatever came of it. */
static bool spend(struct mgp_ask *ask, const struct opened *opened, struct flow_refusal *refusal) {
	struct fault why;
	bool was_new = false;
	if (!flows_spend(ask->means->flows, opened->spent, opened->expires_at, &was_new, &why)) {
		log_write(ask->means->log, LOG_ERROR, "a token of a guided session cannot be noted as used: %s", why.text);
		return flow_refuse(refusal, FLOW_INTERNAL, "not_stored", "the step could not be stored, and was not taken: try again later");
	}
	return was_new ||
		flow_refuse(refusal, FLOW_INVALID_TRANSITION, "stale_token", "that step was taken before: go on with the token that came then");
}

static bool write_token(struct mgp_ask *ask, const struct flow_session *session, struct text *token,
	struct flow_refusal *refusal) {
	struct fault why;
	text_init(token, FLOW_TOKEN);
	if (flow_token_write(token, session, flows_key(ask->means->flows), &why)) return true;
	return flow_refuse(refusal, FLOW_INTERNAL, "too_large", "%s", why.text);
}

/* Takes the session, also where it fails. */
static struct flow_entry *enter(struct mgp_ask *ask, struct flow_session *session, const struct text *token,
	struct flow_refusal *refusal) {
	struct flow_entry *entry = flow_book_add(flows_book(ask->means->flows), session, false, refusal);
	if (!entry || !token) return entry;
	entry->token = slice_copy(text_slice(token));
	if (entry->token) return entry;
	(void)flow_refuse(refusal, FLOW_INTERNAL, "no_memory", "no memory for another session: try again later");
	flow_book_remove(entry, 0);
	return NULL;
}

/* ---- Start ---- */

void flow_stateless_start(struct mgp_ask *ask, struct flow_session *session, struct hosted *hosted) {
	struct flow_refusal refusal = {0};
	AUTO_TEXT struct text token = {0}, result = {0};
	bool runs = session->state == FLOW_PROCESSING, is_fine = write_token(ask, session, &token, &refusal);
	text_init(&result, 0);
	if (is_fine) flow_write_started(&result, session, text_slice(&token));
	if (is_fine && runs) {
		struct flow_entry *entry = enter(ask, session, &token, &refusal);
		if (entry) flow_course_run(ask->means->flows, entry, hosted, &ask->asker);
		is_fine = entry != NULL;
	} else
		flow_session_free(session);
	if (is_fine) mgp_ask_answer(ask, &result);
	else flow_asked_refuse(ask, &refusal, SLICE_NONE);
}

/* ---- Respond ---- */

static bool is_over(const struct opened *opened, struct flow_refusal *refusal) {
	if (!opened->entry) return false;
	(void)flow_refuse(refusal, FLOW_INVALID_TRANSITION, NULL, "the session is %s: nothing is asked",
		flow_state_word(opened->entry->session->state));
	return true;
}

/* One in error is over for good, and kept as that for as long as it would have lived. */
static void end(struct mgp_ask *ask, struct opened *opened, struct flow_refusal *refusal) {
	struct flow_refusal other;
	if (!spend(ask, opened, &other)) *refusal = other;
	else if (!enter(ask, TAKE(opened->session), NULL, &other)) *refusal = other;
}

/* Judged and written down, with the next token; takes opened->session where its tool runs. False: *refusal. */
static bool step(struct mgp_ask *ask, struct opened *opened, const struct flow_response *response,
	const struct flow_place *place, struct text *token, struct text *result, struct flow_refusal *refusal) {
	struct flow_session *session = opened->session;
	struct flow_entry *entry = NULL;
	struct prompt_verdict verdict;
	if (!flow_step_take(session, response, place, &verdict, refusal)) {
		if (flow_state_is_over(session->state)) end(ask, opened, refusal);
		return false;
	}
	if (!write_token(ask, session, token, refusal)) return false;
	flow_write_response(result, &verdict, text_slice(token));
	if (session->state == FLOW_PROCESSING) {
		opened->session = NULL;
		if (!(entry = enter(ask, session, token, refusal))) return false;
	}
	if (!spend(ask, opened, refusal)) {
		if (entry) flow_book_remove(entry, 0);
		return false;
	}
	if (entry) flow_course_run(ask->means->flows, entry, place->hosted, &ask->asker);
	return true;
}

void flow_stateless_respond(struct mgp_ask *ask, struct slice token, const struct flow_response *response,
	void (*go_on)(struct mgp_ask *ask)) {
	struct flow_refusal refusal = {0};
	struct opened opened;
	struct flow_place place = {.waits = false};
	struct flows *flows = ask->means->flows;
	AUTO_TEXT struct text next = {0}, result = {0};
	text_init(&result, 0);
	bool is_waiting = open_token(ask, token, &opened, &refusal) && !is_over(&opened, &refusal);
	if (is_waiting && opened.session->state != FLOW_WAITING_USER) {
		is_waiting = flow_refuse(&refusal, FLOW_INVALID_TRANSITION, NULL, "the session is %s: nothing is asked",
			flow_state_word(opened.session->state));
	}
	bool is_found = is_waiting && flow_step_find(ask, opened.session, &place, go_on, &refusal);
	bool is_taken = is_found && step(ask, &opened, response, &place, &next, &result, &refusal);
	if (is_taken) {
		mgp_ask_answer(ask, &result);
		if (opened.session) flows_push(flows, opened.session, text_slice(&next), FLOW_NEWS_PROMPT);
	} else if (!place.waits)
		flow_asked_refuse(ask, &refusal, SLICE_NONE);
	flow_session_free(opened.session);
}

/* ---- The rest ---- */

/* Of one that waits: what is kept says that it was cancelled, for as long as it would have lived. */
static bool cancel_waiting(struct mgp_ask *ask, struct opened *opened, struct slice reason, struct flow_refusal *refusal) {
	if (!flow_session_cancel(opened->session, reason, clock_wall_ms(), refusal) || !spend(ask, opened, refusal)) return false;
	return enter(ask, TAKE(opened->session), NULL, refusal) != NULL;
}

static bool cancel_running(struct opened *opened, struct slice reason, struct flow_refusal *refusal) {
	if (!flow_session_cancel(opened->entry->session, reason, clock_wall_ms(), refusal)) return false;
	flow_book_settle(opened->entry);
	flows_give_up(opened->entry, "the guided session was cancelled");
	return true;
}

void flow_stateless_cancel(struct mgp_ask *ask, struct slice token) {
	struct flow_refusal refusal = {0};
	struct opened opened;
	AUTO_TEXT struct text result = {0};
	struct slice reason = flow_message_reason(&ask->params, ask->arena);
	bool is_done = open_token(ask, token, &opened, &refusal);
	if (is_done && opened.entry) is_done = cancel_running(&opened, reason, &refusal);
	else if (is_done) is_done = cancel_waiting(ask, &opened, reason, &refusal);
	flow_session_free(opened.session);
	text_init(&result, 0);
	flow_write_cancelled(&result);
	if (is_done) mgp_ask_answer(ask, &result);
	else flow_asked_refuse(ask, &refusal, SLICE_NONE);
}

void flow_stateless_get_state(struct mgp_ask *ask, struct slice token) {
	struct flow_refusal refusal = {0};
	struct opened opened;
	AUTO_TEXT struct text result = {0};
	if (!open_token(ask, token, &opened, &refusal)) {
		flow_asked_refuse(ask, &refusal, SLICE_NONE);
		return;
	}
	text_init(&result, 0);
	flow_write_state(&result, opened.entry ? opened.entry->session : opened.session, token);
	flow_session_free(opened.session);
	mgp_ask_answer(ask, &result);
}

struct flow_entry *flow_stateless_find(struct mgp_ask *ask, struct slice token, struct flow_refusal *refusal) {
	struct opened opened;
	if (!open_token(ask, token, &opened, refusal)) return NULL;
	if (!opened.entry)
		(void)flow_refuse(refusal, FLOW_INVALID_TRANSITION, NULL, "the session is %s and has no result: its tool completes it",
			flow_state_word(opened.session->state));
	flow_session_free(opened.session);
	return opened.entry;
}
