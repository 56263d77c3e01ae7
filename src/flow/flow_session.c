/* SPDX-License-Identifier: Apache-2.0 */
/* Flow session: its steps; every change of its state is made in move(). */
#include "flow/flow_session.h"

#include "base/ident.h"
#include "base/secret.h"

#include <stdio.h>
#include <stdlib.h>

static struct text *const *texts_of(struct flow_session *session, struct text *list[7]) {
	list[0] = &session->given;
	list[1] = &session->context;
	list[2] = &session->history;
	list[3] = &session->prompt;
	list[4] = &session->progress;
	list[5] = &session->result;
	list[6] = &session->summary;
	return list;
}

/* ---- Beginning and end ---- */

static bool keep(struct slice words, char **kept) {
	*kept = words.length ? slice_copy(words) : NULL;
	return !words.length || *kept;
}

static bool is_too_large(const struct flow_wish *wish, struct flow_refusal *refusal) {
	bool is_named = wish->tool.length && wish->tool.length <= FLOW_NAME && wish->server.length <= FLOW_NAME && wish->name.length <= FLOW_NAME;
	if (!is_named)
		return !flow_refuse(refusal, FLOW_INVALID_PARAMS, NULL, "params.toolName has to be a name of at most %d octets", FLOW_NAME);
	if (wish->initial_params.length > FLOW_DATA || wish->context.length > FLOW_DATA)
		return !flow_refuse(refusal, FLOW_INVALID_PARAMS, "too_large",
			"params.initialParams and params.context are at most %zu octets each", FLOW_DATA);
	return false;
}

static void name_it(struct flow_session *session) {
	uint8_t octets[16];
	ident_random(octets, sizeof octets);
	memcpy(session->id, "session_", 8);
	secret_hex(octets, sizeof octets, session->id + 8);
}

struct flow_session *flow_session_begin(const struct flow_wish *wish, const struct flow_limits *limits, int64_t now,
	struct flow_refusal *refusal) {
	if (is_too_large(wish, refusal)) return NULL;
	struct flow_session *session = calloc(1, sizeof *session);
	bool is_fine = session && keep(wish->principal, &session->principal) && keep(wish->session, &session->session) &&
		keep(wish->server, &session->server) && keep(wish->tool, &session->tool) &&
		keep(wish->name, &session->name);
	if (is_fine) {
		name_it(session);
		session->state = FLOW_IDLE;
		session->created_at = session->active_at = now;
		bool is_own = wish->timeout_ms > 0 && wish->timeout_ms < limits->timeout_ms;
		session->timeout_ms = is_own ? wish->timeout_ms : limits->timeout_ms;
		session->ends_at = now + limits->duration_ms;
		session->prompts_left = limits->prompts;
		text_init(&session->given, FLOW_DATA);
		text_init(&session->history, FLOW_HISTORY);
		text_init(&session->result, FLOW_RESULT);
		text_add(&session->given, wish->initial_params.length ? wish->initial_params : SLICE("{}"));
		if (wish->context.length) text_add(&session->context, wish->context);
		is_fine = !text_failed(&session->given) && !text_failed(&session->context);
	}
	if (is_fine) return session;
	flow_session_free(session);
	(void)flow_refuse(refusal, FLOW_INTERNAL, "no_memory", "no memory for another session: try again later");
	return NULL;
}

void flow_session_free(struct flow_session *session) {
	struct text *list[7];
	if (!session) return;
	texts_of(session, list);
	for (size_t i = 0; i < COUNT_OF(list); i++) {
		if (list[i]->bytes) secret_wipe(list[i]->bytes, list[i]->capacity);
		text_finish(list[i]);
	}
	free(session->principal);
	free(session->session);
	free(session->server);
	free(session->tool);
	free(session->name);
	free(session);
}

size_t flow_session_octets(const struct flow_session *session) {
	const struct text *texts[] = {&session->given, &session->context, &session->history, &session->prompt,
		&session->progress, &session->result, &session->summary};
	const char *words[] = {session->principal, session->session, session->server, session->tool, session->name};
	size_t octets = sizeof *session;
	for (size_t i = 0; i < COUNT_OF(texts); i++) octets += texts[i]->capacity;
	for (size_t i = 0; i < COUNT_OF(words); i++) octets += words[i] ? strlen(words[i]) + 1 : 0;
	return octets;
}

/* ---- States ---- */

/* The only place that assigns it. */
static bool move(struct flow_session *session, enum flow_state to, struct flow_refusal *refusal) {
	if (!flow_state_may(session->state, to))
		return flow_refuse(refusal, FLOW_INVALID_TRANSITION, NULL, "the session is %s and cannot become %s",
			flow_state_word(session->state), flow_state_word(to));
	session->state = to;
	return true;
}

static bool no_memory(struct flow_refusal *refusal) {
	return flow_refuse(refusal, FLOW_INTERNAL, "no_memory", "no memory for the session: try again later");
}

static void stir(struct flow_session *session, int64_t now) {
	session->active_at = now;
	session->is_warned = false;
}

bool flow_session_activate(struct flow_session *session, struct flow_refusal *refusal) {
	return move(session, FLOW_ACTIVE, refusal);
}

bool flow_session_process(struct flow_session *session, int64_t now, struct flow_refusal *refusal) {
	if (!move(session, FLOW_PROCESSING, refusal)) return false;
	text_clear(&session->prompt);
	stir(session, now);
	return true;
}

/* ---- Prompts ---- */

static bool use_prompt(struct flow_session *session, int64_t now, struct flow_refusal *refusal) {
	if (session->prompts_left) {
		session->prompts_left--;
		return true;
	}
	flow_session_fail(session, "too many prompts", now);
	return flow_refuse(refusal, FLOW_LIMIT, "too_many_prompts", "the session has asked as often as it may (max_prompts_per_session): begin another");
}

bool flow_session_ask(struct flow_session *session, const struct prompt *prompt, const struct prompt_progress *progress,
	int64_t now, struct flow_refusal *refusal) {
	struct prompt named = *prompt;
	char id[32];
	if (!flow_state_may(session->state, FLOW_WAITING_USER)) return move(session, FLOW_WAITING_USER, refusal);
	if (!use_prompt(session, now, refusal)) return false;
	snprintf(id, sizeof id, "prompt-%u", ++session->number);
	named.id = slice_of(id);
	text_clear(&session->prompt);
	text_clear(&session->progress);
	prompt_write(&session->prompt, &named);
	if (progress) prompt_write_progress(&session->progress, progress);
	if (text_failed(&session->prompt) || text_failed(&session->progress)) {
		flow_session_fail(session, "no memory for a prompt", now);
		return no_memory(refusal);
	}
	stir(session, now);
	return move(session, FLOW_WAITING_USER, refusal);
}

bool flow_session_prompt(const struct flow_session *session, struct arena *arena, struct prompt *prompt) {
	const struct scan_value value = {.text = text_slice(&session->prompt), .type = SCAN_OBJECT};
	return session->prompt.length && prompt_read(&value, arena, prompt, NULL);
}

/* ---- Answers ---- */

/* The object again, with that member in place of one of its name; value length 0: without it. */
static bool set_member(struct text *object, struct slice name, struct slice value) {
	const struct scan_value before = {.text = text_slice(object), .type = SCAN_OBJECT};
	AUTO_TEXT struct text after = {0}, key = {0};
	struct scan_walk walk;
	struct scan_member member;
	char lent[256];
	struct arena arena;
	const char *comma = "";
	text_init(&after, object->limit);
	text_init(&key, 0);
	arena_init(&arena, lent, sizeof lent, 0);
	text_add_char(&after, '{');
	for (scan_open(&walk, &before); scan_next(&walk, &member);) {
		struct slice own;
		if (!scan_key(&member, &arena, &own)) after.failed = true;
		else if (slice_equal(own, name)) continue;
		text_printf(&after, "%s\"%.*s\":", comma, SLICE_ARGS(member.key));
		text_add(&after, member.value.text);
		comma = ",";
	}
	if (value.length) {
		text_json(&key, name);
		text_printf(&after, "%s%s:", comma, key.bytes ? key.bytes : "");
		text_add(&after, value);
	}
	text_add_char(&after, '}');
	arena_finish(&arena);
	if (text_failed(&after) || text_failed(&key)) return false;
	struct text old = *object;
	*object = after;
	after = old;
	return true;
}

static bool add_turn(struct flow_session *session, const struct flow_response *response, int64_t now) {
	struct text *history = &session->history;
	size_t before = history->length;
	text_printf(history, "%s{\"turnId\":%u,\"prompt\":", before ? "," : "", session->turns);
	text_add(history, text_slice(&session->prompt));
	text_add_cstr(history, ",\"response\":{\"value\":");
	text_add(history, response->value.type == SCAN_NONE ? SLICE("null") : response->value.text);
	if (response->timestamp.length) {
		text_add_cstr(history, ",\"timestamp\":");
		text_add(history, response->timestamp);
	}
	if (response->metadata.length) {
		text_add_cstr(history, ",\"metadata\":");
		text_add(history, response->metadata);
	}
	text_printf(history, "},\"timestamp\":%lld}", (long long)now);
	if (!text_failed(history)) return true;
	history->failed = false;
	history->length = before;
	if (history->bytes) history->bytes[before] = '\0';
	return false;
}

static void cut_history(struct flow_session *session, size_t length) {
	session->history.length = length;
	if (session->history.bytes) session->history.bytes[length] = '\0';
}

static bool record(struct flow_session *session, const struct flow_response *response, struct slice name, int64_t now) {
	size_t before = session->history.length;
	if (!add_turn(session, response, now)) return false;
	struct slice value = response->value.type == SCAN_NONE ? SLICE_NONE : response->value.text;
	if (name.length && !set_member(&session->given, name, value)) {
		cut_history(session, before);
		return false;
	}
	session->turns++;
	return true;
}

static bool is_at_hand(const struct flow_session *session, struct slice prompt_id, struct flow_refusal *refusal) {
	char id[32];
	snprintf(id, sizeof id, "prompt-%u", session->number);
	if (!prompt_id.bytes || slice_is(prompt_id, id)) return true;
	return flow_refuse(refusal, FLOW_INVALID_TRANSITION, "stale_prompt",
		"the prompt at hand is %s: an answer to another one is not taken", id);
}

bool flow_session_respond(struct flow_session *session, const struct flow_response *response, int64_t now,
	struct prompt_verdict *verdict, struct flow_refusal *refusal) {
	char lent[4096];
	struct arena arena;
	struct prompt prompt;
	if (session->state != FLOW_WAITING_USER)
		return flow_refuse(refusal, FLOW_INVALID_TRANSITION, NULL, "the session is %s and cannot become processing: nothing is asked",
			flow_state_word(session->state));
	if (!is_at_hand(session, response->prompt_id, refusal)) return false;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_fine = flow_session_prompt(session, &arena, &prompt) &&
		prompt_check(&prompt, &response->value, &arena, verdict);
	if (is_fine && verdict->is_valid && !record(session, response, prompt.name, now))
		*verdict = (struct prompt_verdict){.error = "the session cannot hold this answer", .suggestion = "a shorter one"};
	arena_finish(&arena);
	if (!is_fine) return no_memory(refusal);
	stir(session, now);
	if (!verdict->is_valid) return use_prompt(session, now, refusal);
	text_clear(&session->prompt);
	return move(session, FLOW_PROCESSING, refusal);
}

bool flow_session_back(struct flow_session *session, int64_t now, struct flow_refusal *refusal) {
	AUTO_TEXT struct text array = {0};
	struct scan_walk walk;
	struct scan_member member;
	struct scan_value turn = {.type = SCAN_NONE}, value;
	struct arena arena;
	struct slice name = SLICE_NONE;
	bool is_at_work = session->state == FLOW_WAITING_USER || session->state == FLOW_PROCESSING;
	if (!is_at_work || !session->turns)
		return flow_refuse(refusal, FLOW_INVALID_TRANSITION, "nothing_to_take_back",
			"the session is %s and has %u answers: there is none to take back", flow_state_word(session->state), session->turns);
	text_init(&array, 0);
	text_add_char(&array, '[');
	text_add(&array, text_slice(&session->history));
	text_add_char(&array, ']');
	if (text_failed(&array)) return no_memory(refusal);
	const struct scan_value turns = {.text = text_slice(&array), .type = SCAN_ARRAY};
	for (scan_open(&walk, &turns); scan_next(&walk, &member);) turn = member.value;
	arena_init(&arena, NULL, 0, 0);
	bool is_named = scan_path(&turn, &value, "prompt", "name", NULL) && scan_string(&value, &arena, &name);
	bool is_fine = !is_named || set_member(&session->given, name, SLICE_NONE);
	arena_finish(&arena);
	if (!is_fine) return no_memory(refusal);
	size_t at = (size_t)(turn.text.bytes - array.bytes) - 1;
	cut_history(session, at ? at - 1 : 0); /* the comma before it */
	session->turns--;
	text_clear(&session->prompt);
	stir(session, now);
	if (session->state == FLOW_PROCESSING) return true;
	return move(session, FLOW_PROCESSING, refusal);
}

/* ---- Led by its server ---- */

/* Its server sees to the order; only what is over stays so. */
static bool is_under_way(const struct flow_session *session, enum flow_state to, struct flow_refusal *refusal) {
	if (!flow_state_is_over(session->state)) return true;
	return flow_refuse(refusal, FLOW_INVALID_TRANSITION, NULL, "the session is %s and cannot become %s",
		flow_state_word(session->state), flow_state_word(to));
}

bool flow_session_led_prompt(struct flow_session *session, int64_t now, struct flow_refusal *refusal) {
	if (!is_under_way(session, FLOW_WAITING_USER, refusal) || !use_prompt(session, now, refusal)) return false;
	stir(session, now);
	return session->state == FLOW_WAITING_USER || move(session, FLOW_WAITING_USER, refusal);
}

bool flow_session_led_answer(struct flow_session *session, bool is_accepted, int64_t now, struct flow_refusal *refusal) {
	if (!is_under_way(session, FLOW_PROCESSING, refusal)) return false;
	stir(session, now);
	if (!is_accepted) return use_prompt(session, now, refusal);
	session->turns++;
	return session->state == FLOW_PROCESSING || move(session, FLOW_PROCESSING, refusal);
}

bool flow_session_led_complete(struct flow_session *session, struct slice result, struct slice summary, int64_t now,
	struct flow_refusal *refusal) {
	if (!is_under_way(session, FLOW_COMPLETED, refusal)) return false;
	text_clear(&session->result);
	text_clear(&session->summary);
	text_add(&session->result, result.length ? result : SLICE("{}"));
	text_add(&session->summary, slice_make(summary.bytes, slice_cut(summary, FLOW_SUMMARY)));
	if (text_failed(&session->result) || text_failed(&session->summary)) {
		text_clear(&session->result);
		return flow_refuse(refusal, FLOW_INTERNAL, "too_large", "the result is over %zu octets, or there is no memory", FLOW_RESULT);
	}
	stir(session, now);
	if (session->state != FLOW_PROCESSING && !move(session, FLOW_PROCESSING, refusal)) return false;
	return move(session, FLOW_COMPLETED, refusal);
}

/* ---- The end ---- */

static void forget(struct flow_session *session) {
	struct text *const texts[] = {&session->given, &session->context, &session->history, &session->prompt, &session->progress};
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		if (texts[i]->bytes) secret_wipe(texts[i]->bytes, texts[i]->length);
		text_clear(texts[i]);
	}
	text_add_cstr(&session->given, "{}"); /* which had room for that */
	session->turns = 0;
}

bool flow_session_complete(struct flow_session *session, bool is_success, struct slice data, struct slice summary,
	int64_t now, struct flow_refusal *refusal) {
	if (!flow_state_may(session->state, FLOW_COMPLETED)) return move(session, FLOW_COMPLETED, refusal);
	text_clear(&session->result);
	text_clear(&session->summary);
	text_printf(&session->result, "{\"success\":%s,\"data\":", is_success ? "true" : "false");
	text_add(&session->result, data.length ? data : SLICE("{}"));
	text_add_char(&session->result, '}');
	text_add(&session->summary, summary);
	if (text_failed(&session->result) || text_failed(&session->summary)) {
		text_clear(&session->result);
		return flow_refuse(refusal, FLOW_INTERNAL, "too_large", "the result is over %zu octets, or there is no memory", FLOW_RESULT);
	}
	stir(session, now);
	return move(session, FLOW_COMPLETED, refusal);
}

void flow_session_fail(struct flow_session *session, const char *reason, int64_t now) {
	if (!move(session, FLOW_ERROR, NULL)) return;
	stir(session, now);
	forget(session);
	text_clear(&session->summary);
	text_add_cstr(&session->summary, reason);
}

bool flow_session_cancel(struct flow_session *session, struct slice reason, int64_t now, struct flow_refusal *refusal) {
	if (session->state == FLOW_CANCELLED)
		return flow_refuse(refusal, FLOW_ALREADY_CANCELLED, NULL, "the session was cancelled already");
	if (!move(session, FLOW_CANCELLED, refusal)) return false;
	stir(session, now);
	forget(session);
	text_clear(&session->summary);
	text_add(&session->summary, slice_make(reason.bytes, slice_cut(reason, FLOW_NAME)));
	return true;
}

/* ---- Time ---- */

int64_t flow_session_expires_at(const struct flow_session *session) {
	if (flow_state_is_over(session->state)) return INT64_MAX;
	int64_t idle = session->active_at + session->timeout_ms;
	return idle < session->ends_at ? idle : session->ends_at;
}

int64_t flow_session_warns_at(const struct flow_session *session) {
	int64_t expires = flow_session_expires_at(session);
	if (session->is_warned || expires == INT64_MAX) return INT64_MAX;
	return session->active_at + (expires - session->active_at) / 5 * 4;
}

bool flow_session_lives(const struct flow_session *session, int64_t now, struct flow_refusal *refusal) {
	if (now < flow_session_expires_at(session)) return true;
	if (session->state == FLOW_PROCESSING)
		return flow_refuse(refusal, FLOW_TIMEOUT, NULL, "the tool did not come to an end in time");
	return flow_refuse(refusal, FLOW_SESSION_EXPIRED, NULL, "the session has expired: begin another");
}
