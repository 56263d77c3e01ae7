/* SPDX-License-Identifier: Apache-2.0 */
/* Flow led told: a server's own requests, found by the conversation that they come from, and passed on. */
#include "kernel/flow_led_told.h"

#include "base/clock.h"
#include "kernel/refusals.h"
#include "wire/jsonrpc.h"

#include <stdlib.h>

/* ---- Whose it is ---- */

/* The first of a server at once, those of the minute that follows counted. */
static void audit_stranger(const struct kernel_means *means, const struct hosted_child *child, struct slice method) {
	struct slice server = hosted_id(hosted_child_server(child));
	unsigned count;
	AUTO_TEXT struct text details = {0};
	if (!refusals_count(means->refusals, server, server, "guided", &count)) return;
	text_init(&details, 0);
	text_add_cstr(&details, "{\"method\":");
	text_json(&details, method);
	text_add_cstr(&details, ",\"reason\":\"no session of that id began in this conversation\"}");
	const struct audit_record record = {
		.event = SLICE("dev.hustings.flow_refused"),
		.actor = server,
		.actor_type = SLICE("server"),
		.server_id = server,
		.gate = SLICE("guided"),
		.result = AUDIT_BLOCKED,
		.count = count,
		.details = text_failed(&details) ? SLICE_NONE : text_slice(&details),
	};
	kernel_audit(means, &record);
}

/* ---- Answers to the server ---- */

static void acknowledge(struct peer_question *question, struct slice result) {
	if (question) peer_answer(question, result);
}

static void refuse(struct peer_question *question, int64_t code, const char *words) {
	if (question) peer_refuse(question, code, slice_of(words), JSONRPC_PLAIN);
}

/* It has done what it may not: the session is over. */
static void stop(struct flow_led *led, struct peer_question *question, int64_t code, const char *words) {
	refuse(question, code, words);
	flow_led_fail(led, words, true);
}

/* ---- What it says ---- */

static bool pass_on(struct flow_led *led, enum flow_method method, const struct scan_value *params) {
	AUTO_TEXT struct text own = {0};
	text_init(&own, 0);
	flow_write_renamed(&own, params, slice_of(led->entry->session->id));
	if (text_failed(&own)) return false;
	flows_push_led(led->means->flows, led->entry, method, text_slice(&own));
	return true;
}

static void take_prompt(struct flow_led *led, enum flow_method method, struct peer_question *question,
	const struct scan_value *params) {
	struct flow_refusal refusal = {0};
	struct scan_value prompt;
	if (!flow_led_may(led, &refusal)) {
		stop(led, question, FLOW_SESSION_NOT_FOUND, refusal.message);
		return;
	}
	bool has_prompt = scan_find(params, method == FLOW_METHOD_PROMPT ? "prompt" : "nextPrompt", &prompt) && prompt.type == SCAN_OBJECT;
	if (params->text.length > FLOW_DATA) {
		stop(led, question, FLOW_VALIDATION_FAILED, "the server's prompt is too large");
		return;
	}
	if (method == FLOW_METHOD_PROMPT && !has_prompt) {
		refuse(question, JSONRPC_INVALID_PARAMS, "params.prompt has to be an object");
		return;
	}
	if (!has_prompt && ++led->messages > FLOW_LED_MESSAGES) {
		stop(led, question, FLOW_LIMIT, "the server sent too many messages");
		return;
	}
	led->prompts += has_prompt;
	if (has_prompt && !flow_session_led_prompt(led->entry->session, clock_wall_ms(), &refusal)) {
		refuse(question, refusal.code, refusal.message);
		flow_led_tell_cancel(led, refusal.message);
		flow_led_over(led);
		flows_push_entry(led->means->flows, led->entry, FLOW_NEWS_COMPLETE);
		return;
	}
	flow_book_touch(led->entry);
	if (pass_on(led, method, params)) acknowledge(question, SLICE("{\"acknowledged\":true}"));
	else refuse(question, JSONRPC_INTERNAL_ERROR, "no memory: try again");
}

static void take_end(struct flow_led *led, struct peer_question *question, const struct scan_value *params) {
	struct flow_refusal refusal = {0};
	struct scan_value result, value;
	struct arena arena;
	char lent[512];
	struct slice summary = SLICE_NONE;
	AUTO_TEXT struct text answer = {0};
	if (!flow_led_may(led, &refusal)) {
		stop(led, question, FLOW_SESSION_NOT_FOUND, refusal.message);
		return;
	}
	if (!scan_find(params, "result", &result) || result.type != SCAN_OBJECT) {
		refuse(question, JSONRPC_INVALID_PARAMS, "params.result has to be an object");
		return;
	}
	arena_init(&arena, lent, sizeof lent, 0);
	if (scan_find(params, "summary", &value) && (value.type != SCAN_STRING || !scan_string(&value, &arena, &summary)))
		summary = SLICE_NONE;
	bool is_done = flow_session_led_complete(led->entry->session, result.text, summary, clock_wall_ms(), &refusal);
	arena_finish(&arena);
	if (!is_done) {
		stop(led, question, refusal.code, refusal.message);
		return;
	}
	text_init(&answer, 0);
	text_add_cstr(&answer, "{\"success\":true,\"finalResult\":");
	text_add(&answer, result.text);
	text_add_char(&answer, '}');
	flow_led_over(led);
	(void)pass_on(led, FLOW_METHOD_COMPLETE, params);
	acknowledge(question, text_failed(&answer) ? SLICE("{\"success\":true}") : text_slice(&answer));
}

static void take(struct flow_led *led, enum flow_method method, struct peer_question *question, const struct scan_value *params) {
	if (led->entry->is_over)
		refuse(question, FLOW_INVALID_TRANSITION, "the session is over");
	else if (method == FLOW_METHOD_COMPLETE)
		take_end(led, question, params);
	else
		take_prompt(led, method, question, params);
}

/* ---- Before its start is answered ---- */

/* For a session that is beginning: not yet known whose. */
static bool keep(struct flow_led *led, enum flow_method method, const struct scan_value *params) {
	struct flow_led_early **last = &led->early;
	unsigned count = 0;
	for (; *last; last = &(*last)->next) count++;
	if (count == FLOW_LED_EARLY || params->text.length > FLOW_LED_EARLY_OCTETS) return false;
	struct flow_led_early *early = malloc(sizeof *early + params->text.length);
	if (!early) return false;
	*early = (struct flow_led_early){.method = method, .length = params->text.length};
	memcpy(early->params, params->text.bytes, params->text.length);
	*last = early;
	return true;
}

static size_t count_early(const struct hosted_child *child) {
	size_t octets = 0;
	for (struct hosted_talk *talk = NULL; (talk = hosted_talk_next(child, talk));)
		for (const struct flow_led_early *early = CONTAINER_OF(talk, struct flow_led, talk)->early; early; early = early->next)
			octets += early->length;
	return octets;
}

/* Each session that begins gets it, so all of them together have a bound. */
static bool keep_early(const struct hosted_child *child, enum flow_method method, const struct scan_value *params) {
	bool is_kept = false;
	if (params->type != SCAN_OBJECT) return false;
	size_t octets = count_early(child);
	for (struct hosted_talk *talk = NULL; (talk = hosted_talk_next(child, talk));) {
		struct flow_led *led = CONTAINER_OF(talk, struct flow_led, talk);
		if (led->id || led->entry->is_over || octets + params->text.length > FLOW_LED_EARLY_ALL || !keep(led, method, params)) continue;
		octets += params->text.length;
		is_kept = true;
	}
	return is_kept;
}

static bool is_for(const struct flow_led *led, const struct scan_value *params) {
	struct arena arena;
	char lent[512];
	struct slice id;
	arena_init(&arena, lent, sizeof lent, 0);
	bool is_ours = led->id && flow_message_server_id(params, &arena, &id) && slice_is(id, led->id);
	arena_finish(&arena);
	return is_ours;
}

void flow_led_take_early(struct flow_led *led) {
	while (led->early) {
		struct flow_led_early *early = led->early;
		const struct scan_value params = {.text = slice_make(early->params, early->length), .type = SCAN_OBJECT};
		led->early = early->next;
		if (is_for(led, &params)) take(led, early->method, NULL, &params);
		free(early);
	}
}

void flow_led_answered_late(struct hosted_child *child, const struct scan_value *result) {
	flow_led_cancel_named(child, result, "nobody waits for it any more");
}

void flow_led_told(const struct kernel_means *means, struct hosted_child *child, struct peer_question *question,
	struct slice method, const struct scan_value *params) {
	enum flow_method which;
	bool is_known = flow_method_read(method, &which);
	if (!is_known || (which != FLOW_METHOD_PROMPT && which != FLOW_METHOD_CONTINUE && which != FLOW_METHOD_COMPLETE)) {
		refuse(question, JSONRPC_METHOD_NOT_FOUND, "this client does not know that method");
		return;
	}
	struct flow_led *led = flow_led_find(child, params);
	if (led)
		take(led, which, question, params);
	else if (keep_early(child, which, params))
		acknowledge(question, which == FLOW_METHOD_COMPLETE ? SLICE("{\"success\":true}") : SLICE("{\"acknowledged\":true}"));
	else {
		audit_stranger(means, child, method);
		refuse(question, FLOW_SESSION_NOT_FOUND, "no session of that id began in this conversation");
	}
}
